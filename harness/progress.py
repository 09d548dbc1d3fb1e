"""How far an experiment is, on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TextIO

from harness.config import ProgressKind
from harness.records import RunRow

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

LINE_EVERY_S = 5.0
"""Real seconds between plain lines; a shorter experiment prints none."""
LINE_EVERY_SHARE = 0.05
"""Share of all runs between plain lines."""


class Progress(Protocol):
    """Told of every finished run, in order."""

    def start(self, planned: int) -> None: ...

    def finished(self, run: RunRow) -> None: ...

    def stop(self) -> None:
        """Leave the terminal as it was; safe to call twice, or without a start."""


def progress(kind: ProgressKind, stream: TextIO) -> Progress:
    """The progress display of a kind; ``auto`` is ``rich`` on a terminal and ``plain`` elsewhere."""
    if kind == "auto":
        kind = "rich" if stream.isatty() else "plain"
    if kind == "rich":
        return RichProgress(stream)
    return PlainProgress(stream) if kind == "plain" else NoProgress()


class NoProgress:
    def start(self, planned: int) -> None:
        pass

    def finished(self, run: RunRow) -> None:
        pass

    def stop(self) -> None:
        pass


class Tally:
    """Counts of finished runs. Time is real time."""

    def __init__(self, planned: int, now: float) -> None:
        self.planned = planned
        self.done = 0
        self.not_ok = 0
        self.usd = 0.0
        self.started = now

    def add(self, run: RunRow) -> None:
        self.done += 1
        self.not_ok += run.status != "ok"
        self.usd += run.cost_usd or 0.0

    def text(self, now: float) -> str:
        passed = now - self.started
        left = passed / self.done * (self.planned - self.done) if self.done else 0.0
        return (
            f"{self.done:,}/{self.planned:,} runs, {self.not_ok:,} not ok, ${self.usd:,.4g} known cost, "
            f"{_clock(passed)} passed, about {_clock(left)} left"
        )


class PlainProgress:
    """A line at most every ``LINE_EVERY_S`` seconds and every 5 % of the runs."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._now = now
        self._tally = Tally(0, 0.0)
        self._line_at = 0.0
        self._line_done = 0

    def start(self, planned: int) -> None:
        self._line_at = self._now()
        self._tally = Tally(planned, self._line_at)

    def finished(self, run: RunRow) -> None:
        tally = self._tally
        tally.add(run)
        now = self._now()
        due = tally.done - self._line_done >= LINE_EVERY_SHARE * tally.planned
        if due and now - self._line_at >= LINE_EVERY_S and tally.done < tally.planned:
            self._line_at, self._line_done = now, tally.done
            print(tally.text(now), file=self._stream, flush=True)

    def stop(self) -> None:
        pass


class RichProgress:
    """A bar that goes away when the experiment is over."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._bar: Bar | None = None
        self._tally = Tally(0, 0.0)

    def start(self, planned: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._tally = Tally(planned, time.monotonic())
        self._bar = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
            console=Console(file=self._stream),
            transient=True,
        )
        self._bar.add_task(self._tally.text(time.monotonic()), total=planned)
        self._bar.start()

    def finished(self, run: RunRow) -> None:
        self._tally.add(run)
        if self._bar is not None:
            text = self._tally.text(time.monotonic())
            self._bar.update(self._bar.task_ids[0], completed=self._tally.done, description=text)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
