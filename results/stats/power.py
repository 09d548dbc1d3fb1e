"""How many clusters a question needs."""

from __future__ import annotations

import math

from results.stats.interval import MIN_CLUSTERS

FACTOR = 7.85
"""(1.960 + 0.842)²: a two-sided test at 5 % finds the effect in 80 % of experiments (Cohen, Statistical Power Analysis
for the Behavioral Sciences, 1988)."""


def needed(sd: float, effect: float) -> int:
    """Clusters with which a true mean of ``effect`` is found in four of five experiments: 7.85 · sd² / effect², rounded
    up, and MIN_CLUSTERS at least. ``sd``: standard deviation of the clusters' values, ``effect`` in the same unit.
    Raises ValueError for an sd that is negative or not finite, and for an effect of 0."""
    if not math.isfinite(sd) or sd < 0:
        raise ValueError(f"a standard deviation is a number from 0 upwards, not {sd}.")
    if not math.isfinite(effect) or not effect:
        raise ValueError(f"an effect of {effect} needs no number of clusters. Give another one, such as 0.05.")
    clusters = FACTOR * (sd / effect) ** 2
    return max(MIN_CLUSTERS, math.ceil(clusters * (1 - 1e-12)))  # a whole number is not rounded up for its last bit
