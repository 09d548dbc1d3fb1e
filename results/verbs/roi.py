"""``roi``: the verdict."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from results.verbs.verb import Verb

if TYPE_CHECKING:
    from results.verdict.prices import Prices


def run(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.verdict.render import print_roi

    print_roi(load(chosen.dir), chosen.experiment, prices(chosen))
    return 0


def prices(chosen: argparse.Namespace) -> Prices:
    """What the options say that results are worth."""
    from results.verdict.prices import Prices

    return Prices(chosen.score_usd, chosen.hour_usd, chosen.escape_usd, chosen.min_return)


def options(parser: argparse.ArgumentParser) -> None:
    """What results are worth; there are no default prices."""
    parser.add_argument("--score-usd", type=float, metavar="USD", help="worth of a whole point of score of a sample")
    parser.add_argument("--hour-usd", type=float, default=0.0, metavar="USD", help="worth of an hour of wall-clock")
    parser.add_argument(
        "--escape-usd", type=float, default=0.0, metavar="USD", help="what a delivered answer that did not pass costs"
    )
    parser.add_argument(
        "--min-return", type=float, default=0.0, metavar="USD", help="net return a sample that a team has to exceed"
    )


VERB = Verb(
    "roi",
    "say whether a team is worth it: the decision tree, the money, the verdict",
    "Print the decision tree, the net return of each team against the single family, and a verdict: use a team, use "
    "single, or inconclusive. Without --score-usd: the break-even price. Simulated rows get verdicts that say sim.",
    run,
    options,
)
