"""What each choice did at each size, on the samples that all choices have there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from harness.errors import StoreError
from results.bridge import by_pair
from results.columns import Columns
from results.crossover.fits import COST, FEWEST, SCORE, Fit, fit, fixed
from results.crossover.sweep import Sweep, Swept
from results.crossover.tables import MEASURES, Choice, Figure, Point

HOUR_S = 3_600.0
Values: TypeAlias = Mapping[str, tuple[float, ...] | None]
"""Measure → one number a cluster, clusters in order; None where any cost is unknown."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A choice, and what its curves and points are made from. ``values`` and ``run_ids``: by size."""

    choice: Choice
    values: Mapping[float, Values]
    run_ids: Mapping[float, tuple[str, ...]]


def measured(sweep: Sweep) -> tuple[Measured, ...]:
    """In the order of the sweep's choices. Raises StoreError where the choices of one size have no sample in common, or
    a cell holds a sample twice."""
    at_size = {size: _at(sweep, size) for size in sweep.sizes}
    return tuple(
        _measured(sweep, choice, {size: at_size[size][choice.label] for size in choice.cells})
        for choice in sweep.choices
    )


@dataclass(frozen=True, slots=True)
class _Cell:
    point: Point
    values: Values
    run_ids: tuple[str, ...]


def _at(sweep: Sweep, size: float) -> dict[str, _Cell]:
    there = {choice.label: choice.cells[size] for choice in sweep.choices if size in choice.cells}
    pairs = {label: by_pair(rows) for label, rows in there.items()}
    common = set.intersection(*(set(found) for found in pairs.values()))
    if not common:
        raise StoreError(
            f"experiment {sweep.experiment_id}, task {sweep.task}: at {sweep.by} = {size:g} {', '.join(there)} have no "
            f"sample in common, so nothing can be compared. Run them on the same samples: same task, seed and limit."
        )
    ordered = sorted(common)
    return {
        label: _cell(size, rows, tuple(pairs[label][pair] for pair in ordered), sweep.simulated)
        for label, rows in there.items()
    }


def _cell(size: float, rows: Columns, run_ids: tuple[str, ...], simulated: bool) -> _Cell:
    mine = rows.where(rows.texts("run_id").among(frozenset(run_ids)))
    known = mine.numbers("cost_complete").all() and not mine.total("cost_pusd_unknown")
    uncached = mine.numbers("cost_uncached_usd").tolist()
    tokens = mine.numbers("prompt_tokens") + mine.numbers("completion_tokens")
    hours = mine.numbers("wall_s") / HOUR_S
    columns: dict[str, Sequence[float] | None] = {
        "usd": (mine.numbers("cost_pusd") / 1e12).tolist() if known else None,
        "uncached": uncached if known and not any(map(math.isnan, uncached)) else None,
        "tokens": tokens.tolist() if mine.numbers("measured").all() else None,
        "score": mine.numbers("score").tolist(),
        "hours": None if np.isnan(hours).any() else hours.tolist(),
    }
    keys = list(zip(mine.texts("cluster_id").tolist(), mine.texts("sample_id").tolist(), strict=True))
    values = {m: None if v is None else by_cluster(keys, v) for m, v in columns.items()}
    figures = {m: None if v is None else figure(v, simulated, level=m == "score") for m, v in values.items()}
    point = Point(
        size=size,
        cell_id=mine.texts("cell_id").tolist()[0],
        pairs=len(mine),
        clusters=len({cluster for cluster, _ in keys}),
        left_out=len(rows) - len(mine),
        failed=len(mine) - int(mine.texts("status").equal("ok").sum()),
        figures=MappingProxyType(figures),
    )
    return _Cell(point, MappingProxyType(values), run_ids)


def by_cluster(keys: Sequence[tuple[str, str]], values: Sequence[float]) -> tuple[float, ...]:
    """One number a cluster, in order of the clusters: the mean over its samples of the mean over each sample's epochs.
    ``keys``: cluster and sample of each value."""
    samples: dict[tuple[str, str], list[float]] = {}
    for key, value in zip(keys, values, strict=True):
        samples.setdefault(key, []).append(value)
    clusters: dict[str, list[float]] = {}
    for (cluster, _), own in sorted(samples.items()):
        clusters.setdefault(cluster, []).append(average(own))
    return tuple(average(own) for own in clusters.values())


def average(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def figure(values: Sequence[float], simulated: bool, *, level: bool = False, scores: bool = False) -> Figure:
    """The mean of one number a cluster, with what may be said of how sure it is. ``scores``: differences of scores;
    ``level``: scores, whose interval is that of 2·score − 1, as if one more cluster had scored 0 and one 1."""
    from results.stats import mean, spread

    value = average(values)
    if simulated:
        return Figure(value, spread=spread(values))
    found = mean([2 * v - 1 for v in values] if level else values, scores=scores or level).interval
    if found is None:
        return Figure(value)
    if level:
        return Figure(value, interval=(max(0.0, (found.low + 1) / 2), min(1.0, (found.high + 1) / 2)))
    return Figure(value, interval=(found.low, found.high))


def _measured(sweep: Sweep, swept: Swept, cells: Mapping[float, _Cell]) -> Measured:
    points = tuple(cell.point for cell in cells.values())
    fits = {m: _fit(swept, [(p.size, p.figures[m]) for p in points], m, agents=sweep.agents) for m in MEASURES}
    choice = Choice(swept.label, swept.topology, swept.family, swept.fixed, points, MappingProxyType(fits))
    return Measured(choice, {s: c.values for s, c in cells.items()}, {s: c.run_ids for s, c in cells.items()})


def _fit(swept: Swept, points: Sequence[tuple[float, Figure | None]], measure: str, *, agents: bool) -> Fit | None:
    known = [(size, f.value) for size, f in points if f is not None]
    if len(known) < FEWEST:
        return None
    sizes, values = zip(*known, strict=True)
    if swept.fixed:
        return fixed(average(values))
    return fit(sizes, values, SCORE if measure == "score" else COST, agents=agents)
