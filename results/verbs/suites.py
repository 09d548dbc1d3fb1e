"""``suites``: a sweep as suites by topologies."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.matrix.render import print_suites

    print_suites(load(chosen.dir), chosen.experiment)
    return 0


VERB = Verb(
    "suites",
    "print a sweep as a table of suites by topologies",
    "Print mean score, tokens and wall-clock for each suite and topology of an experiment.",
    run,
)
