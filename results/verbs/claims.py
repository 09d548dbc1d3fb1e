"""``claims``: what the source documents say beside what was measured."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.claims.picture import newest
    from results.claims.render import print_claims
    from results.frames import load

    found = load(chosen.dir)
    print_claims(found, newest(found) if chosen.experiment == "last" else chosen.experiment)
    return 0


VERB = Verb(
    "claims",
    "print the claims of the source documents beside what was measured",
    "Print claim, claimed and measured figure of an experiment of `python -m harness +experiment=claims` ('last': "
    "the last of these), and where they differ by more than a fifth, why.",
    run,
)
