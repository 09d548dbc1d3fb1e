"""The studentised bootstrap (percentile-t): a second opinion on an interval of a mean.

Clusters are drawn with replacement; of each draw t = (centre − mean of the data) / standard error is worked out as for
the interval itself, and the quantiles of these t take the place of Student's (Efron & Tibshirani, An Introduction to
the Bootstrap, 1993, section 12.5). It follows skewed data, which Student's t does not.

A draw of equal values has no standard error: its t is +∞ or −∞, or 0 where it hits the mean. Where there are many such
draws, an end of the interval is infinite: with six clusters of which one only differs, nothing can be said about how
much that one would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from results.stats.interval import Interval
from results.stats.student import two_sided
from results.stats.values import average, deviation

DRAWS = 2000
SEED = 20_020
"""Of numpy's PCG64: the same draws for the same number of clusters, everywhere."""
_AT_ONCE = 1 << 20
"""Numbers drawn at a time, which bounds the memory."""
_KEPT = 500
"""Clusters up to which the places drawn are kept: 8 MB."""
_NOISE = 1e-12
"""What is smaller than this share of the square is 0, rounded."""


def studentised(values: Sequence[float], level: float) -> Interval:
    """Of at least two finite values, in their unit; pseudo-values are drawn like all others. Values that are all equal
    have an interval of no width."""
    spread = deviation(values)
    mean = average(values)
    if not spread:
        return Interval(mean, mean)
    data = np.sort(np.asarray(values, np.float64)) - mean  # sorted: the order of the clusters must not matter
    t = np.sort(np.concatenate([_t(data[places]) for places in _places(len(data))]))
    tail = max(int((DRAWS + 1) * (1 - two_sided(level))) - 1, 0)
    error = spread / len(data) ** 0.5
    return Interval(float(mean - t[DRAWS - 1 - tail] * error), float(mean - t[tail] * error))


def _places(n: int) -> Iterable[npt.NDArray[np.int64]]:
    """Which clusters are drawn: DRAWS rows of n places, in pieces."""
    return _kept(n) if n <= _KEPT else _pieces(n)


@lru_cache(maxsize=4)
def _kept(n: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Few clusters are the common case, and several measures of the same clusters are looked at one after another."""
    return tuple(_pieces(n))


def _pieces(n: int) -> Iterator[npt.NDArray[np.int64]]:
    random = np.random.Generator(np.random.PCG64(SEED))
    step = max(1, _AT_ONCE // n)
    for done in range(0, DRAWS, step):
        yield random.integers(0, n, (min(step, DRAWS - done), n))


def _t(drawn: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Of each row; the values are relative to the mean of the data."""
    n = drawn.shape[1]
    centre = drawn.mean(axis=1)
    square = np.einsum("ij,ij->i", drawn, drawn) / n
    variance = square - centre * centre
    variance[variance <= _NOISE * square] = 0.0
    centre[np.abs(centre) <= _NOISE * np.sqrt(square)] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        t = centre / np.sqrt(variance / (n - 1))
    return np.where(np.isnan(t), 0.0, t)
