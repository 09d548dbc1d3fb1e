"""What a few clusters allow to be said: means, ratios, shares, and how sure of them one may be.

Everything here takes one number a cluster: epochs of a sample averaged, samples of a cluster averaged, differences of
two cells taken on the same samples. How often the intervals hold the truth is measured in docs/coverage.md.

None of it is for simulated rows, apart from ``spread``: how far another draw of a simulation might lie from this one
says nothing about models.
"""

from __future__ import annotations

from results.stats.interval import LEVEL, MIN_CLUSTERS, Interval
from results.stats.mean import Mean, mean, spread
from results.stats.multiplicity import holm
from results.stats.power import needed
from results.stats.proportion import wilson
from results.stats.ratio import Ratio, ratio
from results.stats.skewness import lognormal_coverage, skewed, skewness

__all__ = [
    "LEVEL",
    "MIN_CLUSTERS",
    "Interval",
    "Mean",
    "Ratio",
    "holm",
    "lognormal_coverage",
    "mean",
    "needed",
    "ratio",
    "skewed",
    "skewness",
    "spread",
    "wilson",
]
