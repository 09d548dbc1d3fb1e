"""Virtual time: a run's minutes take milliseconds, and its every figure is exact."""

from __future__ import annotations

import asyncio
import math
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Literal

from harness.clock.loop import TICKS_PER_S, VirtualLoop
from harness.clock.turns import Go, Turns
from harness.errors import ClockError

FOREVER = 1e9
"""Seconds beyond which nothing is waited for: 31 years, more than any run's clock will tell."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class VirtualClock:
    """The clock of a ``VirtualLoop`` (``harness.clock.protocol.Clock``)."""

    kind: Literal["real", "virtual"] = "virtual"

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def ticks(self) -> int:
        return self._loop.ticks

    def start(self) -> VirtualTimeline:
        return VirtualTimeline(self._loop)


class VirtualTimeline:
    """One run's virtual time (``harness.clock.protocol.Timeline``), in whole microseconds from its start, so that it
    reads the same at whatever time of the loop the run began."""

    kind: Literal["real", "virtual"] = "virtual"

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop
        self._origin = loop.ticks
        self._turns = Turns()

    def now(self) -> float:
        return (self._loop.ticks - self._origin) / TICKS_PER_S

    def timestamp(self) -> str:
        at = _EPOCH + timedelta(microseconds=self._loop.ticks - self._origin)
        return at.isoformat(timespec="microseconds").replace("+00:00", "Z")

    async def sleep(self, seconds: float, who: str) -> None:
        """An infinite sleep ends by cancellation only."""
        asked = self._loop.create_future()
        timer = self.call_after(seconds, who, partial(_continue, asked))
        try:
            await asked
        finally:
            if timer is not None:
                timer.cancel()

    async def turn(self, who: str) -> None:
        asked = self._loop.create_future()
        self._loop.ask(self._turns, who, self._turns.number(), partial(_continue, asked))
        await asked

    def timeout(self, seconds: float, who: str) -> VirtualTimeout:
        """Infinite: no limit. Nesting and cancellation from outside behave as with ``asyncio.timeout``."""
        return VirtualTimeout(self, seconds, who)

    def real(self, label: str) -> AbstractContextManager[None]:
        return self._loop.real(label)

    def expect(self, label: str, count: int = 1) -> None:
        self._loop.in_flight.begin(label, count)

    def arrived(self, label: str, count: int = 1) -> None:
        self._loop.in_flight.end(label, count)

    def call_after(self, seconds: float, who: str, go: Go) -> asyncio.TimerHandle | None:
        """Queue ``go`` for this agent's turn, ``seconds`` from now; None if that is no future instant."""
        if math.isnan(seconds):
            raise ClockError(f"'{who}' asked to wait for NaN seconds; durations are numbers of seconds.")
        number = self._turns.number()
        if seconds > FOREVER:
            return None
        ticks = round(max(0.0, seconds) * TICKS_PER_S)
        if ticks == 0:
            self._loop.ask(self._turns, who, number, go)
            return None
        due = (self._loop.ticks + ticks) / TICKS_PER_S
        return self._loop.call_at(due, self._loop.ask, self._turns, who, number, go)


class VirtualTimeout:
    """Cancels its body at the agent's turn after the deadline and raises TimeoutError.

    The cancelling itself, with its care for nesting and for cancellation from outside, is ``asyncio.timeout``'s: it is
    entered without a deadline and gets one that has passed when the turn comes.
    """

    def __init__(self, time: VirtualTimeline, seconds: float, who: str) -> None:
        self._time = time
        self._seconds = seconds
        self._who = who
        self._scope = asyncio.timeout(None)
        self._timer: asyncio.TimerHandle | None = None
        self._over = False

    async def __aenter__(self) -> None:
        await self._scope.__aenter__()
        self._timer = self._time.call_after(self._seconds, self._who, self._expire)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        await self._scope.__aexit__(kind, error, trace)

    def _expire(self) -> bool:
        if self._over:
            return False
        self._scope.reschedule(asyncio.get_running_loop().time())
        return True


def _continue(asked: asyncio.Future[None]) -> bool:
    try:
        asked.set_result(None)
    except asyncio.InvalidStateError:  # cancelled; asking first would leave a gap for a signal handler to do so
        return False
    return True
