"""What a result is worth, in USD: there are no default prices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.errors import HarnessError
from results.comparison.cells import Cell, Values, assumed

MOST_USD = 10**9
"""No result of one sample is worth more, and figures stay in range."""
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
            least = -MOST_USD if name == "min_return" else 0
            if value is not None and not least <= value <= MOST_USD:
                raise HarnessError(f"{name} must be a number of USD from {least:,} to {MOST_USD:,}, got {value}.")

    def burden(self, cell: Cell, cost: str, *, dear: bool | None = None) -> Values | None:
        """What a sample takes, in USD, whatever its score is worth: money, time and answers that should not have been
        delivered. Where any of it is unknown: NaN, or as much as the dearest sample (``dear``), or no money and no
        time; then None where nothing is known."""
        values = cell.values
        taken = values[cost] + self.hour_usd * values["wall_s"] / 3600 if self.hour_usd else values[cost]
        if dear is not None:
            without_gaps = assumed(taken, cell.has, dear=dear)
            if without_gaps is None:
                return None
            taken = without_gaps
        return np.asarray(taken + self.escape_usd * values["escaped"], np.float64)
