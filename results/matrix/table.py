"""One experiment as a table of suites by topologies: scores, and tokens and time against ``single``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from results.frames import Results
from results.labels import labels, place
from results.tally import tallied
from results.yardstick import yardsticks


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A topology on a suite. ``score``: mean over all ``runs``, failures included; ``not_ok``: how many of them a limit
    or a timeout ended, failed or raised (the last two count as 0). ``tokens``, ``wall``: sums over the samples that it
    shares with ``single``, as a multiple of ``single``'s; None for ``single`` itself and where there is none."""

    runs: int
    not_ok: int
    score: float
    tokens: float | None
    wall: float | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """``cells``: suite → topology (with what else the sweep varied) → cell; ``topologies``: in the order of the
    sweep."""

    experiment_id: str
    simulated: bool
    topologies: tuple[str, ...]
    cells: Mapping[str, Mapping[str, MatrixCell]]


def matrices(results: Results) -> tuple[Matrix, ...]:
    """A table for each experiment in ``results``, simulated and real runs apart. Raises StoreError for a run that is
    stored twice."""
    runs = tallied(results).runs
    found = []
    for (experiment, simulated), mine in runs.groups("experiment_id", "simulated"):
        cells: dict[str, dict[str, MatrixCell]] = {}
        at: dict[str, tuple[str | int, ...]] = {}
        for (task,), of_task in mine.groups("task"):
            against = {y.cell_id: y for y in yardsticks(of_task)}
            for cell_id, name in labels(of_task).items():
                rows = of_task.where(of_task.texts("cell_id").equal(cell_id))
                label, yard = " ".join(name), against.get(cell_id)
                at[label] = min(at.get(label, place(cell_id)), place(cell_id))
                cells.setdefault(task, {})[label] = MatrixCell(
                    len(rows),
                    sum(status != "ok" for status in rows.texts("status").tolist()),
                    math.fsum(rows.numbers("score").tolist()) / len(rows),
                    yard.tokens if yard else None,
                    yard.wall if yard else None,
                )
        order = sorted(at, key=lambda label: at[label])
        found.append(Matrix(experiment, simulated, tuple(order), dict(sorted(cells.items()))))
    return tuple(found)
