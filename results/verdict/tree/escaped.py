"""Defects that a reviewer let through, counted from what the suite's rule said of every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

import numpy as np

from results.columns import Columns
from results.comparison.cells import Cell, Key, Scenario, Values
from results.verdict.tree.rows import Rows, by_sample, keys

PLANTED, FOUND = "defective", "caught"
"""Counts in the ``graded`` event of a suite of frozen drafts (tasks/review/README.md, "How it is graded")."""


@dataclass(frozen=True, eq=False)
class Escaped:
    """``by_cell``: for each cell (of its part) the defects that escaped, for each sample that it has, in the mean over
    the epochs that ran. ``most``: how many a sample has at most."""

    by_cell: tuple[Values, ...]
    most: float


def escaped(rows: Rows, parts: Sequence[Scenario], cells: Sequence[Cell], over: Scenario) -> Escaped | None:
    """None where no run says how many there were.

    A run that was not graded, and a sample without a run, has caught none: what nobody reviewed goes out as it is.
    """
    runs = [rows.of(part, cell) for part, cell in zip(parts, cells, strict=True)]
    graded = rows.graded([r for some in runs for r in some.texts("run_id").tolist()])
    planted: dict[Key, float] = {}
    for some in runs:
        for key, run in zip(keys(some), some.texts("run_id").tolist(), strict=True):
            if (count := _count(graded.get(run, {}), PLANTED)) is not None:
                planted[key] = count
    if not planted:
        return None
    counts = [_escaped(some, graded, planted, over, cell) for some, cell in zip(runs, over.cells, strict=True)]
    return Escaped(tuple(counts), max(planted.values()))


def _escaped(
    runs: Columns, graded: Mapping[str, Mapping[str, Any]], planted: Mapping[Key, float], over: Scenario, cell: Cell
) -> Values:
    counts = [_count(graded.get(r, {}), FOUND) or 0.0 for r in runs.texts("run_id").tolist()]
    caught = np.nan_to_num(by_sample(over, runs, counts, mean))
    there = np.array([planted.get(sample, np.nan) for sample in over.samples])
    return np.where(cell.has, there - caught, np.nan)


def _count(detail: Mapping[str, Any], name: str) -> float | None:
    value = detail.get(name)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else None
