"""One figure of one cell against another, on the samples that both have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from results.comparison.cells import Cell, Scenario, Values
from results.stats import Mean, Ratio, mean, needed, ratio, skewed, spread

MIN_EFFECT = 0.05
"""``roi.min_effect``: the smallest difference of scores that is worth finding."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean of (one − other) over clusters of samples. ``one`` and ``other``: their means over the same clusters.

    Of real runs ``found`` has the interval and what tests it; of simulated ones it is None, and ``monte_carlo`` is the
    standard error of the mean: how far another draw of the simulation might lie from it, and no more than that.
    ``n_needed``: clusters for finding MIN_EFFECT in four of five experiments, of real scores only. ``skewed``: so long
    a tail that the interval covers less often than it says (docs/coverage.md).
    """

    value: float
    one: float
    other: float
    samples: int
    clusters: int
    found: Mean | None
    monte_carlo: float | None
    n_needed: int | None = None

    @property
    def skewed(self) -> bool:
        found = self.found
        return found is not None and found.interval is not None and not found.scores and skewed(found.values)


@dataclass(frozen=True, slots=True)
class Quotient:
    """Sum over clusters of one / sum over the same clusters of the other. ``found``: with its Fieller set, of real runs
    only; ``value`` is None where the other's sum is 0."""

    value: float | None
    samples: int
    clusters: int
    found: Ratio | None


def difference(
    scenario: Scenario, one: Values, other: Values, *, scores: bool = False, pseudo: Sequence[float] = ()
) -> Difference | None:
    """``one`` and ``other``: a number for each sample of the scenario. None where they have no sample in common.
    ``scores``, ``pseudo``: as of ``results.stats.mean``."""
    both = ~np.isnan(one) & ~np.isnan(other)
    if not both.any():
        return None
    mine, its = (scenario.by_cluster(np.where(both, v, np.nan)) for v in (one, other))
    apart = mine - its
    found = None if scenario.simulated else mean(apart.tolist(), scores=scores, pseudo=pseudo)
    wanted = None
    if scores and found is not None and found.interval is not None and found.scatter is not None:
        wanted = needed(found.scatter, MIN_EFFECT)
    return Difference(
        value=float(apart.mean()),
        one=float(mine.mean()),
        other=float(its.mean()),
        samples=int(both.sum()),
        clusters=len(apart),
        found=found,
        monte_carlo=spread(apart.tolist()) if scenario.simulated else None,
        n_needed=wanted,
    )


def quotient(scenario: Scenario, one: Values, other: Values) -> Quotient | None:
    """As ``difference``, as a ratio of sums."""
    both = ~np.isnan(one) & ~np.isnan(other)
    if not both.any():
        return None
    mine, its = (scenario.by_cluster(np.where(both, v, np.nan)) for v in (one, other))
    total = float(its.sum())
    return Quotient(
        value=float(mine.sum()) / total if total else None,
        samples=int(both.sum()),
        clusters=len(mine),
        found=None if scenario.simulated or not total else ratio(mine.tolist(), its.tolist()),
    )


def of(scenario: Scenario, metric: str, one: Cell, other: Cell) -> Difference | None:
    """The difference of one metric of two cells."""
    return difference(scenario, one.values[metric], other.values[metric], scores=metric == "score")
