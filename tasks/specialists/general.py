"""Cases that need nobody's rule: what they say is enough to reckon the answer."""

from __future__ import annotations

from tasks.specialists.rules import Rule

GENERAL_CASES: tuple[Rule, ...] = (
    Rule(
        "Three crates weigh {a} kg, {b} kg and {c} kg. How many kg do they weigh together?",
        {"a": range(41, 90), "b": range(12, 40), "c": range(91, 130)},
        lambda v: v["a"] + v["b"] + v["c"],
        (lambda v: v["a"] + v["c"], lambda v: v["a"] + v["b"] + v["c"] + 10),
        units=("kg",),
    ),
    Rule(
        "Of {all} parcels in a hall, {gone} have been fetched and {back} of these were brought back. How many parcels "
        "are in the hall?",
        {"all": range(60, 99), "gone": range(21, 40), "back": range(3, 12)},
        lambda v: v["all"] - v["gone"] + v["back"],
        (lambda v: v["all"] - v["gone"], lambda v: v["all"] - v["gone"] - v["back"]),
        units=("parcels",),
    ),
    Rule(
        "{readers} readers have ordered {each} folders each, and {lent} of all these folders are lent out. How many "
        "can be handed to them?",
        {"readers": range(4, 12), "each": range(3, 9), "lent": range(2, 8)},
        lambda v: v["readers"] * v["each"] - v["lent"],
        (lambda v: v["readers"] * v["each"], lambda v: v["readers"] * v["each"] + v["lent"]),
        units=("folders",),
    ),
    Rule(
        "A van was away for {away} minutes, and stood still for {one} minutes at one stop and for {two} minutes at "
        "another. For how many minutes did it move?",
        {"away": range(90, 200), "one": range(6, 20), "two": range(21, 40)},
        lambda v: v["away"] - v["one"] - v["two"],
        (lambda v: v["away"] - v["two"], lambda v: v["away"] - v["one"]),
        units=("minutes", "minute", "min"),
    ),
    Rule(
        "The north lot weighs {north} kg, the south lot {south} kg and the west lot {west} kg. Which of them is the "
        "heaviest: north, south or west?",
        {"north": range(30, 90, 3), "south": range(31, 91, 3), "west": range(32, 92, 3)},
        lambda v: max(("north", "south", "west"), key=lambda lot: int(v[lot])),
        (lambda v: "north", lambda v: "south", lambda v: "west"),
    ),
    Rule(
        "A file was opened on day {first} of a month and closed on day {last} of the same month. Counting both, on how "
        "many days was it open?",
        {"first": range(2, 12), "last": range(15, 29)},
        lambda v: v["last"] - v["first"] + 1,
        (lambda v: v["last"] - v["first"], lambda v: v["last"]),
        units=("days", "day"),
    ),
    Rule(
        "A pump moves {litres} litres a minute into a tank from which {out} litres a minute run out. How many litres "
        "does the tank gain in {minutes} minutes?",
        {"litres": range(31, 60), "out": range(5, 20), "minutes": range(4, 12)},
        lambda v: (v["litres"] - v["out"]) * v["minutes"],
        (lambda v: v["litres"] * v["minutes"], lambda v: (v["litres"] + v["out"]) * v["minutes"]),
        units=("litres", "litre", "l", "liters"),
    ),
)
"""No numbers or words of theirs mean anything by a rule of a trade."""
