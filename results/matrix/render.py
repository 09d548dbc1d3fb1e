"""Suites by topologies on a terminal, 100 columns wide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.console import Console

from results.frames import Results
from results.matrix.table import Matrix, MatrixCell, matrices
from results.sheet import Sheet, sheet
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
        for shown in matrix_sheets(matrix):
            show(shown, console)


def matrix_sheets(matrix: Matrix) -> Iterator[Sheet | str]:
    """The tables in the order in which they are read, and a sentence between them."""
    yield from _sheets(matrix, "Mean score", _score)
    if any(cell.not_ok for row in matrix.cells.values() for cell in row.values()):
        yield f" {_NOT_OK} not all ended ok: some met a limit or a timeout, failed or raised"
    yield from _sheets(matrix, "Tokens against single", lambda c: _times(c.tokens))
    yield from _sheets(matrix, "Wall-clock against single", lambda c: _times(c.wall))


def _sheets(matrix: Matrix, title: str, shown: Callable[[MatrixCell], str]) -> Iterator[Sheet]:
    for start in range(0, len(matrix.topologies), ABREAST):
        names = matrix.topologies[start : start + ABREAST]
        table = sheet(title, matrix.simulated, "suite", [*names, "runs"])
        for task, row in matrix.cells.items():
            cells = [shown(row[name]) if name in row else NOTHING for name in names]
            table.add(task, [*cells, f"{sum(row[name].runs for name in names if name in row):,}"])
        yield table


def _score(cell: MatrixCell) -> str:
    return f"{cell.score:.3f}{_NOT_OK if cell.not_ok else ''}"


def _times(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{ratio:.2f} ×"
