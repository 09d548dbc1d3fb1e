"""Above which price of a point of score a team pays, and what pays best at each price."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from results.comparison.cells import Cell, Scenario
from results.comparison.contrast import Quotient, difference, quotient
from results.verdict.prices import Prices


@dataclass(frozen=True, slots=True)
class BreakEven:
    """From which λ (USD a point of score) a cell's net return is above that of every member of the single family.

    ``score_usd``: the estimate, 0 where it pays at any price, infinite where it pays at none. ``against``: the member
    that decides. ``until``: from which λ on a member that scores more and takes more pays better again (infinite:
    none).
    ``ratio``: Δ burden / Δ score against that member with its set, None where there is no such quotient.
    """

    score_usd: float
    until: float
    against: str
    ratio: Quotient | None

    @property
    def never(self) -> bool:
        return self.score_usd >= self.until


def break_even(scenario: Scenario, cell: Cell, prices: Prices, cost: str) -> BreakEven | None:
    """``cell`` against the family; None where no cost of either is known. What is unknown of some samples is counted
    against the cell (results.verdict.returns)."""
    lowest, until, against, ratio = 0.0, math.inf, "", None
    for member in scenario.family:
        score, its_score = cell.scores(at_best=False), member.scores(at_best=True)
        gained = difference(scenario, score, its_score)
        mine, its = prices.burden(cell, cost, dear=True), prices.burden(member, cost, dear=False)
        paid = None if mine is None or its is None else difference(scenario, mine, its)
        if gained is None or paid is None or mine is None or its is None:
            continue
        against = against or member.cell_id
        net = paid.value + prices.min_return
        if gained.value > 0:
            at = max(net / gained.value, 0.0)
        else:
            at = 0.0 if net < 0 or (net == 0 and gained.value == 0 and prices.min_return < 0) else math.inf
            if gained.value < 0 and net < 0:
                until = min(until, net / gained.value)
        if at > lowest or (at == lowest and ratio is None and gained.value > 0):
            lowest, against = at, member.cell_id
            ratio = quotient(scenario, mine - its + prices.min_return, score - its_score)
    return BreakEven(lowest, until, against, ratio) if against else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """Between these prices of a point of score (USD), this cell has the highest net return."""

    start: float
    end: float
    cell_id: str


def best_by_price(lines: Sequence[tuple[str, float, float]]) -> tuple[Stretch, ...]:
    """``lines``: (cell, mean score, mean burden). Which has the highest λ·score − burden at each λ ≥ 0; of equals, the
    first."""
    found: list[Stretch] = []
    at = 0.0
    name, score, burden = min(lines, key=lambda line: (line[2], -line[1]))
    while True:
        steeper = [(max((b - burden) / (s - score), at), -s, n, s, b) for n, s, b in lines if s > score]
        if not steeper:
            return (*found, Stretch(at, math.inf, name))
        end, _, following, next_score, next_burden = min(steeper, key=lambda x: x[:2])
        if end > at:
            found.append(Stretch(at, end, name))
        at, name, score, burden = end, following, next_score, next_burden
