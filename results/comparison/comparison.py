"""Every cell against ``single``, on the same samples: score, tokens, money, time, equal money, equal quality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.errors import StoreError
from results.bridge import BASELINE, Bridge, bridges
from results.comparison.cells import Cell, Scenario, scenarios
from results.comparison.contrast import Difference, Quotient, of, quotient
from results.comparison.equal import Equal, equal, point, shared_samples
from results.comparison.hull import front
from results.frames import Results
from results.tally import tallied


@dataclass(frozen=True, eq=False)
class Compared:
    """One cell against ``single``. Ratios are this cell / single, of sums, ``extra_…`` this cell − single, a sample;
    ``usd`` as billed, ``uncached_usd`` as if nothing had been cached; None where no sample has both. ``equal`` and
    ``equal_uncached``: against the single family by either cost; None where a cost is unknown. ``on_front``: whether no
    other cell costs no more and scores as much; None likewise."""

    cell: Cell
    score: Difference
    tokens: Quotient | None
    usd: Quotient | None
    uncached_usd: Quotient | None
    wall: Quotient | None
    extra_tokens: Difference | None
    extra_usd: Difference | None
    extra_uncached_usd: Difference | None
    extra_wall_s: Difference | None
    equal: Equal | None
    equal_uncached: Equal | None
    on_front: bool | None


@dataclass(frozen=True, eq=False)
class Comparison:
    """One scenario. ``rows``: every cell that shares samples with ``single``, but for itself. ``apart``: labels of
    cells that share none. ``bridges``: of its teams. ``single_on_front``: as of any other cell."""

    scenario: Scenario
    single: Cell
    rows: tuple[Compared, ...]
    apart: tuple[str, ...]
    bridges: tuple[Bridge, ...]
    single_on_front: bool | None = None

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Labels of cells with a run whose cost is not wholly known."""
        return tuple(c.label for c in self.scenario.cells if c.unpriced)

    @property
    def short(self) -> tuple[Cell, ...]:
        """Cells with missing runs: what these would have cost is not known either."""
        return tuple(c for c in self.scenario.cells if c.missing)


def compare(results: Results, experiment: str | None = None) -> tuple[Comparison, ...]:
    """One comparison a scenario of one experiment (an id or ``last``), or of all in ``results``.

    Raises StoreError where no scenario has ``single`` and another cell that share a sample, saying what is missing.
    """
    _, comparisons = survey(results if experiment is None else results.of(experiment))
    return comparisons


def survey(results: Results) -> tuple[tuple[Scenario, ...], tuple[Comparison, ...]]:
    """Every scenario, and the comparisons of those where there is something to compare. Raises as ``compare``."""
    tally = tallied(results)
    found, across = scenarios(results, tally), bridges(tally)
    made = [_comparison(scenario, scenario.single, across) for scenario in found if scenario.single is not None]
    comparisons = tuple(c for c in made if c.rows)
    if not comparisons:
        raise StoreError(_nothing(found))
    return found, comparisons


def _comparison(scenario: Scenario, single: Cell, across: tuple[Bridge, ...]) -> Comparison:
    others = [c for c in scenario.cells if c is not single]
    alike = [c for c in others if (c.has & single.has).any()]
    ids = {c.cell_id for c in alike}
    priced = [c for c in (single, *alike) if c.priced]
    shared = shared_samples(priced, "usd") if priced else np.zeros(len(scenario.samples), np.bool_)
    judged = priced if shared.any() else []
    best = front([point(scenario, c, "usd", shared) for c in judged])

    def on_front(cell: Cell) -> bool | None:
        return cell.cell_id in best if cell in judged else None

    return Comparison(
        scenario,
        single,
        tuple(_compared(scenario, c, single, on_front(c)) for c in alike),
        tuple(c.label for c in others if c not in alike),
        tuple(b for b in across if b.cell_id in ids and b.single_cell_id == single.cell_id),
        on_front(single),
    )


def _compared(scenario: Scenario, cell: Cell, single: Cell, on_front: bool | None) -> Compared:
    def times(metric: str) -> Quotient | None:
        return quotient(scenario, cell.values[metric], single.values[metric])

    score = of(scenario, "score", cell, single)
    assert score is not None  # they share samples, and a missing run has a score
    return Compared(
        cell,
        score,
        times("tokens"),
        times("usd"),
        times("uncached_usd"),
        times("wall_s"),
        of(scenario, "tokens", cell, single),
        of(scenario, "usd", cell, single),
        of(scenario, "uncached_usd", cell, single),
        of(scenario, "wall_s", cell, single),
        equal(scenario, cell),
        equal(scenario, cell, "uncached_usd"),
        on_front,
    )


def _nothing(found: tuple[Scenario, ...]) -> str:
    """Why there is nothing to compare."""
    topologies = sorted({c.topology for s in found for c in s.cells})
    if all(s.single is None for s in found):
        return (
            f"nothing to compare with: no run of topology '{BASELINE}' among {', '.join(topologies)}. "
            f"{_more(found, 'Run it', topologies[0])}"
        )
    if len(topologies) == 1:
        return f"nothing to compare: the only topology here is '{BASELINE}'. {_more(found, 'Run others', 'NAME')}"
    return (
        f"nothing to compare: '{BASELINE}' shares no sample with any other topology in the same setting of everything "
        "else. Run them in one sweep, on the same samples."
    )


def _more(found: tuple[Scenario, ...], run: str, topology: str) -> str:
    """How to get what is missing. Tasks of imported rows cannot be run here."""
    if all(s.imported for s in found):
        return f"Import rows of both on the same samples, and say which agent is `{BASELINE}` with --single."
    command = f"python -m harness -m topology={BASELINE},{topology} task={found[0].task}"
    return f"{run} on the same task, in the same sweep: {command}"
