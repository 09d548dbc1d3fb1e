"""Which runs of a candidate may be held against which of the baseline, and what stands in the way of the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import eq

import numpy as np

from results.gate.clusters import Clusters, clustered
from results.gate.report import first
from results.gate.rows import Cell, Run

SAME = {
    "material_hash": "other material",
    "cluster_id": "another cluster",
    "grader": "another grader",
    "rubric_hash": "another rubric",
    "pass_threshold": "another threshold for passing",
    "ablate": "another ablation",
    "clock": "another clock",
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

    @cached_property
    def clusters(self) -> Clusters:
        """Of ``runs``, in this order."""
        names = self.base.choose(self.runs).texts("cluster_id").tolist()
        return clustered([sample for sample, _ in self.runs], names)


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
    beside = (base.choose(both), candidate.choose(both))
    usable = np.ones(len(both), np.bool_)
    for column, called in (SAME | SEED if base.simulated else SAME).items():
        one, other = (rows.columns[column].tolist() for rows in beside)
        equal = np.ones(len(both), np.bool_) if one == other else np.array([*map(eq, one, other)], np.bool_)
        if not equal.all():
            unlike = [_named(run) for run, same in zip(both, equal.tolist(), strict=True) if not same]
            problems.append(f"{len(unlike):,} of {len(base.at):,} runs have {called} ({column}): {first(unlike)}")
        usable &= equal
    runs = tuple(run for run, good in zip(both, usable.tolist(), strict=True) if good)
    return Pair(base, candidate, runs, tuple(problems), more=len(candidate.at) - len(both))


def _kinds(cell: Cell) -> list[str]:
    return ["simulated" if s else "real" for s in sorted(set(cell.rows.numbers("simulated").tolist()))]


def _named(run: Run) -> str:
    return f"sample '{run[0]}' (epoch {run[1]})"
