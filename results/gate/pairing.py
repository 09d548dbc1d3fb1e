"""Which runs of a candidate may be held against which of the baseline, and what stands in the way of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from results.gate.report import first
from results.gate.rows import Cell, Run

SAME = {
    "material_hash": "other material",
    "cluster_id": "another cluster",
    "grader": "another grader",
    "rubric_hash": "another rubric",
    "pass_threshold": "another threshold for passing",
}
"""Columns that must agree in both, and what it is called when they do not."""
SEED = {"seed": "another seed"}
"""Simulated rows are the same only from the same seed; real models do not care for it."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One cell of the baseline beside the candidate's. ``runs``: those in both on equal terms; ``problems``: sentences,
    empty where every run of the baseline is among these; ``more``: runs that only the candidate has."""

    base: Cell
    candidate: Cell | None
    runs: tuple[Run, ...]
    problems: tuple[str, ...]
    more: int = 0

    @property
    def simulated(self) -> bool:
        return self.base.simulated


def pair(base: Cell, candidate: Cell | None) -> Pair:
    """Find what can be compared."""
    if candidate is None:
        return Pair(base, None, (), ("the candidate has no such cell",))
    kinds = [_kinds(cell) for cell in (base, candidate)]
    if kinds[0] != kinds[1] or len(kinds[0]) > 1:
        says = f"the baseline's runs are {' and '.join(kinds[0])}, the candidate's {' and '.join(kinds[1])}"
        return Pair(base, None, (), (says,))
    both = [run for run in base.at if run in candidate.at]
    problems = []
    gone = [_named(run) for run in base.at if run not in candidate.at]
    if gone:
        problems.append(f"{len(gone):,} of {len(base.at):,} runs are not in the candidate: {first(gone)}")
    usable = np.ones(len(both), np.bool_)
    for column, called in (SAME | SEED if base.simulated else SAME).items():
        equal = np.array([a == b for a, b in zip(*_both(base, candidate, both, column), strict=True)], np.bool_)
        if not equal.all():
            other = [_named(run) for run, same in zip(both, equal.tolist(), strict=True) if not same]
            problems.append(f"{len(other):,} of {len(base.at):,} runs have {called} ({column}): {first(other)}")
        usable &= equal
    runs = tuple(run for run, good in zip(both, usable.tolist(), strict=True) if good)
    return Pair(base, candidate, runs, tuple(problems), more=len(candidate.at) - len(both))


def _both(base: Cell, candidate: Cell, runs: list[Run], column: str) -> Iterator[list[Any]]:
    for cell in (base, candidate):
        yield cell.choose(runs).columns[column].tolist()


def _kinds(cell: Cell) -> list[str]:
    return ["simulated" if s else "real" for s in sorted(set(cell.rows.numbers("simulated").tolist()))]


def _named(run: Run) -> str:
    return f"sample '{run[0]}' (epoch {run[1]})"
