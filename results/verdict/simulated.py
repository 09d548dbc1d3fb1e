"""What simulated rows say: which would win under the declared behaviour, and which parameter would turn it.

No interval and no test: the means decide, and a verdict that turns within a sweep of one parameter says where.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from results.comparison.cells import Cell, Scenario
from results.verdict.breakeven import BreakEven, break_even
from results.verdict.prices import Prices
from results.verdict.returns import Return
from results.verdict.verdict import Verdict, gaps_said, signed_usd
from results.writing import usd

PRICE = "USD a point of score"


def simulated(found: Sequence[Return], scenario: Scenario, prices: Prices, cost: str) -> Verdict:
    """One scenario. Without a price of score, that price is the parameter that the verdict depends on."""
    if not found:
        return Verdict("sim: single", "sim: single", "no team has a known cost on samples that it shares with single")
    if prices.score_usd is None:
        return _by_price(scenario, prices, cost)
    best = max(found, key=lambda r: r.net.value)
    why = f"net return of {best.team.label} {signed_usd(best.net.value)} a sample against {best.against.label}"
    if best.net.monte_carlo is not None:
        why += f", Monte-Carlo ± {usd(best.net.monte_carlo)}"
    if best.unknown:
        why += f", {gaps_said(best)} counted against it"
    if best.net.value > prices.min_return and not best.unpriced:
        return Verdict("sim: team", f"sim: {best.team.label}{_near(best, prices)}", why, best.team)
    if all(r.at_best.value <= prices.min_return for r in found) and len(found) == len(scenario.teams):
        return Verdict("sim: single", f"sim: single{_near(best, prices)}", why)
    return Verdict("sim: depends", "sim: depends on costs that are not known", why)


def _near(found: Return, prices: Prices) -> str:
    """Whether another draw of the simulation could well turn it."""
    if found.net.monte_carlo is None:
        return " (one cluster of samples: no spread is known)"
    close = abs(found.net.value - prices.min_return) < found.net.monte_carlo
    return " (within the Monte-Carlo spread)" if close else ""


def _by_price(scenario: Scenario, prices: Prices, cost: str) -> Verdict:
    even: list[tuple[BreakEven, Cell]] = []
    for team in scenario.teams:
        found = break_even(scenario, team, prices, cost)
        if found is not None and not found.never:
            even.append((found, team))
    if not even:
        return Verdict("sim: single", "sim: single", "no team pays at any price of a point of score")
    first, team = min(even, key=lambda e: e[0].score_usd)
    if not first.score_usd:
        return Verdict("sim: team", f"sim: {team.label}", "it costs less and scores no less", team)
    return Verdict(
        "sim: depends",
        f"sim: depends on {PRICE} (flips at {usd(first.score_usd)})",
        f"below it nothing beats the single family, above it {team.label} does",
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """A verdict that turns along a swept parameter: between ``before`` and ``after`` (its values), at ``at`` if the
    best team's advantage is a straight line in between."""

    parameter: str
    before: float
    after: float
    at: float
    first: str
    then: str


def turns(swept: Sequence[tuple[Scenario, Sequence[Return], Verdict]], prices: Prices) -> tuple[Turn, ...]:
    """``swept``: scenarios of one experiment and task. A turn for each two neighbours along one numeric parameter, all
    other settings equal, whose verdicts differ."""
    found = []
    lines: dict[tuple[str, str], list[tuple[float, Sequence[Return], Verdict]]] = {}
    for scenario, returns, said in swept:
        setting = json.loads(scenario.setting)
        for key, value in setting.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                rest = json.dumps({k: v for k, v in setting.items() if k != key}, sort_keys=True)
                lines.setdefault((key, rest), []).append((float(value), returns, said))
    for (key, _), points in lines.items():
        points.sort(key=lambda p: p[0])
        for (x, one, said), (y, other, then) in pairwise(points):
            if (said.kind, said.team and said.team.label) != (then.kind, then.team and then.team.label):
                found.append(
                    Turn(key, x, y, _crossing(x, _edge(one, prices), y, _edge(other, prices)), said.says, then.says)
                )
    return tuple(found)


def _edge(found: Sequence[Return], prices: Prices) -> float:
    """By how much the best team is better than what is asked for, in USD a sample."""
    return max((r.net.value for r in found), default=0.0) - prices.min_return


def _crossing(x: float, at_x: float, y: float, at_y: float) -> float:
    """Where the line through both is 0; half-way where it is not between them (one team in place of another)."""
    if (at_x > 0) == (at_y > 0):
        return (x + y) / 2
    return x + (y - x) * at_x / (at_x - at_y)
