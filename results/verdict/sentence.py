"""The sentence that says why, with its three figures."""

from __future__ import annotations

import numpy as np

from results.bridge import Bridge
from results.comparison.cells import Cell, Scenario
from results.comparison.comparison import Compared
from results.comparison.contrast import Difference, difference
from results.stats import LEVEL
from results.writing import count, counted, usd


def sentence(scenario: Scenario, row: Compared, single: Cell, bridge: Bridge | None) -> str | None:
    """What a run of a team cost, how much of it is coordination, and what the single agent cost and scored on the same
    samples; means a run. In tokens where a cost is unknown. None without a bridge."""
    if bridge is None:
        return None
    if bridge.unmeasured and bridge.pusd is None:
        return f"What a run of {row.cell.label} took beside single is not known: calls of either have no usage."
    terms = bridge.tokens if bridge.pusd is None else bridge.pusd
    figures = (terms.team_total, terms.coordination, terms.single_total)
    spent, talk, alone = (_amount(f / bridge.pairs, bridge.pusd is not None) for f in figures)
    past, verb = ("took", "are") if bridge.pusd is None else ("cost", "is")
    share = "of which nobody knows how much" if bridge.untold else f"of which {talk}"
    pairs = counted(bridge.pairs, "pair of runs", "pairs of runs")
    return (
        f"A run of {row.cell.label} {past} {spent}, {share} {verb} coordination; single {past} {alone} and scored "
        f"{_scored(_on_the_same(scenario, row.cell, single))} (means of {pairs})."
    )


def _on_the_same(scenario: Scenario, team: Cell, single: Cell) -> Difference | None:
    """single − team, on samples of which both have all runs: those that the bridge is about."""
    whole = (team.values["missing"] == 0) & (single.values["missing"] == 0)
    its, mine = (np.where(whole, cell.values["score"], np.nan) for cell in (single, team))
    return difference(scenario, its, mine, scores=True)


def _amount(value: float, money: bool) -> str:
    return f"USD {usd(value / 10**12)}" if money else f"{count(round(value))} tokens"


def _scored(score: Difference | None) -> str:
    """``score``: single − team; None where no sample has all its runs."""
    if score is None:
        return "nobody can say what"
    apart = "the same" if not score.value else f"{abs(score.value):.3f} {'less' if score.value < 0 else 'more'}"
    if score.found is None:
        return apart if score.monte_carlo is None else f"{apart} (Monte-Carlo ± {score.monte_carlo:.3f})"
    if score.found.interval is None:
        return f"{apart} (no interval: {counted(score.clusters, 'cluster')})"
    low, high = score.found.interval.low, score.found.interval.high
    return f"{apart} ({100 * LEVEL:.0f} % CI of single − team {low:+.3f} to {high:+.3f})"
