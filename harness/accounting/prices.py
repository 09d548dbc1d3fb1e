"""Prices: what one usage costs, as exact rates and as the provider's total."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Protocol

from harness.accounting.usage import Usage
from harness.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Rates:
    """Picodollars per token as integers over one common denominator ``unit``: exact, and integer arithmetic only."""

    plain: int
    read: int
    write: int
    write_long: int
    output: int
    reasoning: int
    unit: int = 1


def nearest(numerator: int, denominator: int) -> int:
    """The nearest integer to a quotient of non-negative integers, halves up, without floating point."""
    return (2 * numerator + denominator) // (2 * denominator)


@dataclass(frozen=True, slots=True)
class Bill:
    """What an attempt costs. ``total_pusd``: the provider's own total; ``uncached_pusd``: the same usage had nothing
    been read from or written to a cache."""

    rates: Rates
    total_pusd: int
    uncached_pusd: int


class Pricing(Protocol):
    """The prices of one model."""

    def bill(self, usage: Usage) -> Bill | None:
        """The bill for one usage; None when the model has no known price (which is not a price of zero)."""


@dataclass(frozen=True, slots=True)
class PriceCard:
    """USD per million tokens. ``cached_input`` and the cache-write rates default to ``input``, ``cache_write_long`` to
    ``cache_write``, ``reasoning`` to ``output``."""

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    cache_write_long: float | None = None
    reasoning: float | None = None

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if value is not None and not 0 <= value < float("inf"):
                raise ConfigError(f"price card: {f.name}={value}: must be a finite USD amount of at least 0.")
        if not self.input > 0 and not self.output > 0:
            raise ConfigError("price card: input and output are both 0; leave the card out for an unpriced model.")


class UnpricedModel:
    """Pricing of a model with no known price: every cost is null."""

    def bill(self, usage: Usage) -> Bill | None:
        return None


class CardPricing:
    """Exact billing by a price card."""

    def __init__(self, card: PriceCard) -> None:
        def rate(*choices: float | None) -> Fraction:
            usd_per_million = next(c for c in choices if c is not None)
            return Fraction(str(usd_per_million)) * 10**6  # 1 USD a million tokens = 10⁶ pUSD a token

        exact = (
            rate(card.input),
            rate(card.cached_input, card.input),
            rate(card.cache_write, card.input),
            rate(card.cache_write_long, card.cache_write, card.input),
            rate(card.output),
            rate(card.reasoning, card.output),
        )
        unit = math.lcm(*(f.denominator for f in exact))
        plain, read, write, write_long, output, reasoning = (int(f * unit) for f in exact)
        self._rates = Rates(plain, read, write, write_long, output, reasoning, unit)

    def bill(self, usage: Usage) -> Bill:
        r = self._rates
        output = (usage.completion_tokens - usage.reasoning_tokens) * r.output + usage.reasoning_tokens * r.reasoning
        short = usage.cache_write_tokens - usage.cache_write_long_tokens
        plain = usage.prompt_tokens - usage.cached_tokens - usage.cache_write_tokens
        prompt = (
            plain * r.plain
            + usage.cached_tokens * r.read
            + short * r.write
            + usage.cache_write_long_tokens * r.write_long
        )
        return Bill(r, nearest(prompt + output, r.unit), nearest(usage.prompt_tokens * r.plain + output, r.unit))
