"""What holds at any price of a point of score: better and cheaper, or neither."""

from __future__ import annotations

from results.comparison.cells import Cell, Scenario
from results.comparison.contrast import difference
from results.stats import LEVEL, Interval
from results.verdict.prices import Prices


def dominated(scenario: Scenario, team: Cell, prices: Prices, cost: str) -> Cell | None:
    """A member of the family that surely scores no less and takes no more (adjusted for the number of members)."""
    for member in scenario.family:
        score, burden = _apart(scenario, team, member, prices, cost, len(scenario.family), easy=True)
        if score is not None and burden is not None and score.high <= 0 <= burden.low + prices.min_return:
            return member
    return None


def dominates(scenario: Scenario, team: Cell, prices: Prices, cost: str, teams: int) -> bool:
    """Whether the team surely scores no less and takes less than every member (adjusted for the number of teams)."""
    apart = [_apart(scenario, team, member, prices, cost, teams, easy=False) for member in scenario.family]
    return bool(apart) and all(
        score is not None and burden is not None and score.low >= 0 > burden.high + prices.min_return
        for score, burden in apart
    )


def _apart(
    scenario: Scenario, team: Cell, member: Cell, prices: Prices, cost: str, tests: int, *, easy: bool
) -> tuple[Interval | None, Interval | None]:
    """Team − member: score, and what it takes, what is unknown in favour of the team (``easy``) or of the member; None
    below 6 clusters, or where no cost is known."""
    level = 1 - (1 - LEVEL) / max(tests, 1)
    mine, its = prices.burden(team, cost, dear=not easy), prices.burden(member, cost, dear=easy)
    if mine is None or its is None:
        return None, None
    found = (
        difference(scenario, team.scores(at_best=easy), member.scores(at_best=not easy), scores=True),
        difference(scenario, mine, its),
    )
    score, burden = (None if d is None or d.found is None else d.found.at(level) for d in found)
    return score, burden
