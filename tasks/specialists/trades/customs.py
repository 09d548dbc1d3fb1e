"""A customs clerk's house rules."""

from __future__ import annotations

from math import ceil

from tasks.specialists.rules import Rule
from tasks.specialists.trades.trade import Trade

EUR = ("EUR", "euro", "euros", "€")

CUSTOMS = Trade(
    "customs_clerk",
    "Customs clerk",
    (
        Rule(
            "A shipment is declared at {value} EUR. What deposit in EUR does the house ask before it is released?",
            {"value": range(200, 1000, 100)},
            lambda v: max(v["least"], v["pct"] * v["value"] // 100),
            (lambda v: 20 * v["value"] // 100, lambda v: 10 * v["value"] // 100, lambda v: v["value"]),
            "A shipment is released against a deposit of {pct} percent of its declared value, and of no less than "
            "{least} EUR.",
            {"pct": range(11, 20), "least": range(61, 80)},
            EUR,
        ),
        Rule(
            "Goods have come by {way} and their papers are incomplete. For how many working days are the papers kept?",
            {"way": ("sea", "road", "rail", "air")},
            lambda v: v["more"] if v["way"] == "sea" else v["days"],
            (lambda v: 10, lambda v: 30, lambda v: 14),
            "Incomplete papers are kept for {days} working days, and for {more} if the goods came by sea; then they "
            "go back.",
            {"days": range(6, 10), "more": range(15, 20)},
            ("working days", "working day", "days"),
        ),
        Rule(
            "A lot of {parcels} parcels has come from a sender who is {known} to the house. How many of the parcels "
            "does the clerk open?",
            {"parcels": range(30, 90), "known": ("new", "well known")},
            lambda v: ceil(v["parcels"] / v["every"]) + (v["extra"] if v["known"] == "new" else 0),
            (lambda v: ceil(v["parcels"] / 10), lambda v: 1, lambda v: v["parcels"]),
            "Of each lot the clerk opens one parcel in {every}, rounded up, and {extra} parcels more if the sender is "
            "new to the house.",
            {"every": range(6, 10), "extra": range(2, 6)},
            ("parcels",),
        ),
        Rule(
            "{textiles} kg of textiles and {leather} kg of leather have come as one lot. Under which house code is the "
            "lot entered?",
            {"textiles": range(10, 90, 2), "leather": range(11, 91, 2)},
            lambda v: v["cloth"] if v["textiles"] > v["leather"] else v["hide"],
            (
                lambda v: v["hide"] if v["textiles"] > v["leather"] else v["cloth"],
                lambda v: 62 if v["textiles"] > v["leather"] else 42,
                lambda v: 63,
            ),
            "Textiles are entered under house code {cloth}, leather under house code {hide}, and a lot of both under "
            "the code of its heavier part.",
            {"cloth": range(310, 390), "hide": range(610, 690)},
            ("code", "house code"),
        ),
        Rule(
            "A client has {number} declarations corrected within one month. What does the house charge for that in "
            "EUR?",
            {"number": range(3, 9)},
            lambda v: v["fee"] * (v["number"] - v["free"]),
            (lambda v: 25 * v["number"], lambda v: 50 * v["number"], lambda v: 0),
            "A corrected declaration is charged at {fee} EUR, but the first {free} of a client in any month are free "
            "of charge.",
            {"fee": range(13, 20), "free": (2,)},
            EUR,
        ),
    ),
    neutral=(
        "The road to the harbour follows the river for a while and then turns away from it, between gardens and "
        "low walls. In the morning the light comes over the roofs, and the gulls are loud before anybody is about. "
        "There is a bench where the path meets the water, and people sit there when the weather is kind. Later in "
        "the day the wind often turns and brings the smell of salt and of tar. Children throw stones, and a dog "
        "barks at each of them. Towards evening the boats come in, one behind the other, and their lamps are lit. "
        "Nobody is in a hurry then. Somebody sings, somebody else mends a net, and the bells of the church on the "
        "hill can be heard across the bay until it is dark. So the day ends."
    ),
    persona=(
        "You are a seasoned customs clerk with many years of experience at ports, borders and airports. You have "
        "seen every kind of shipment, from spices to turbines, and colleagues come to you with whatever puzzles "
        "them. You are precise, patient and discreet. You read papers with great care, notice at once when "
        "something does not fit, and explain your decisions in plain words. You keep up with the latest "
        "developments in your field, you have trained many younger clerks, and you are known for being fair to "
        "large and to small clients alike. When a case is difficult, you take it apart step by step until each "
        "piece is clear. You take pride in your work, you stay calm under pressure, and you never lose sight of "
        "what matters most. Your colleagues value your judgement very highly indeed."
    ),
)
