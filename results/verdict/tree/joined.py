"""Scenarios that differ in one setting of the task, as one: the same samples under different conditions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from results.comparison.cells import Cell, Scenario, Values


def alike(scenario: Scenario, among: Sequence[Scenario], ending: str) -> dict[str, tuple[str, Scenario]]:
    """Those ``among`` that differ from ``scenario`` in nothing but one parameter whose key ends so, itself included:
    the parameter's value → (its key, the scenario). Empty where ``scenario`` has no such parameter."""
    mine = json.loads(scenario.setting)
    found: dict[str, tuple[str, Scenario]] = {}
    for key in (k for k in mine if k.endswith(ending)):
        for other in among:
            its = json.loads(other.setting)
            if _place(other) == _place(scenario) and key in its and {**mine, key: None} == {**its, key: None}:
                found[str(its[key])] = key, other
    return found


def joined(parts: Sequence[Scenario], cells: Sequence[Cell]) -> Scenario:
    """One scenario with one cell of each part, over all their samples; a sample that a part has not is NaN there."""
    clusters = {s: c for part in parts for s, c in zip(part.samples, part.clusters, strict=True)}
    samples = tuple(sorted(clusters))
    at = {sample: i for i, sample in enumerate(samples)}
    made = []
    for part, cell in zip(parts, cells, strict=True):
        where = [at[s] for s in part.samples]
        made.append(replace(cell, values={m: _spread(v, where, len(samples)) for m, v in cell.values.items()}))
    first = parts[0]
    return replace(first, samples=samples, clusters=tuple(clusters[s] for s in samples), cells=tuple(made))


def _spread(values: Values, where: Sequence[int], size: int) -> Values:
    over = np.full(size, np.nan)
    over[list(where)] = values
    return over


def _place(scenario: Scenario) -> tuple[str, str, bool]:
    return scenario.experiment_id, scenario.task, scenario.simulated
