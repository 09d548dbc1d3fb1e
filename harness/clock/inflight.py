"""What virtual time waits for: real operations that have begun and not ended."""

from __future__ import annotations

import time
from collections import deque

from harness.errors import ClockError


class InFlight:
    """Operations under way, counted by label, with the real time at which each began."""

    def __init__(self) -> None:
        self._since: dict[str, deque[float]] = {}

    def __bool__(self) -> bool:
        return bool(self._since)

    def begin(self, label: str, count: int = 1) -> None:
        """``count`` operations of this name are now under way."""
        if count > 0:
            self._since.setdefault(label, deque()).extend([time.monotonic()] * count)

    def end(self, label: str, count: int = 1) -> None:
        """As many have ended, the longest-running first. ClockError if fewer were under way."""
        since = self._since.get(label, deque())
        if count > len(since):
            raise ClockError(
                f"{count} x '{label}' ended, but {len(since)} were under way: call expect() before arrived().",
                label=label,
            )
        for _ in range(count):
            since.popleft()
        if not since:
            self._since.pop(label, None)

    def describe(self) -> str:
        """The operations, the longest-waiting first: ``redis read lead for 31.0 s, thread open for 30.2 s``."""
        now = time.monotonic()
        oldest_first = sorted(self._since.items(), key=lambda item: item[1][0])
        return ", ".join(
            f"{label}{f' (x{len(since)})' if len(since) > 1 else ''} for {now - since[0]:.1f} s"
            for label, since in oldest_first
        )
