"""``compare``: every topology against ``single``, on the same samples."""

from __future__ import annotations

import argparse

from results.verbs.verb import Verb


def run(chosen: argparse.Namespace) -> int:
    from results.comparison.render import print_comparison
    from results.frames import load

    print_comparison(load(chosen.dir), chosen.experiment)
    return 0


VERB = Verb(
    "compare",
    "compare every topology with single, on the same samples",
    "Print differences of score, tokens, USD and wall-clock, the single family at equal money and at equal score, and "
    "the bridge. Real runs: 95 % intervals over clusters of samples; simulated ones: Monte-Carlo spread only.",
    run,
)
