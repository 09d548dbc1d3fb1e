"""An archive conservator's house rules."""

from __future__ import annotations

from math import ceil

from tasks.specialists.rules import Rule
from tasks.specialists.trades.trade import Trade
from tasks.specialists.trades.vessels import MINUTES

ARCHIVE = Trade(
    "archive_conservator",
    "Archive conservator",
    (
        Rule(
            "A box comes from a store that is {cooler} degrees cooler than the reading room. For how many hours does "
            "it rest before it is opened?",
            {"cooler": range(7, 20)},
            lambda v: v["hours"] * ceil(v["cooler"] / v["step"]),
            (lambda v: 24, lambda v: 12, lambda v: v["cooler"]),
            "A box from a cooler store rests {hours} hours for every {step} degrees of difference, begun ones in full, "
            "before it is opened.",
            {"hours": (5, 7, 9), "step": (3, 4, 5)},
            ("hours", "hour", "h"),
        ),
        Rule(
            "{sheets} {kind} are to be packed. How many boxes do they need?",
            {"sheets": range(41, 120), "kind": ("glass plates", "sheets of parchment")},
            lambda v: ceil(v["sheets"] / (v["plates"] if v["kind"] == "glass plates" else v["leaves"])),
            (lambda v: ceil(v["sheets"] / 20), lambda v: 1, lambda v: ceil(v["sheets"] / 50)),
            "A box takes at most {plates} glass plates, which stand upright, or {leaves} sheets of parchment, which "
            "lie flat.",
            {"plates": range(9, 15), "leaves": range(5, 8)},
            ("boxes", "box"),
        ),
        Rule(
            "A {kind} sheet has been in the show for as long as it may. For how many weeks must it then rest?",
            {"kind": ("plain", "coloured")},
            lambda v: v["times"] * (v["weeks"] - (v["fewer"] if v["kind"] == "coloured" else 0)),
            (lambda v: 52, lambda v: 12, lambda v: 26),
            "A sheet may be shown for {weeks} weeks, a coloured one for {fewer} weeks less, and then rests {times} "
            "times as long.",
            {"weeks": range(16, 22), "fewer": range(5, 9), "times": (3,)},
            ("weeks", "week"),
        ),
        Rule(
            "A letter written in {ink} ink is entered in the register. Under which mark?",
            {"ink": ("iron-gall", "carbon")},
            lambda v: v["first"] if v["ink"] == "iron-gall" else v["second"],
            (
                lambda v: "I" if v["ink"] == "iron-gall" else "C",
                lambda v: v["second"] if v["ink"] == "iron-gall" else v["first"],
                lambda v: "A",
            ),
            "Writing in iron-gall ink is entered under the mark {first}, and writing in carbon ink under the mark "
            "{second}.",
            {"first": ("K", "M", "Q"), "second": ("V", "X", "Z")},
        ),
        Rule(
            "A volume of {leaves} leaves, {waxed} of them with wax on them, is to be cleaned. How many minutes are "
            "reckoned for it?",
            {"leaves": range(20, 50), "waxed": range(3, 12)},
            lambda v: v["each"] * (v["leaves"] - v["waxed"]) + v["wax"] * v["waxed"],
            (lambda v: 5 * v["leaves"], lambda v: 10 * v["leaves"], lambda v: 2 * v["leaves"]),
            "For cleaning, {each} minutes are reckoned for a leaf, and {wax} minutes for a leaf that has wax on it.",
            {"each": range(6, 10), "wax": range(13, 20)},
            MINUTES,
        ),
    ),
    neutral=(
        "From the top of the hill one sees far across the plain. Fields lie side by side like patches of cloth, "
        "and a row of poplars shows where the canal is. On clear days there are mountains at the horizon, blue and "
        "flat as if cut from paper. A path leads down through heather and past a hut in which shepherds used to "
        "sleep. Larks rise from the grass and sing until they are out of sight. It is quiet otherwise, but for the "
        "wind. People come up here on holidays with bread and apples, spread a blanket, and stay until the shadows "
        "grow long and it is time to go home. On the way down one can hear the trains in the valley, long before "
        "they come into sight between the trees."
    ),
    persona=(
        "You are a seasoned archive conservator with many years of experience in libraries, museums and private "
        "collections. You have saved letters, maps and volumes that others had given up, and scholars ask for your "
        "advice from far and wide. You are careful, patient and curious. You see what a sheet has been through, "
        "notice the faintest trace, and never do more than is needed. You keep up with the latest developments in "
        "your field, you have written about your craft, and you enjoy teaching it to others. When a case is "
        "difficult, you take it apart step by step until each piece is clear. You take pride in your work, and the "
        "object always comes first with you. You have an excellent memory, and your hands are always steady all "
        "day."
    ),
)
