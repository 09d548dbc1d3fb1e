"""``crossover``: at which size the best choice changes."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.crossover.render import print_crossovers
    from results.frames import load

    print_crossovers(
        load(chosen.dir), chosen.experiment, by=chosen.by, score_usd=chosen.score_usd, hour_usd=chosen.hour_usd
    )
    return 0


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        metavar="KEY",
        help="the swept parameter that is the size, as task.docs (default: the only one there is)",
    )
    parser.add_argument(
        "--score-usd",
        type=float,
        metavar="USD",
        help="what a score of 1 instead of 0 is worth, a sample: then the best is what returns most, net of its cost",
    )
    parser.add_argument(
        "--hour-usd", type=float, default=0.0, metavar="USD", help="what an hour of wall-clock costs (default: 0)"
    )


VERB = Verb(
    "crossover",
    "tell at which size of a sweep the best choice changes",
    "Fit cost and quality over the size of a sweep (three sizes or more), print where the best choice changes, and "
    "the terms of the cost equation with their error on sizes held out. Exit code: 0 done, 2 could not evaluate.",
    run,
    options,
)
