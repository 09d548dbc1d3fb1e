"""What happened in one company's year, before anybody wrote it down: every figure, and how each month will be told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from tasks.monthly_figures.material.lexicon import CENT

MONTHS = 12
MOST_MISSING = 6
"""Of one company's months. Whoever reads one amount and calls all other months missing gets (1 + missing) / 12."""
PLAIN, TABLE, CORRECTED, SPLIT, MISSING = "plain", "table", "corrected", "split", "missing"
"""How a month is told: by a sentence, by a row of a table, by a figure and its correction, in two parts, not at all."""
LOW, HIGH = 2_000, 90_000
"""Bounds of an amount, in hundredths of the wanted unit."""


class Amounts:
    """Amounts no two of which are the same, half of them with a 0 as the second decimal."""

    def __init__(self, draws: Random) -> None:
        self._draws = draws
        self._used: set[int] = set()

    def kept(self) -> Decimal:
        """A new amount, which will not come again."""
        amount = self._new()
        self._used.add(amount)
        return amount * CENT

    def passing(self) -> Decimal:
        """An amount that is none of those kept so far, and may come again."""
        return self._new() * CENT

    def _new(self) -> int:
        while True:
            drawn = self._draws.randrange(LOW, HIGH)
            amount = drawn - drawn % 10 if self._draws.random() < 0.5 else drawn
            if amount not in self._used:
                return amount


@dataclass(frozen=True)
class Year:
    """By month (1 to 12), in the wanted unit: ``closed``, also where the papers will not tell; ``planned``; ``before``,
    closed the year before; ``first``, what is told first of a month that is told twice (the figure that is corrected
    later, or one of two deals). ``kinds``: how each month is told."""

    year: int
    closed: dict[int, Decimal]
    planned: dict[int, Decimal]
    before: dict[int, Decimal]
    first: dict[int, Decimal]
    kinds: dict[int, str]

    def total(self, months: Iterable[int]) -> Decimal:
        """What was closed in these months together."""
        return sum((self.closed[month] for month in months), Decimal(0))


def drawn(draws: Random, amounts: Amounts, missing: int) -> Year:
    """A year with so many missing months, 0 to 11. Of the others, a quarter each is told by a correction, in two parts
    and in a table, as far as quarters are whole; the rest by a sentence."""
    months = draws.sample(range(1, MONTHS + 1), MONTHS)
    gone, told = months[:missing], months[missing:]
    quarter = len(told) // 4
    kinds = dict.fromkeys(gone, MISSING)
    for i, month in enumerate(told):
        kinds[month] = (CORRECTED, SPLIT, TABLE)[i // quarter] if quarter and i < 3 * quarter else PLAIN
    every = range(1, MONTHS + 1)
    closed = {month: amounts.kept() for month in every}
    first = {month: amounts.kept() for month in every if kinds[month] == CORRECTED}
    for month in every:
        if kinds[month] == SPLIT:
            first[month] = amounts.kept()
            closed[month] += first[month]
    return Year(
        year=draws.randrange(2012, 2025),
        closed=closed,
        planned={month: amounts.kept() for month in every},
        before={month: amounts.kept() for month in every},
        first=first,
        kinds={month: kinds[month] for month in every},
    )
