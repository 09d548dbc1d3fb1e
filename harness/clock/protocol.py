"""Time as a run sees it. One clock an event loop, one timeline a run."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Literal, Protocol


class Timeline(Protocol):
    """One run's time, from 0 at its start. All waiting of a run goes through here.

    On the virtual clock every visible action at one instant is taken in a fixed order: ``turn`` waits until nothing
    of the run can proceed and no I/O is in flight, then lets the waiters continue one at a time, ordered by (who, order
    of asking). ``sleep`` and ``timeout`` end with a turn. On the real clock a turn is free.
    """

    kind: Literal["real", "virtual"]

    def now(self) -> float:
        """Seconds since the run's start, exact to the microsecond on the virtual clock."""

    def timestamp(self) -> str:
        """ISO 8601 UTC with microseconds: the real date, or 1970-01-01 plus ``now`` on the virtual clock."""

    async def sleep(self, seconds: float, who: str) -> None: ...

    async def turn(self, who: str) -> None:
        """Wait for this agent's place in the order of the present instant."""

    def timeout(self, seconds: float, who: str) -> AbstractAsyncContextManager[None]:
        """Cancel the body after ``seconds`` and raise the built-in TimeoutError, at this agent's turn."""

    def real(self, label: str) -> AbstractContextManager[None]:
        """Mark real I/O (a socket, a subprocess, a thread) in flight: virtual time stands still meanwhile."""

    def expect(self, label: str, count: int = 1) -> None:
        """``count`` things are now on their way in from outside (a published notification not yet received)."""

    def arrived(self, label: str, count: int = 1) -> None:
        """As many have come in."""


class Clock(Protocol):
    """The clock of the loop that all runs of an experiment share."""

    kind: Literal["real", "virtual"]

    def ticks(self) -> int:
        """Microseconds since the clock's own origin."""

    def start(self) -> Timeline:
        """A new run's timeline, starting now."""
