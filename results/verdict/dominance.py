"""What holds at any price of a point of score: better and cheaper, or neither."""

from __future__ import annotations

from results.comparison.cells import Cell, Scenario
from results.comparison.contrast import difference
from results.stats import LEVEL, Interval
from results.verdict.prices import Prices


def dominated(scenario: Scenario, team: Cell, prices: Prices, cost: str) -> Cell | None:
    """A member of the family that surely scores no less and takes no more (adjusted for the number of members)."""
    for member in scenario.family:
        score, burden = _apart(scenario, team, member, prices, cost, len(scenario.family))
        if score is not None and burden is not None and score.high <= 0 <= burden.low + prices.min_return:
            return member
    return None


def dominates(scenario: Scenario, team: Cell, prices: Prices, cost: str, teams: int) -> bool:
    """Whether the team surely scores no less and takes less than every member (adjusted for the number of teams)."""
    apart = [_apart(scenario, team, member, prices, cost, teams) for member in scenario.family]
    return bool(apart) and all(
        score is not None and burden is not None and score.low >= 0 > burden.high + prices.min_return
        for score, burden in apart
    )


def _apart(
    scenario: Scenario, team: Cell, member: Cell, prices: Prices, cost: str, tests: int
) -> tuple[Interval | None, Interval | None]:
    """Team − member: score, and what it takes; None below 6 clusters."""
    level = 1 - (1 - LEVEL) / max(tests, 1)
    paid = prices.burden(team, cost) - prices.burden(member, cost)
    found = (
        difference(scenario, team.values["score"], member.values["score"], scores=True),
        difference(scenario, paid, paid * 0),
    )
    score, burden = (None if d is None or d.found is None else d.found.at(level) for d in found)
    return score, burden
