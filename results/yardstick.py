"""What a topology costs and scores against ``single`` on the same samples, and what its money buys from one agent.

A team must beat not one shot of a single agent but the whole single family (``single`` on a stronger model,
``resample``, ``escalate``, …) at no higher cost. The figures are sums over pairs; no claim about significance is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from results.bridge import BASELINE, by_pair, setting
from results.columns import Columns
from results.labels import place

Pair = tuple[str, int, str]
"""Sample, epoch, material."""


@dataclass(frozen=True, slots=True)
class Best:
    """The best-scoring member of the single family that costs no more than the topology on the pairs that both have; of
    equals, the cheaper one. ``score`` and ``its_score``: means of the topology and of this member over these pairs;
    ``cost_ratio``: this member's cost / the topology's."""

    cell_id: str
    pairs: int
    cost_ratio: float | None
    score: float
    its_score: float


@dataclass(frozen=True, slots=True)
class Yardstick:
    """One cell against ``single`` of the same experiment, task, model and settings apart from ``topology.*``.

    ``pairs``: (sample, epoch) in both on the same material, failed runs included. Ratios are this cell / single, of
    sums over the pairs; ``usd``: as billed, None where any cost is unknown. ``score``: mean difference over the pairs.
    ``in_usd``: whether ``best`` was found by USD; by tokens where a cost is unknown. ``best``: None when no member of
    the single family costs as little.
    """

    cell_id: str
    single_cell_id: str
    pairs: int
    tokens: float | None
    usd: float | None
    wall: float | None
    score: float
    in_usd: bool
    best: Best | None


@dataclass(frozen=True, slots=True)
class _Run:
    tokens: int
    pusd: int | None
    wall_s: float
    score: float


@dataclass(frozen=True, slots=True)
class _Cell:
    cell_id: str
    topology: str
    family: str
    runs: Mapping[Pair, _Run]


def yardsticks(runs: Columns) -> tuple[Yardstick, ...]:
    """Every cell but ``single`` against the first ``single`` cell that it can be compared with. ``runs``: of one
    experiment and task, all simulated or all real. Raises StoreError for a cell that holds a sample twice."""
    return tuple(_yardsticks(runs.having(setting=runs.texts("params").renamed(setting))))


def _yardsticks(runs: Columns) -> Iterator[Yardstick]:
    for _, group in runs.groups("model", "setting"):
        found = [_cell(c, t, f, rows) for (c, t, f), rows in group.groups("cell_id", "topology", "family")]
        cells = sorted(found, key=lambda cell: place(cell.cell_id))
        family = [c for c in cells if c.family == "single"]
        for cell in cells:
            single = next((c for c in family if c.topology == BASELINE and c.runs.keys() & cell.runs.keys()), None)
            if single is not None and cell.topology != BASELINE:
                yield _yardstick(cell, single, [c for c in family if c is not cell])


def _cell(cell_id: str, topology: str, family: str, rows: Columns) -> _Cell:
    known = rows.numbers("cost_complete").tolist()
    tokens = rows.numbers("prompt_tokens") + rows.numbers("completion_tokens")
    columns = (tokens, rows.numbers("cost_pusd"), rows.numbers("wall_s"), rows.numbers("score"))
    values = zip(rows.texts("run_id").tolist(), known, *(c.tolist() for c in columns), strict=True)
    made = {run: _Run(t, p if k else None, w, s) for run, k, t, p, w, s in values}
    return _Cell(cell_id, topology, family, {pair: made[run] for pair, run in by_pair(rows).items()})


def _yardstick(cell: _Cell, single: _Cell, family: Sequence[_Cell]) -> Yardstick:
    mine, its = _common(cell, single)
    cost, base = _pusd(mine), _pusd(its)
    members = [(c, *_common(cell, c)) for c in family]
    in_usd = all(_pusd(side) is not None for _, own, other in members for side in (own, other))
    return Yardstick(
        cell_id=cell.cell_id,
        single_cell_id=single.cell_id,
        pairs=len(mine),
        tokens=_ratio(_tokens(mine), _tokens(its)),
        usd=None if cost is None or base is None else _ratio(cost, base),
        wall=_ratio(math.fsum(r.wall_s for r in mine), math.fsum(r.wall_s for r in its)),
        score=_score(mine) - _score(its),
        in_usd=in_usd,
        best=_best([(c, own, other) for c, own, other in members if own], in_usd),
    )


def _best(members: Sequence[tuple[_Cell, list[_Run], list[_Run]]], in_usd: bool) -> Best | None:
    """``members``: (cell, the topology's runs, the cell's own) over the pairs that both have."""
    found: list[tuple[float, float, Best]] = []
    for cell, own, other in members:
        budget, cost = (_pusd(own), _pusd(other)) if in_usd else (_tokens(own), _tokens(other))
        if budget is not None and cost is not None and cost <= budget:
            best = Best(cell.cell_id, len(own), _ratio(cost, budget), _score(own), _score(other))
            found.append((-_score(other), cost / len(other), best))
    return min(found, key=lambda f: f[:2])[2] if found else None


def _common(one: _Cell, other: _Cell) -> tuple[list[_Run], list[_Run]]:
    pairs = sorted(one.runs.keys() & other.runs.keys())
    return [one.runs[p] for p in pairs], [other.runs[p] for p in pairs]


def _tokens(runs: Sequence[_Run]) -> int:
    return sum(r.tokens for r in runs)


def _pusd(runs: Sequence[_Run]) -> int | None:
    """None when any of it is unknown."""
    return None if any(r.pusd is None for r in runs) else sum(r.pusd or 0 for r in runs)


def _score(runs: Sequence[_Run]) -> float:
    return math.fsum(r.score for r in runs) / len(runs)


def _ratio(one: float, other: float) -> float | None:
    return one / other if other else None
