"""The net return of each team against each member of the single family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from results.comparison.cells import Cell, Scenario
from results.comparison.contrast import Difference, difference
from results.stats import LEVEL, Interval, holm
from results.verdict.prices import Prices

ALPHA = (1 - LEVEL) / 2
"""One-sided: what a two-sided interval of 95 % leaves out at each end."""


@dataclass(frozen=True, slots=True)
class Return:
    """λ·Δscore − h·Δtime − r·Δescaped − Δcost of a team against the member of the family that it beats least surely.

    A team has to beat every member, so the p-value for "better than ``min_return``" is the greatest over them
    (intersection-union), and ``against`` is where it is. ``worse``: the p-value for "below ``min_return`` against some
    member", times the number of members (Bonferroni). Both None where a member has fewer than 6 clusters in common.
    ``lower`` and ``upper``: bounds of ``net`` that hold for all teams at once (Holm); set when all are known.
    """

    team: Cell
    against: Cell
    net: Difference
    better: float | None
    worse: float | None
    lower: float | None = None
    upper: float | None = None
    adjusted: float | None = None


def returns(scenario: Scenario, prices: Prices, score_usd: float, cost: str) -> tuple[Return, ...]:
    """One for each team whose cost is known on samples that it shares with a member; in the order of the sweep."""
    found = []
    for team in scenario.teams:
        against = [(m, net_difference(scenario, team, m, prices, score_usd, cost)) for m in scenario.family]
        known = [(m, d) for m, d in against if d is not None]
        if known:
            found.append(_return(team, known, prices.min_return))
    return tuple(found)


def net_difference(
    scenario: Scenario, team: Cell, member: Cell, prices: Prices, score_usd: float, cost: str
) -> Difference | None:
    """Team − member. To the part that is a difference of scores two pseudo-differences are added as to any other: one
    whole point more and one less, at its price, of which all else is average."""
    mine, its = (prices.net(c, cost, score_usd) for c in (team, member))
    rest = scenario.by_cluster(prices.burden(member, cost) - prices.burden(team, cost))
    if not len(rest):
        return None
    ends = (float(rest.mean()) + score_usd, float(rest.mean()) - score_usd)
    return difference(scenario, mine, its, pseudo=ends if score_usd else ())


def _return(team: Cell, known: Sequence[tuple[Cell, Difference]], margin: float) -> Return:
    tested = [(d.found.p_above(margin), d.found.p_below(margin)) for _, d in known if d.found is not None]
    sure = [(up, down) for up, down in tested if up is not None and down is not None]
    if len(sure) < len(known):  # simulated, or too few clusters: the member with the highest net return decides
        member, net = min(known, key=lambda pair: pair[1].value)
        return Return(team, member, net, None, None)
    worst = max(range(len(sure)), key=lambda i: (sure[i][0], -known[i][1].value))
    member, net = known[worst]
    return Return(team, member, net, sure[worst][0], min(1.0, len(sure) * min(down for _, down in sure)))


def adjusted(found: Sequence[Return]) -> list[Return]:
    """All teams of an analysis, their bounds widened for being several (Holm's steps), where there are any."""
    at = [i for i, r in enumerate(found) if r.better is not None]
    made = list(found)
    p_values = [found[i].better or 0.0 for i in at]
    order = sorted(range(len(at)), key=lambda k: p_values[k])
    for rank, k in enumerate(order):
        r = found[at[k]]
        bounds = _interval(r.net, 1 - 2 * ALPHA / (len(at) - rank))
        made[at[k]] = Return(r.team, r.against, r.net, r.better, r.worse, bounds.low, bounds.high, holm(p_values)[k])
    return made


def _interval(net: Difference, level: float) -> Interval:
    assert net.found is not None
    wider = net.found.at(level)
    assert wider is not None
    return wider
