"""Verdicts on a terminal."""

from __future__ import annotations

from rich.console import Console

from results.comparison.render import heading
from results.frames import Results
from results.terminal import banner, show, terminal
from results.verdict.prices import Prices
from results.verdict.roi import roi
from results.verdict.sheets import confusions, questions, turned, verdict_sheets


def print_roi(
    results: Results, experiment: str | None = None, prices: Prices | None = None, console: Console | None = None
) -> None:
    """Print the verdict on every scenario of one experiment (an id or ``last``), or of all in ``results``."""
    console = console or terminal()
    found = roi(results, experiment, prices)
    for experiment_note in found.unfinished:
        show(f"UNFINISHED: {experiment_note}. What follows may turn when they are.", console)
    for worth in found.worths:
        scenario = worth.comparison.scenario
        banner(heading(worth.comparison).replace("compared", "verdict"), scenario.simulated, console)
        for shown in verdict_sheets(worth):
            show(shown, console)
        show("", console)
    for line in turned(found):
        show(line, console)
    for counted in confusions(found):
        show(counted, console)
    for question in questions(found):
        show(f"{question.title}: {question.why}", console)
    for note in results.notes:
        show(f"note: {note}", console)
