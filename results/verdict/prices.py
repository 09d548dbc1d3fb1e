"""What a result is worth, in USD: there are no default prices."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from harness.errors import HarnessError
from results.comparison.cells import Cell, Values

COSTS = {"billed": "usd", "as if uncached": "uncached_usd"}
"""Both ways to count what was paid; a verdict holds for both, or says so."""


@dataclass(frozen=True, slots=True)
class Prices:
    """``score_usd``: of one whole point of score of one sample (λ), None: not said. ``hour_usd``: of an hour of
    wall-clock. ``escape_usd``: of an answer that was delivered and did not pass. ``min_return``: USD a sample by which
    something else than the single family must be better (``roi.min_return``)."""

    score_usd: float | None = None
    hour_usd: float = 0.0
    escape_usd: float = 0.0
    min_return: float = 0.0

    def __post_init__(self) -> None:
        for name in ("score_usd", "hour_usd", "escape_usd", "min_return"):
            value = getattr(self, name)
            if value is not None and (not math.isfinite(value) or (value < 0 and name != "min_return")):
                raise HarnessError(f"{name} must be a finite number of USD, not negative, got {value}.")

    def burden(self, cell: Cell, cost: str) -> Values:
        """What a sample takes, in USD, whatever its score is worth: money, time and answers that should not have been
        delivered. NaN where any of it is unknown that has a price."""
        values = cell.values
        time = self.hour_usd * values["wall_s"] / 3600 if self.hour_usd else 0.0
        return np.asarray(values[cost] + time + self.escape_usd * values["escaped"], np.float64)

    def net(self, cell: Cell, cost: str, score_usd: float) -> Values:
        """λ·score − h·time − r·escaped − cost, in USD, for each sample."""
        return np.asarray(score_usd * cell.values["score"] - self.burden(cell, cost), np.float64)
