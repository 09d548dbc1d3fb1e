"""Size sweeps, printed."""

from __future__ import annotations

from rich.console import Console

from results.crossover.analysis import crossovers
from results.crossover.sheets import sheets
from results.frames import Results
from results.terminal import banner, show, terminal


def print_crossovers(
    results: Results,
    experiment: str | None = None,
    *,
    by: str | None = None,
    score_usd: float | None = None,
    hour_usd: float = 0.0,
    console: Console | None = None,
) -> None:
    """Print the size sweeps of one experiment (an id or ``last``), or of all in ``results``; errors as ``crossovers``.

    Without a console: to standard output, 100 columns wide.
    """
    console = console or terminal()
    results = results if experiment is None else results.of(experiment)
    for found in crossovers(results, by=by, score_usd=score_usd, hour_usd=hour_usd):
        rest = "" if found.setting == "{}" else f" · {found.setting}"
        what = f"experiment {found.experiment_id} · task {found.task} · model {found.model}{rest}"
        banner(what, found.simulated, console)
        for shown in sheets(found):
            show(shown, console)
        for note in found.notes:
            show(f"note: {note}", console)
    for note in results.notes:
        show(f"note: {note}", console)
