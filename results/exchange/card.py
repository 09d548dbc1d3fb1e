"""What a model costs, for rows that have tokens and no USD: two rates, exact."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from harness.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Card:
    """USD per million tokens read (``input``) and written (``output``)."""

    input: float
    output: float

    def __post_init__(self) -> None:
        for name in ("input", "output"):
            value = getattr(self, name)
            if not 0 <= value < math.inf:
                raise ConfigError(f"price: {name}={value}: must be a finite USD amount of at least 0.")
        if not self.input > 0 and not self.output > 0:
            raise ConfigError("price: input and output are both 0; leave the price out where it is not known.")

    def pusd(self, read: int, written: int) -> tuple[Fraction, Fraction]:
        """Of tokens read, and of tokens written: 1 USD a million tokens is 10⁶ pUSD a token."""
        return read * Fraction(str(self.input)) * 10**6, written * Fraction(str(self.output)) * 10**6


def nearest(exact: Fraction) -> int:
    """The nearest whole number of picodollars, halves up."""
    return math.floor(exact + Fraction(1, 2))
