"""Progress: rare plain lines, a bar that goes away, and nothing for small experiments."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

from harness.progress import NoProgress, PlainProgress, RichProgress, progress


def run(status: str = "ok", cost: float | None = 0.5) -> Any:
    """The two columns that progress looks at."""
    return SimpleNamespace(status=status, cost_usd=cost)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_auto_is_a_bar_on_a_terminal_and_lines_elsewhere() -> None:
    assert isinstance(progress("auto", Terminal()), RichProgress)
    assert isinstance(progress("auto", io.StringIO()), PlainProgress)
    assert isinstance(progress("rich", io.StringIO()), RichProgress)
    assert isinstance(progress("plain", Terminal()), PlainProgress)
    assert isinstance(progress("none", Terminal()), NoProgress)


def test_plain_lines_come_at_most_every_five_seconds_and_five_percent() -> None:
    now = 100.0
    stream = io.StringIO()
    shown = PlainProgress(stream, lambda: now)
    shown.start(100)
    lines = []
    for done in range(1, 101):
        now += 0.5  # fifty seconds in all: five percent pass in 2.5 s, so that time is the bound
        shown.finished(run("error" if done == 1 else "ok", None if done == 2 else 0.5))
        lines.append(stream.getvalue().count("\n"))
    assert lines[9] == 1 and lines[8] == 0
    assert stream.getvalue().splitlines()[0] == "10/100 runs, 1 not ok, $4.5 known cost, 0:05 passed, about 0:45 left"
    assert lines[-1] == 9  # none for the last: the summary follows


def test_five_percent_is_the_bound_when_runs_are_slow() -> None:
    now = 0.0
    stream = io.StringIO()
    shown = PlainProgress(stream, lambda: now)
    shown.start(1_000)
    for _ in range(100):
        now += 60
        shown.finished(run())
    assert stream.getvalue().count("\n") == 2
    assert stream.getvalue().splitlines()[0].endswith("50:00 passed, about 15:50:00 left")


def test_a_short_experiment_prints_nothing() -> None:
    stream = io.StringIO()
    shown = PlainProgress(stream, lambda: 0.0)
    shown.start(3)
    for _ in range(3):
        shown.finished(run())
    shown.stop()
    assert stream.getvalue() == ""


def test_the_bar_goes_away() -> None:
    stream = Terminal()
    shown = RichProgress(stream)
    shown.stop()  # also without a start
    shown.start(2)
    shown.finished(run())
    shown.finished(run("failed"))
    shown.stop()
    shown.stop()
    assert "2/2 runs, 1 not ok, $1 known cost" in stream.getvalue()
