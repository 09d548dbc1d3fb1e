"""Is a team worth it: the whole analysis of one store, as typed tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from results.comparison.comparison import Comparison, survey
from results.frames import Results
from results.verdict.breakeven import BreakEven, Stretch, best_by_price, break_even
from results.verdict.prices import COSTS, Prices
from results.verdict.returns import Return, adjusted, returns
from results.verdict.sentence import sentence
from results.verdict.simulated import Turn, simulated, turns
from results.verdict.tree.confusion import ONE, TEAM, UNDECIDED, Confusion, confusion
from results.verdict.tree.tree import Tree, trees
from results.verdict.verdict import SIMULATED, SINGLE, USE, Verdict, both, verdict

BILLED, UNCACHED = COSTS


@dataclass(frozen=True, eq=False)
class Worth:
    """One scenario. ``returns``: net returns of the teams by way of counting costs (``COSTS``); at a price of score of
    0 where none is given. ``even``: break-even prices of score by way and cell id. ``stretches``: what pays best at
    each price of score, by the means, as billed. ``sentences``: one a team. ``said``: the verdict by either way.
    ``tree``: the decision tree, which knows nothing of the money."""

    comparison: Comparison
    prices: Prices
    returns: Mapping[str, tuple[Return, ...]]
    even: Mapping[str, Mapping[str, BreakEven]]
    stretches: tuple[Stretch, ...]
    said: Mapping[str, Verdict]
    verdict: Verdict
    sentences: tuple[str, ...]
    tree: Tree


@dataclass(frozen=True, eq=False)
class Roi:
    """``worths``: a scenario each. ``turns``: where a simulated verdict flips along a swept parameter. ``confusions``:
    tree against money, real scenarios and simulated ones apart."""

    worths: tuple[Worth, ...]
    turns: tuple[Turn, ...]
    confusions: tuple[Confusion, ...]


def roi(results: Results, experiment: str | None = None, prices: Prices | None = None) -> Roi:
    """Judge every scenario of one experiment (an id or ``last``), or of all in ``results``. Raises as ``compare``."""
    prices = prices or Prices()
    chosen = results if experiment is None else results.of(experiment)
    every, comparisons = survey(chosen)
    grown = trees(every, comparisons, chosen, prices)
    found = {way: _adjusted(comparisons, prices, cost) for way, cost in COSTS.items()}
    worths = tuple(
        _worth(comparison, prices, {way: found[way][i] for way in COSTS}, _teams(comparisons), grown[i])
        for i, comparison in enumerate(comparisons)
    )
    return Roi(worths, _turns(worths, prices), _confusions(worths))


_MONEY = {USE: TEAM, SINGLE: ONE, f"{SIMULATED}team": TEAM, f"{SIMULATED}single": ONE}


def _confusions(worths: Sequence[Worth]) -> tuple[Confusion, ...]:
    """Of real scenarios and of simulated ones, where there are any."""
    by_kind = {
        simulated: [
            (w.tree.team, _MONEY.get(w.verdict.kind, UNDECIDED))
            for w in worths
            if w.comparison.scenario.simulated is simulated
        ]
        for simulated in (False, True)
    }
    return tuple(confusion(said, simulated=simulated) for simulated, said in by_kind.items() if said)


def _teams(comparisons: Sequence[Comparison]) -> int:
    """How many teams of real rows are tested in one analysis."""
    return sum(len(c.scenario.teams) for c in comparisons if not c.scenario.simulated)


def _adjusted(comparisons: Sequence[Comparison], prices: Prices, cost: str) -> list[tuple[Return, ...]]:
    """The returns of every comparison, adjusted over all of them."""
    by_comparison = [returns(c.scenario, prices, prices.score_usd or 0.0, cost) for c in comparisons]
    flat = iter(adjusted([r for some in by_comparison for r in some]))
    return [tuple(next(flat) for _ in some) for some in by_comparison]


def _worth(
    comparison: Comparison, prices: Prices, found: Mapping[str, tuple[Return, ...]], teams: int, tree: Tree
) -> Worth:
    scenario = comparison.scenario
    even = {way: _even(comparison, prices, cost) for way, cost in COSTS.items()}
    said = {
        way: simulated(found[way], scenario, prices, cost)
        if scenario.simulated
        else verdict(scenario, found[way], prices, even[way], cost, teams)
        for way, cost in COSTS.items()
    }
    bridges = {b.cell_id: b for b in comparison.bridges}
    rows = [row for row in comparison.rows if row.cell in scenario.teams]
    told = [sentence(scenario, row, comparison.single, bridges.get(row.cell.cell_id)) for row in rows]
    return Worth(
        comparison,
        prices,
        found,
        even,
        _stretches(comparison, prices),
        said,
        both(said[BILLED], said[UNCACHED]),
        tuple(s for s in told if s is not None),
        tree,
    )


def _even(comparison: Comparison, prices: Prices, cost: str) -> dict[str, BreakEven]:
    found = {t.cell_id: break_even(comparison.scenario, t, prices, cost) for t in comparison.scenario.teams}
    return {cell_id: even for cell_id, even in found.items() if even is not None}


def _stretches(comparison: Comparison, prices: Prices) -> tuple[Stretch, ...]:
    """What is unknown is counted against teams, as in the net returns."""
    scenario, cost = comparison.scenario, COSTS[BILLED]
    lines = []
    for cell in (*scenario.family, *scenario.teams):
        burden = prices.burden(cell, cost, dear=cell in scenario.teams)
        if burden is not None:
            score, taken = (
                float(scenario.by_cluster(v).mean()) for v in (cell.scores(at_best=cell not in scenario.teams), burden)
            )
            lines.append((cell.cell_id, score, taken))
    return best_by_price(lines) if lines else ()


def _turns(worths: Sequence[Worth], prices: Prices) -> tuple[Turn, ...]:
    groups: dict[tuple[str, str], list[Worth]] = {}
    for worth in worths:
        scenario = worth.comparison.scenario
        if scenario.simulated:
            groups.setdefault((scenario.experiment_id, scenario.task), []).append(worth)
    return tuple(
        turn
        for some in groups.values()
        for turn in turns([(w.comparison.scenario, w.returns[BILLED], w.said[BILLED]) for w in some], prices)
    )
