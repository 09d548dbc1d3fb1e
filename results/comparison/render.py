"""A comparison on a terminal."""

from __future__ import annotations

from rich.console import Console

from results.comparison.comparison import Comparison, compare
from results.comparison.sheets import comparison_sheets
from results.frames import Results
from results.terminal import banner, show, terminal
from results.unfinished import unfinished


def heading(comparison: Comparison) -> str:
    """What a comparison is about."""
    scenario = comparison.scenario
    where = "" if scenario.setting == "{}" else f" · {scenario.setting}"
    return f"experiment {scenario.experiment_id} · task {scenario.task}{where} · compared"


def print_comparison(results: Results, experiment: str | None = None, console: Console | None = None) -> None:
    """Print every comparison of one experiment (an id or ``last``), or of all in ``results``."""
    console = console or terminal()
    chosen = results if experiment is None else results.of(experiment)
    for experiment_note in unfinished(chosen):
        show(f"UNFINISHED: {experiment_note}. What follows may turn when they are.", console)
    for comparison in compare(chosen):
        banner(heading(comparison), comparison.scenario.simulated, console)
        for shown in comparison_sheets(comparison):
            show(shown, console)
    for note in results.notes:
        show(f"note: {note}", console)
