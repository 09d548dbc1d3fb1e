"""An interval, and what every interval here has in common."""

from __future__ import annotations

import math
from dataclasses import dataclass

LEVEL = 0.95
"""Share of intervals that should hold the truth."""
MIN_CLUSTERS = 6
"""With fewer clusters nothing is said but the figure itself: a t interval of five clusters is as wide as 1.24 standard
deviations to either side, and whether its assumptions hold cannot be seen from five numbers."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``low`` to ``high``, both included; either may be infinite. Raises ValueError for NaN and for low > high."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if math.isnan(self.low) or math.isnan(self.high) or self.low > self.high:
            raise ValueError(f"no interval goes from {self.low} to {self.high}.")

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def above(self, value: float) -> bool:
        """Whether the whole interval lies above this value."""
        return self.low > value

    def below(self, value: float) -> bool:
        """Whether the whole interval lies below this value."""
        return self.high < value
