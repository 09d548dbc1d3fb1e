"""The difference of two means of different samples: those of one kind against those of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from results.stats import LEVEL, MIN_CLUSTERS, Interval, Mean, mean, spread
from results.stats.student import beyond, quantile


@dataclass(frozen=True, slots=True)
class Between:
    """Mean of the one kind − mean of the other (``one`` and ``other``: these means), each over clusters of samples;
    ``samples``: of either kind.

    Of real runs ``interval`` is Welch's, with his degrees of freedom, from the standard errors of both sides (scores:
    with the added ±1 on each); None where either side has fewer than 6 clusters. A cluster that has samples of both
    kinds is on both sides; what makes its samples alike then makes the interval too wide, never too narrow. Of
    simulated runs ``monte_carlo`` is how far another draw of the simulation might lie from it.
    """

    value: float
    one: float
    other: float
    samples: tuple[int, int]
    clusters: tuple[int, int]
    centre: float
    se: float | None
    df: float
    monte_carlo: float | None

    @property
    def interval(self) -> Interval | None:
        if self.se is None:
            return None
        half = quantile(self.df, LEVEL) * self.se
        return Interval(self.centre - half, self.centre + half)

    def p_above(self, margin: float) -> float | None:
        """One-sided p-value for "above ``margin``"."""
        return None if self.se is None else beyond(self.df, (self.centre - margin) / self.se)


def between(
    one: Sequence[float], other: Sequence[float], *, samples: tuple[int, int], simulated: bool
) -> Between | None:
    """``one`` and ``other``: differences of scores, one a cluster, of so many ``samples``. None where a side is
    empty."""
    if not one or not other:
        return None
    if simulated:
        return _simulated(one, other, samples)
    mine, its = mean(one, scores=True), mean(other, scores=True)
    se, df = _welch(mine, its)
    value, centre = mine.value - its.value, mine.centre - its.centre
    return Between(value, mine.value, its.value, samples, (mine.n, its.n), centre, se, df, None)


def _simulated(one: Sequence[float], other: Sequence[float], samples: tuple[int, int]) -> Between:
    mine, its = math.fsum(one) / len(one), math.fsum(other) / len(other)
    spreads = [s for s in (spread(one), spread(other)) if s is not None]
    around = math.hypot(*spreads) if len(spreads) == 2 else None
    return Between(mine - its, mine, its, samples, (len(one), len(other)), mine - its, None, 0.0, around)


def _welch(mine: Mean, its: Mean) -> tuple[float | None, float]:
    """Standard error of the difference, and the degrees of freedom by Welch and Satterthwaite."""
    if mine.n < MIN_CLUSTERS or its.n < MIN_CLUSTERS or mine.se is None or its.se is None:
        return None, 0.0
    a, b = mine.se**2, its.se**2  # never 0, since 1 and −1 are among the values
    return math.sqrt(a + b), (a + b) ** 2 / (a**2 / mine.df + b**2 / its.df)
