"""Values so skewed that an interval of their mean holds the truth less often than it says."""

from __future__ import annotations

import math

from results.stats.values import Values, average, finite

COCHRAN = 25
"""Clusters needed for each unit of squared skewness, if a 95 % interval of the mean is to miss in at most 6 % of
experiments: Cochran, Sampling Techniques, 3rd edition, 1977, section 2.15."""


def skewness(values: Values) -> float:
    """The third central moment by the variance to the power of 3/2, without a unit; 0 of equal values. A sample of n
    cannot show more than (n − 2) / √(n − 1). Raises ValueError if there is no value or one is not finite."""
    found = finite(values)
    centre = average(found)
    widest = max(abs(v - centre) for v in found)
    if not widest:
        return 0.0
    away = [(v - centre) / widest for v in found]
    square = math.fsum(d * d for d in away) / len(away)
    return math.fsum(d * d * d for d in away) / len(away) / (square * math.sqrt(square))


def skewed(values: Values) -> bool:
    """Whether the sample is too small for its skewness, by Cochran's rule: n ≤ 25 · skewness²."""
    return len(values) <= COCHRAN * skewness(values) ** 2
