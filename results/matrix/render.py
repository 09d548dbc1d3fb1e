"""Suites by topologies on a terminal, 100 columns wide."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console

from results.frames import Results
from results.matrix.table import Matrix, MatrixCell, matrices
from results.sheet import sheet
from results.terminal import banner, show, terminal
from results.writing import NOTHING

_NOT_OK = "*"
ABREAST = 6
"""Topologies side by side in one table."""


def print_suites(results: Results, experiment: str | None = None, console: Console | None = None) -> None:
    """Print scores, tokens and time of one experiment (an id or ``last``), or of all in ``results``, suite by topology.

    Without a console: to standard output, 100 columns wide. Raises StoreError for an experiment that is not there.
    """
    console = console or terminal()
    for matrix in matrices(results if experiment is None else results.of(experiment)):
        banner(f"experiment {matrix.experiment_id} · suites by topologies", matrix.simulated, console)
        _print(matrix, "Mean score", _score, console)
        if any(cell.not_ok for row in matrix.cells.values() for cell in row.values()):
            show(f" {_NOT_OK} not all ended ok: some met a limit or a timeout, failed or raised", console)
        _print(matrix, "Tokens against single", lambda c: _times(c.tokens), console)
        _print(matrix, "Wall-clock against single", lambda c: _times(c.wall), console)


def _print(matrix: Matrix, title: str, shown: Callable[[MatrixCell], str], console: Console) -> None:
    for start in range(0, len(matrix.topologies), ABREAST):
        names = matrix.topologies[start : start + ABREAST]
        table = sheet(title, matrix.simulated, "suite", [*names, "runs"])
        for task, row in matrix.cells.items():
            cells = [shown(row[name]) if name in row else NOTHING for name in names]
            table.add(task, [*cells, f"{sum(row[name].runs for name in names if name in row):,}"])
        show(table, console)


def _score(cell: MatrixCell) -> str:
    return f"{cell.score:.3f}{_NOT_OK if cell.not_ok else ''}"


def _times(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{ratio:.2f} ×"
