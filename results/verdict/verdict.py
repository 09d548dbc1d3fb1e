"""The verdict on one scenario, and why it is not another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results.comparison.cells import Cell, Scenario
from results.comparison.contrast import MIN_EFFECT
from results.stats import MIN_CLUSTERS, needed
from results.verdict.breakeven import BreakEven
from results.verdict.budget import EQUAL_BUDGET, has_equal_budget, largest_share
from results.verdict.dominance import dominated, dominates
from results.verdict.prices import Prices
from results.verdict.returns import ALPHA, Return
from results.writing import counted, usd

USE, SINGLE, INCONCLUSIVE = "use", "use single", "inconclusive"
SIMULATED = "sim: "


@dataclass(frozen=True, slots=True)
class Verdict:
    """``kind``: ``use`` (a team: ``team``), ``use single`` or ``inconclusive``; of simulated rows with ``sim: `` before
    ``team`` or ``single``, or ``sim: depends``. ``says``: the words to print. ``why``: one sentence."""

    kind: str
    says: str
    why: str
    team: Cell | None = None


def verdict(
    scenario: Scenario, found: Sequence[Return], prices: Prices, even: Mapping[str, BreakEven], cost: str, teams: int
) -> Verdict:
    """Of real rows, for one way to count costs. ``found``: all teams of the scenario, adjusted over the whole analysis,
    which has ``teams`` of them; ``even``: by cell id."""
    if not found:
        return _unclear("no team with a known cost on samples that it shares with single")
    least = min(r.net.clusters for r in found)
    if least < MIN_CLUSTERS:
        return _unclear(f"{_clusters(least)}, and no interval is honest from fewer than {MIN_CLUSTERS}")
    if prices.score_usd is None:
        return _unpriced(scenario, found, prices, even, cost, teams)
    winners = [r for r in found if r.adjusted is not None and r.adjusted <= ALPHA]
    fair = [r for r in winners if has_equal_budget(scenario, r.team, cost)]
    if fair:
        best = max(fair, key=lambda r: r.net.one)
        return Verdict(USE, f"use {best.team.label}", _gain(best, prices), best.team)
    if winners:
        return _no_baseline(scenario, winners[0].team, cost)
    unjudged = [t.label for t in scenario.teams if t not in [r.team for r in found]]
    if not unjudged and all(r.worse is not None and r.worse <= ALPHA for r in found):
        closest = max(found, key=lambda r: r.net.value)
        return Verdict(SINGLE, SINGLE, f"{_gain(closest, prices)}; it comes closest of {len(found)}")
    best = max(found, key=lambda r: r.net.value)
    if not any(has_equal_budget(scenario, r.team, cost) for r in found):
        return _no_baseline(scenario, best.team, cost)
    if best.unpriced:
        names = ", ".join(m.label for m in best.unpriced)
        return _unclear(f"no cost of {names} is known, and a team has to beat every member of the single family")
    if unjudged:
        return _unclear(f"no cost of {', '.join(unjudged)} is known, so that nothing can be said of all teams")
    return _unclear(_gain(best, prices), _needed(best, prices.score_usd * MIN_EFFECT))


_MORE = {
    False: "Run topologies of the family `single` that spend more in the same sweep",
    True: "Import single agents that spend more on the same samples (--family)",
}


def _no_baseline(scenario: Scenario, team: Cell, cost: str) -> Verdict:
    share = largest_share(scenario, team, cost)
    spent = "one shot of single only" if share is None else f"only one that spends {100 * share:.0f} %"
    return Verdict(
        INCONCLUSIVE,
        "inconclusive: no equal-budget baseline",
        f"a team has to beat one agent that may spend about as much ({100 * EQUAL_BUDGET:.0f} % at least) as "
        f"{team.label}; there is {spent}. {_MORE[scenario.imported]}",
    )


def _unclear(why: str, n: str = "") -> Verdict:
    return Verdict(INCONCLUSIVE, f"inconclusive (default: single{n})", why)


def _needed(found: Return, effect: float) -> str:
    """For finding in four of five experiments what is worth finding: the smallest effect on the score, at its price."""
    if found.net.found is None or not found.net.found.scatter or effect <= 0:
        return ""
    n, here = needed(found.net.found.scatter, effect), found.net.clusters
    if n <= here:
        return f"; {_clusters(here)} would most likely have shown a gain worth {MIN_EFFECT} of score"
    return f"; n needed: {_clusters(n)}, {here:,} here"


def _gain(found: Return, prices: Prices) -> str:
    """The net return with its bounds."""
    bounds = ""
    if found.lower is not None and found.upper is not None:
        bounds = f" (adjusted for all teams: {signed_usd(found.lower)} to {signed_usd(found.upper)})"
    if found.unknown:
        bounds += f", {gaps_said(found)} counted against what is to be shown"
    least = "" if not prices.min_return else f", where {signed_usd(prices.min_return)} is asked for"
    gain = f"net return of {found.team.label} {signed_usd(found.net.value)} a sample against {found.against.label}"
    return gain + bounds + least


def _clusters(n: int) -> str:
    return counted(n, "cluster of samples", "clusters of samples")


def gaps_said(found: Return) -> str:
    """The samples whose cost nobody knows."""
    missing = " or of missing runs" if found.team.missing or found.against.missing else ""
    return f"the cost of {counted(found.unknown, 'sample')}, unknown{missing},"


def signed_usd(value: float) -> str:
    """An amount with its unit, and its sign in front of it."""
    return f"{'-' if value < 0 else '+'}USD {usd(abs(value))}"


def _unpriced(
    scenario: Scenario,
    found: Sequence[Return],
    prices: Prices,
    even: Mapping[str, BreakEven],
    cost: str,
    teams: int,
) -> Verdict:
    """Without a price of score only what holds at any price can be said."""
    sure = [
        r.team
        for r in found
        if dominates(scenario, r.team, prices, cost, teams) and has_equal_budget(scenario, r.team, cost)
    ]
    if sure:
        return Verdict(USE, f"use {sure[0].label}", "at any price of a point of score: better for less", sure[0])
    if len(found) == len(scenario.teams) and all(dominated(scenario, r.team, prices, cost) for r in found):
        return Verdict(SINGLE, SINGLE, "at any price of a point of score: no team scores more, and all take more")
    if not any(has_equal_budget(scenario, r.team, cost) for r in found):
        return _no_baseline(scenario, max(found, key=lambda r: r.net.one).team, cost)
    at = min((e for e in even.values() if not e.never), key=lambda e: e.score_usd, default=None)
    if at is None:
        return _unclear("no price of score is given, and by the means no team pays at any")
    name = next(scenario.cell(c).label for c, e in even.items() if e is at)
    return _unclear(f"no price of score is given: {name} pays from USD {usd(at.score_usd)} a point on, by the means")


def both(one: Verdict, other: Verdict) -> Verdict:
    """The verdict as billed and as if uncached, in one: it holds for both, or says that it does not."""
    if one.kind == other.kind and one.team is other.team:
        apart = "" if one.says == other.says else f"; as if nothing had been cached {other.says}"
        return Verdict(one.kind, one.says + apart, one.why, one.team)
    why = f"as billed: {one.why}; as if uncached: {other.why}"
    says = f"{one.says} as billed, {other.says} as if nothing had been cached"
    if one.kind.startswith(SIMULATED):
        return Verdict(f"{SIMULATED}depends", f"{SIMULATED}depends on what caching saves ({says})", why)
    return Verdict(INCONCLUSIVE, f"inconclusive (default: single; {says})", why)
