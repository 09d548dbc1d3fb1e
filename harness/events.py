"""Events: what happened in a run, in order. Whoever watches can neither block nor break it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.clock.protocol import Timeline
from harness.records import EventRow

BUFFER = 100_000
"""Most events kept of one run (seed document 004); later ones are counted as dropped."""
RESULT_CUT = 10_000
"""Characters kept of a tool result in an event (004)."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)

Sink = Callable[[EventRow], None]


class Events:
    """One run's append-only log. A sink that raises is dropped, and the fault is noted once."""

    def __init__(self, run_id: str, time: Timeline, sinks: Sequence[Sink] = ()) -> None:
        self.rows: list[EventRow] = []
        self.dropped = 0
        self.faults: list[str] = []
        self._run_id = run_id
        self._time = time
        self._sinks = list(sinks)

    def within(self, named: Callable[[str], str]) -> Events:
        """The same log, for whoever calls agents by other names. ``named``: from those to the full ones."""
        return _Within(self, named)

    def emit(self, type: str, agent: str, data: Mapping[str, Any]) -> None:
        """Append one event; strings in ``data`` are cut at 10,000 characters."""
        if len(self.rows) >= BUFFER:
            self.dropped += 1
            return
        cut = {k: v[:RESULT_CUT] if isinstance(v, str) else v for k, v in data.items()}
        row = EventRow(
            self._run_id,
            len(self.rows),
            self._time.now(),
            type,
            agent,
            _ENCODER.encode(cut),
        )
        self.rows.append(row)
        for sink in tuple(self._sinks):
            try:
                sink(row)
            except Exception as fault:
                self._sinks.remove(sink)
                self.faults.append(f"event sink {sink!r} failed and was dropped: {fault}")


class _Within(Events):
    """A log whose agents are called by their full names."""

    def __init__(self, log: Events, named: Callable[[str], str]) -> None:
        self.rows, self.faults, self.dropped = log.rows, log.faults, 0  # what is dropped, the whole log counts
        self._log = log
        self._named = named

    def emit(self, type: str, agent: str, data: Mapping[str, Any]) -> None:
        self._log.emit(type, self._named(agent), data)
