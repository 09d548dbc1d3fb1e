"""Whether the single family has been given as much to spend as a team."""

from __future__ import annotations

import numpy as np

from results.bridge import BASELINE
from results.comparison.cells import Cell, Scenario

EQUAL_BUDGET = 0.5
"""A member that spends at least this share of what the team spends counts as its equal-budget baseline: what more would
have bought is then a step along a flattening curve. An assumption; `single` itself, one shot of one agent, has to spend
as much as the team."""


def largest_share(scenario: Scenario, team: Cell, cost: str) -> float | None:
    """The largest share of the team's mean cost that a member of the family spends on the same samples, `single` not
    counted unless it spends as much; None where there is no such member of known cost."""
    shares = []
    for member in scenario.family:
        both = ~np.isnan(team.values[cost]) & ~np.isnan(member.values[cost])
        spent, its = (float(c.values[cost][both].sum()) for c in (team, member))
        if both.any() and (member.topology != BASELINE or its >= spent):
            shares.append(its / spent if spent else 1.0)
    return max(shares, default=None)


def has_equal_budget(scenario: Scenario, team: Cell, cost: str) -> bool:
    """Whether some member spends at least ``EQUAL_BUDGET`` of what the team does."""
    share = largest_share(scenario, team, cost)
    return share is not None and share >= EQUAL_BUDGET
