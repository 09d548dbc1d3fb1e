"""Values so skewed that an interval of their mean holds the truth less often than it says."""

from __future__ import annotations

import math

from results.stats.values import Values, average, finite

COCHRAN = 25
"""Clusters needed for each unit of squared skewness, if a 95 % interval of the mean is to miss in at most 6 % of
experiments: Cochran, Sampling Techniques, 3rd edition, 1977, section 2.15."""

LOGNORMAL = {6: 0.773, 10: 0.799, 30: 0.843, 200: 0.917}
"""Clusters → share of 95 % intervals that hold the mean difference of log-normal costs (docs/coverage.md, sd 1.0 of the
log). The truth that is missed is larger than the interval says, nearly always."""


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
    """Whether the sample is too small for its skewness, by Cochran's rule: n ≤ 25 · skewness².

    It is for intervals of a plain mean, of costs, tokens or durations and their differences. Scores need no such label
    (their pseudo-values see to it), and neither do ratios: Fieller's set holds the truth of log-normal costs as well.
    Most samples of log-normal costs are labelled, and so are some of the normal distribution, where the label does no
    harm: 43 % with 6 clusters, 26 % with 10, 1 % with 30. Raises ValueError as ``skewness``.
    """
    return len(values) <= COCHRAN * skewness(values) ** 2


def lognormal_coverage(n: int) -> float:
    """About how often a 95 % interval of n clusters holds the truth if they are log-normal, a share: what to say beside
    one that is labelled ``skewed``. It is that of the next smaller size measured. Raises ValueError below the smallest,
    where there is no interval."""
    sizes = [size for size in LOGNORMAL if size <= n]
    if not sizes:
        raise ValueError(f"with {n} clusters there is no interval, and no telling how often it holds the truth.")
    return LOGNORMAL[max(sizes)]
