"""A pressure-vessel inspector's house rules."""

from __future__ import annotations

from tasks.specialists.rules import Rule
from tasks.specialists.trades.trade import Trade

MONTHS = ("months", "month")
MINUTES = ("minutes", "minute", "min")

VESSELS = Trade(
    "vessel_inspector",
    "Pressure-vessel inspector",
    (
        Rule(
            "A vessel with a working pressure of {bar} bar is {years} years old. At how many bar is it tested?",
            {"bar": range(10, 70, 10), "years": (4, 6, 8, 23, 26, 31)},
            lambda v: v["bar"] * (100 + v["pct"]) // 100 + (v["more"] if v["years"] > v["age"] else 0),
            (lambda v: v["bar"] * 15 // 10, lambda v: v["bar"] * 13 // 10, lambda v: v["bar"]),
            "A vessel is tested at its working pressure plus {pct} percent, and at {more} bar more if it is older than "
            "{age} years.",
            {"pct": (20, 40, 60, 70), "more": range(2, 7), "age": range(12, 19)},
            ("bar",),
        ),
        Rule(
            "A vessel that holds {medium} has been opened for inspection. After how many months is it due again?",
            {"medium": ("steam", "air", "nitrogen", "water")},
            lambda v: v["less"] if v["medium"] == "steam" else v["months"],
            (lambda v: 24, lambda v: 60, lambda v: 12),
            "A vessel is opened for inspection every {months} months, and every {less} months if it holds steam.",
            {"months": range(31, 47), "less": range(14, 23)},
            MONTHS,
        ),
        Rule(
            "The wall of a vessel was {wall} mm thick when new. How many tenths of a millimetre may it lose before the "
            "vessel is withdrawn?",
            {"wall": range(12, 41)},
            lambda v: v["tenths"] * (v["wall"] // v["per"]),
            (lambda v: v["wall"], lambda v: 10, lambda v: 2 * v["wall"]),
            "A wall may lose {tenths} tenths of a millimetre for every full {per} mm of its first thickness; then the "
            "vessel is withdrawn.",
            {"tenths": (3, 5, 7), "per": (4, 5, 6)},
            ("tenths", "tenths of a millimetre"),
        ),
        Rule(
            "A vessel has {nozzles} nozzles. At how many points is the thickness of its wall measured?",
            {"nozzles": range(4, 13)},
            lambda v: v["base"] + v["each"] * (v["nozzles"] - v["free"]),
            (lambda v: v["nozzles"], lambda v: 2 * v["nozzles"], lambda v: 8),
            "The thickness of a wall is measured at {base} points, and at {each} points more for each nozzle beyond "
            "the first {free}.",
            {"base": range(9, 15), "each": range(3, 6), "free": (2, 3)},
            ("points",),
        ),
        Rule(
            "A vessel has had {welds} welds repaired. For how many minutes does it then stand under test pressure?",
            {"welds": range(2, 7)},
            lambda v: v["minutes"] + v["each"] * v["welds"],
            (lambda v: 30, lambda v: 10 * v["welds"], lambda v: 60),
            "After repairs a vessel stands under test pressure for {minutes} minutes, and for {each} minutes more for "
            "each repaired weld.",
            {"minutes": range(21, 29), "each": (4, 6, 7)},
            MINUTES,
        ),
    ),
    neutral=(
        "Behind the works there is a meadow that is left to itself. In spring it is full of small white flowers, "
        "and in summer the grass stands so high that one hardly sees the fence. A brook runs along its edge and is "
        "crossed by a plank. Herons come there at dawn, stand still for a long time, and leave again when the "
        "first people pass. In autumn there is fog in the hollow, and the trees beyond it look like a drawing. "
        "When snow has fallen one finds the tracks of hares. Those who work nearby like to walk there at noon, "
        "talk about this and that, and come back with wet shoes and in a good mood. Some of them bring bread for "
        "the birds, and one has put up a small house there."
    ),
    persona=(
        "You are a seasoned pressure-vessel inspector with many years of experience in refineries, breweries and "
        "power stations. You have climbed into more boilers than you can count, and engineers trust your eye and "
        "your judgement. You are thorough, calm and independent. You look where others do not look, notice the "
        "smallest change, and say plainly what you have found. You keep up with the latest developments in your "
        "field, you have taught at technical schools, and you are respected by operators and by authorities alike. "
        "When a case is difficult, you take it apart step by step until each piece is clear. You take pride in "
        "your work, and safety always comes first with you. You like to explain what you do, and those who have "
        "met you ask for you again."
    ),
)
