"""``summary``: the tables that a run ends with."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.frames import load
    from results.render import print_summary

    print_summary(load(chosen.dir), chosen.experiment)
    return 0


VERB = Verb(
    "summary",
    "print the tables that a run ends with",
    "Print outcome, tokens by purpose, cost, and the bridge from single to each team.",
    run,
)
