"""The notifications of one session on their way to its listener."""

from __future__ import annotations

import asyncio
from collections import deque

from harness.clock.protocol import Timeline
from harness.errors import BusError

LISTENER = ""
"""The listener's name in the order of an instant: before every agent, so that whoever was addressed is woken (or
loaded) as soon as the sender's action is over."""


class Notices:
    """An unbounded queue for one consumer: what was pushed is delivered, in order, unless ``fail`` ends it."""

    def __init__(self) -> None:
        self._names: deque[str] = deque()
        self._error: str | None = None
        self._changed = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._names)

    def push(self, agent: str) -> None:
        self._names.append(agent)
        self._changed.set()

    def fail(self, message: str) -> None:
        """From now on ``next`` raises BusError with this message (the first one given)."""
        self._error = self._error or message
        self._changed.set()

    def check(self) -> None:
        """Raise BusError if ``fail`` was called."""
        if self._error is not None:
            raise BusError(self._error)

    async def next(self, time: Timeline) -> str:
        """The oldest name, at the listener's turn. A cancelled wait takes nothing out."""
        while True:
            self.check()
            if self._names:
                await time.turn(LISTENER)
                if self._names:
                    return self._names.popleft()
            self._changed.clear()
            await self._changed.wait()
