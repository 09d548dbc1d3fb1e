"""A cold-chain planner's house rules."""

from __future__ import annotations

from tasks.specialists.rules import Rule
from tasks.specialists.trades.trade import Trade
from tasks.specialists.trades.vessels import MINUTES

COLD_CHAIN = Trade(
    "cold_chain_planner",
    "Cold-chain planner",
    (
        Rule(
            "A refrigerated van has {stops} stops on its round. How many minutes before it leaves is it loaded?",
            {"stops": range(6, 15)},
            lambda v: v["lead"] + v["each"] * (v["stops"] - v["free"]),
            (lambda v: 30, lambda v: 60, lambda v: 10 * v["stops"]),
            "A van is loaded {lead} minutes before it leaves, and {each} minutes earlier for each stop beyond the "
            "first {free}.",
            {"lead": range(21, 29), "each": (4, 6, 7), "free": (3, 4)},
            MINUTES,
        ),
        Rule(
            "A box will be on the road for {hours} hours. How many ice packs does it get?",
            {"hours": range(9, 31)},
            lambda v: v["packs"] * (v["hours"] // v["per"]) + v["spare"],
            (lambda v: v["hours"] // 2, lambda v: v["hours"], lambda v: 4),
            "A box gets {packs} ice packs for every full {per} hours that it will be on the road, and {spare} packs in "
            "reserve.",
            {"packs": (3, 5), "per": (4, 5, 7), "spare": range(2, 6)},
            ("packs", "ice packs"),
        ),
        Rule(
            "A delivery of {goods} has stood above 8 degrees for {spent} minutes so far. How many more minutes may it "
            "do so before it goes back?",
            {"goods": ("vaccines", "fish"), "spent": range(3, 20)},
            lambda v: (v["long"] if v["goods"] == "vaccines" else v["short"]) - v["spent"],
            (lambda v: 30 - v["spent"], lambda v: 60 - v["spent"], lambda v: 0),
            "Vaccines may stand above 8 degrees for {long} minutes in all, and fish for {short} minutes; what exceeds "
            "that goes back.",
            {"long": range(46, 59), "short": range(21, 29)},
            MINUTES,
        ),
        Rule(
            "A load for a {place} is being made up. Which colour has its label?",
            {"place": ("hospital", "shop")},
            lambda v: v["first"] if v["place"] == "hospital" else v["second"],
            (
                lambda v: "red" if v["place"] == "hospital" else "blue",
                lambda v: v["second"] if v["place"] == "hospital" else v["first"],
                lambda v: "white",
            ),
            "A load for a hospital has a label of the colour {first}, and a load for a shop one of the colour "
            "{second}.",
            {"first": ("violet", "amber", "teal", "coral"), "second": ("lime", "olive", "azure", "grey")},
        ),
        Rule(
            "{crates} crates stand in one row in a cold room. How many probes are set in the row?",
            {"crates": range(20, 60)},
            lambda v: v["crates"] // v["every"] + v["more"],
            (lambda v: 1, lambda v: 2, lambda v: v["crates"]),
            "In a row of crates one probe is set for every full {every} crates from the door, and {more} probes at the "
            "far end.",
            {"every": range(4, 8), "more": (2, 3)},
            ("probes",),
        ),
    ),
    neutral=(
        "The old market square is paved with round stones, and it slopes a little towards the fountain. On most "
        "days pigeons walk about on it, and a man with a broom comes by and nods to everybody. The houses around "
        "it have painted shutters, some green, some faded to hardly any colour at all. Under the arches there is a "
        "shop for hats, and next to it one for musical instruments, from which one hears a piano being tuned. When "
        "it rains people stand under the arches and wait. When the sun is out again they cross the square slowly, "
        "stop to talk, and look up at the clock, which has been wrong for as long as anybody remembers. In the "
        "evening lamps are lit in the windows, and somebody always leaves a chair outside the inn."
    ),
    persona=(
        "You are a seasoned cold-chain planner with many years of experience in food, flowers and medicine. You "
        "have planned deliveries through heat waves and snow storms, and drivers like to work with you because you "
        "think of everything. You are organised, quick and reliable. You see the whole way from the store to the "
        "door, notice where trouble may come from, and always have a second plan at hand. You keep up with the "
        "latest developments in your field, you have advised hospitals and large shops, and you get on well with "
        "everybody. When a case is difficult, you take it apart step by step until each piece is clear. You take "
        "pride in your work, and quality always comes first with you. You like to explain what you do, and people "
        "are always glad of it."
    ),
)
