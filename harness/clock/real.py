"""Real time, optionally passing faster than it does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from datetime import UTC, datetime
from typing import Literal

from harness.errors import ClockError


class RealClock:
    """The machine's clock (``harness.clock.protocol.Clock``).

    scale: how many of a run's seconds pass in one real second. With 100, every latency and timeout takes a hundredth of
    its time and is still reported at its nominal length.
    """

    kind: Literal["real", "virtual"] = "real"

    def __init__(self, scale: float = 1.0) -> None:
        if not 0 < scale < float("inf"):
            raise ClockError(f"clock.scale is {scale}; it must be a positive number (1 is the speed of real time).")
        self._scale = scale
        self._origin = time.monotonic()

    def ticks(self) -> int:
        return round((time.monotonic() - self._origin) * self._scale * 1e6)

    def start(self) -> RealTimeline:
        return RealTimeline(self._scale)


class RealTimeline:
    """One run's real time (``harness.clock.protocol.Timeline``). Turns are free and nothing needs counting."""

    kind: Literal["real", "virtual"] = "real"

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._origin = time.monotonic()

    def now(self) -> float:
        return (time.monotonic() - self._origin) * self._scale

    def timestamp(self) -> str:
        return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    async def sleep(self, seconds: float, who: str) -> None:
        await asyncio.sleep(seconds / self._scale)

    async def turn(self, who: str) -> None:
        """Free: real time settles the order by itself."""

    @asynccontextmanager
    async def timeout(self, seconds: float, who: str) -> AsyncIterator[None]:
        async with asyncio.timeout(seconds / self._scale):
            yield

    def real(self, label: str) -> AbstractContextManager[None]:
        return nullcontext()

    def expect(self, label: str, count: int = 1) -> None:
        """Nothing to do: real time does not wait."""

    def arrived(self, label: str, count: int = 1) -> None:
        """Nothing to do: real time does not wait."""
