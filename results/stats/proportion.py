"""The interval of a share."""

from __future__ import annotations

import math

from results.stats.interval import LEVEL, Interval
from results.stats.student import two_sided


def wilson(successes: int, n: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval (J. Am. Stat. Assoc. 22, 1927) of the share successes / n, without continuity correction.
    It is for independent trials, not for clusters. Of no trial it is all from 0 to 1. Raises ValueError unless
    0 ≤ successes ≤ n."""
    from scipy.special import ndtri

    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is no share: successes go from 0 to the number of trials.")
    if n == 0:
        return Interval(0.0, 1.0)
    z = float(ndtri(two_sided(level)))
    share = successes / n
    centre = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    whole = 1 + z * z / n
    # the ends of no success and of nothing but successes are 0 and 1 exactly
    low = 0.0 if successes == 0 else (centre - reach) / whole
    return Interval(low, 1.0 if successes == n else (centre + reach) / whole)
