"""The summary that a run ends with, printed."""

from __future__ import annotations

from rich.console import Console

from results.frames import Results
from results.summary import summarize
from results.summary_tables import summary_sheets
from results.terminal import banner, show, terminal


def print_summary(results: Results, experiment: str | None = None, console: Console | None = None) -> None:
    """Print the summary of one experiment (an id or ``last``), or of all in ``results``.

    Without a console: to standard output, 100 columns wide. Raises StoreError for an experiment that is not there.
    """
    console = console or terminal()
    summary = summarize(results if experiment is None else results.of(experiment))
    for group in summary.groups:
        banner(f"experiment {group.experiment_id} · task {group.task}", group.simulated, console)
        for shown in summary_sheets(group):
            show(shown, console)
    for note in summary.notes:
        show(f"note: {note}", console)
