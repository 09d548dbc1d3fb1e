"""The net return of each team against each member of the single family.

No sample is left out because its cost is unknown (a run that failed while a provider was silent, or that is missing):
its score would leave with it. What is unknown is taken against what is to be shown. For a team that is to be better:
it takes as much there as on its dearest sample and the family nothing, its own missing runs have failed and those of
the family have solved all; and the reverse for a team that is to be worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

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
    ``net``: with unknown costs taken against the team; ``at_best``: in its favour, against the same member.
    ``unknown``: samples of the team or of that member whose cost is not known, those of missing runs among them.
    ``unpriced``: members of which no cost is known at all: against them nothing can be shown. ``lower`` and ``upper``:
    bounds of ``net`` and ``at_best`` that hold for all teams at once (Holm).
    """

    team: Cell
    against: Cell
    net: Difference
    at_best: Difference
    better: float | None
    worse: float | None
    unknown: int
    unpriced: tuple[Cell, ...]
    lower: float | None = None
    upper: float | None = None
    adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class _Against:
    member: Cell
    hard: Difference
    easy: Difference


def returns(scenario: Scenario, prices: Prices, score_usd: float, cost: str) -> tuple[Return, ...]:
    """One for each team of which some cost is known, in the order of the sweep."""
    found = []
    for team in scenario.teams:
        against = [
            _Against(m, hard, easy)
            for m in scenario.family
            if (hard := net_difference(scenario, team, m, prices, score_usd, cost, easy=False)) is not None
            and (easy := net_difference(scenario, team, m, prices, score_usd, cost, easy=True)) is not None
        ]
        judged = [a.member for a in against]
        if against:
            unpriced = tuple(m for m in scenario.family if m not in judged)
            found.append(_return(team, against, unpriced, prices.min_return, cost))
    return tuple(found)


def net_difference(
    scenario: Scenario, team: Cell, member: Cell, prices: Prices, score_usd: float, cost: str, *, easy: bool
) -> Difference | None:
    """Team − member, with what is unknown in favour of the team (``easy``) or of the member; None where either has no
    known cost. To the part that is a difference of scores two pseudo-differences are added as to any other: one whole
    point more and one less, at its price, of which all else is average."""
    mine, its = prices.burden(team, cost, dear=not easy), prices.burden(member, cost, dear=easy)
    if mine is None or its is None:
        return None
    rest = scenario.by_cluster(its - mine)
    if not len(rest):
        return None
    ends = (float(rest.mean()) + score_usd, float(rest.mean()) - score_usd)
    return difference(
        scenario,
        score_usd * team.scores(at_best=easy) - mine,
        score_usd * member.scores(at_best=not easy) - its,
        pseudo=ends if score_usd else (),
    )


def _return(team: Cell, against: Sequence[_Against], unpriced: tuple[Cell, ...], margin: float, cost: str) -> Return:
    up = [a.hard.found.p_above(margin) if a.hard.found is not None else None for a in against]
    down = [a.easy.found.p_below(margin) if a.easy.found is not None else None for a in against]
    better = [p for p in up if p is not None]
    worse = [p for p in down if p is not None]
    if len(better) < len(up):  # simulated, or too few clusters: the member with the highest net return decides
        least = min(against, key=lambda a: a.hard.value)
        p_better = p_worse = None
    else:
        least = against[max(range(len(up)), key=lambda i: (better[i], -against[i].hard.value))]
        p_better, p_worse = 1.0 if unpriced else max(better), min(1.0, len(worse) * min(worse))
    unknown = int((_gaps(team, cost) | _gaps(least.member, cost)).sum())
    return Return(team, least.member, least.hard, least.easy, p_better, p_worse, unknown, unpriced)


def _gaps(cell: Cell, cost: str) -> np.typing.NDArray[np.bool_]:
    return np.asarray(cell.has & np.isnan(cell.values[cost]), np.bool_)


def adjusted(found: Sequence[Return]) -> list[Return]:
    """All teams of an analysis, their bounds widened for being several (Holm's steps), where there are any."""
    at = [i for i, r in enumerate(found) if r.better is not None]
    made = list(found)
    p_values = [found[i].better or 0.0 for i in at]
    together = holm(p_values)
    for rank, k in enumerate(sorted(range(len(at)), key=lambda k: p_values[k])):
        r, level = found[at[k]], 1 - 2 * ALPHA / (len(at) - rank)
        made[at[k]] = replace(
            r, lower=_interval(r.net, level).low, upper=_interval(r.at_best, level).high, adjusted=together[k]
        )
    return made


def _interval(net: Difference, level: float) -> Interval:
    assert net.found is not None
    wider = net.found.at(level)
    assert wider is not None
    return wider
