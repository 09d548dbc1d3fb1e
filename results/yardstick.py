"""What a topology costs and scores against ``single`` on the same samples, and what its money buys from one agent.

A team must beat not one shot of a single agent but the whole single family (on a stronger model, with several
attempts, …) at no higher cost: as billed, and as if nothing had been cached, which may differ, since
who sends a conversation again and again is billed less for it. The figures are sums over pairs; no claim about
significance is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

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
    sums over the pairs; ``tokens``: None where any usage is unknown; ``usd``: as billed, None where any cost is.
    ``score``: mean difference over the pairs. ``best``: by what was billed; ``best_uncached``: as if nothing had been
    cached. Members of the single family whose cost is unknown are not considered; None when none of the others costs as
    little, or this cell's own cost is unknown (tokens of different models are no common measure).
    """

    cell_id: str
    single_cell_id: str
    pairs: int
    tokens: float | None
    usd: float | None
    wall: float | None
    score: float
    best: Best | None
    best_uncached: Best | None


@dataclass(frozen=True, slots=True)
class _Run:
    tokens: float
    pusd: int | None
    uncached_usd: float | None
    wall_s: float
    score: float


@dataclass(frozen=True, slots=True)
class _Cell:
    cell_id: str
    topology: str
    family: str
    runs: Mapping[Pair, _Run]


def yardsticks(runs: Columns, unmeasured: frozenset[str] = frozenset()) -> tuple[Yardstick, ...]:
    """Every cell against the first ``single`` cell that it can be compared with. ``runs``: of one experiment and task,
    all simulated or all real; ``unmeasured``: ids of those of which some attempt has no usage. Raises StoreError for a
    cell that holds a sample twice."""
    measured = ~runs.texts("run_id").among(unmeasured)
    return tuple(_yardsticks(runs.having(setting=runs.texts("params").renamed(setting), measured=measured)))


def _yardsticks(runs: Columns) -> Iterator[Yardstick]:
    for _, group in runs.groups("model", "setting"):
        found = [_cell(c, t, f, rows) for (c, t, f), rows in group.groups("cell_id", "topology", "family")]
        cells = sorted(found, key=lambda cell: place(cell.cell_id))
        family = [c for c in cells if c.family == "single"]
        for cell in cells:
            single = next((c for c in family if c.topology == BASELINE and c.runs.keys() & cell.runs.keys()), None)
            if single is not None and cell is not single:
                yield _yardstick(cell, single, [c for c in family if c is not cell])


def _cell(cell_id: str, topology: str, family: str, rows: Columns) -> _Cell:
    known = rows.numbers("cost_complete").tolist()
    tokens = rows.numbers("prompt_tokens") + rows.numbers("completion_tokens")
    tokens = np.where(rows.numbers("measured"), tokens, np.nan)
    columns = (tokens, *(rows.numbers(c) for c in ("cost_pusd", "cost_uncached_usd", "wall_s", "score")))
    values = zip(rows.texts("run_id").tolist(), known, *(c.tolist() for c in columns), strict=True)
    made = {run: _Run(t, p if k else None, u if k else None, w, s) for run, k, t, p, u, w, s in values}
    return _Cell(cell_id, topology, family, {pair: made[run] for pair, run in by_pair(rows).items()})


def _yardstick(cell: _Cell, single: _Cell, family: Sequence[_Cell]) -> Yardstick:
    mine, its = _common(cell, single)
    cost, base = _pusd(mine), _pusd(its)
    members = [(c, own, other) for c in family for own, other in [_common(cell, c)] if own]
    return Yardstick(
        cell_id=cell.cell_id,
        single_cell_id=single.cell_id,
        pairs=len(mine),
        tokens=_ratio(_tokens(mine), _tokens(its)),
        usd=None if cost is None or base is None else _ratio(cost, base),
        wall=_ratio(*(math.fsum(r.wall_s for r in side) for side in (mine, its))),
        score=_score(mine) - _score(its),
        best=_best(members, _pusd),
        best_uncached=_best(members, _uncached),
    )


def _best(
    members: Sequence[tuple[_Cell, list[_Run], list[_Run]]], spent: Callable[[Sequence[_Run]], float | None]
) -> Best | None:
    """``members``: (cell, the topology's runs, the cell's own) over the pairs that both have; ``spent``: which cost."""
    found: list[tuple[float, float, Best]] = []
    for cell, own, other in members:
        budget, cost = spent(own), spent(other)
        if budget is not None and cost is not None and cost <= budget:
            best = Best(cell.cell_id, len(own), _ratio(cost, budget), _score(own), _score(other))
            found.append((-_score(other), cost / len(other), best))
    return min(found, key=lambda f: f[:2])[2] if found else None


def _common(one: _Cell, other: _Cell) -> tuple[list[_Run], list[_Run]]:
    pairs = sorted(one.runs.keys() & other.runs.keys())
    return [one.runs[p] for p in pairs], [other.runs[p] for p in pairs]


def _tokens(runs: Sequence[_Run]) -> float:
    """NaN when any of it is unknown."""
    return sum(r.tokens for r in runs)


def _pusd(runs: Sequence[_Run]) -> int | None:
    """None when any of it is unknown."""
    return None if any(r.pusd is None for r in runs) else sum(r.pusd or 0 for r in runs)


def _uncached(runs: Sequence[_Run]) -> float | None:
    """USD, likewise."""
    return None if any(r.uncached_usd is None for r in runs) else math.fsum(r.uncached_usd or 0.0 for r in runs)


def _score(runs: Sequence[_Run]) -> float:
    return math.fsum(r.score for r in runs) / len(runs)


def _ratio(one: float, other: float) -> float | None:
    """None where it has no value, or where either is unknown (NaN)."""
    return one / other if other and not math.isnan(one + other) else None
