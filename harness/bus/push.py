"""The push half of the in-process bus: live delivery, with a replay for subscribers that come late."""

from __future__ import annotations

import asyncio
from collections import deque

from harness.bus.protocol import BusMessage

REPLAY = 1024
"""Messages kept for replay (seed document 004: the back-pressure limit of its in-process bus)."""


class PushChannel:
    """Messages pushed to one agent, for any number of subscribers, none of which consumes the mailbox."""

    def __init__(self) -> None:
        self._replay: deque[BusMessage] = deque(maxlen=REPLAY)
        self._pushed = 0
        self._closed = False
        self._changed = asyncio.Event()

    def push(self, message: BusMessage) -> None:
        self._replay.append(message)
        self._pushed += 1
        self._wake()

    def close(self) -> None:
        """End every subscription once it has delivered what is left."""
        self._closed = True
        self._wake()

    async def since(self, position: int) -> tuple[BusMessage, int] | None:
        """The first message at or after ``position`` that is still kept, and its position; None at the end."""
        while position >= self._pushed:
            if self._closed:
                return None
            await self._changed.wait()
        oldest = self._pushed - len(self._replay)
        at = max(position, oldest)
        return self._replay[at - oldest], at

    def _wake(self) -> None:
        self._changed.set()  # whoever waits now goes on,
        self._changed = asyncio.Event()  # and whoever comes later waits for the next


class Subscription:
    """An asynchronous iterator over a ``PushChannel``, from the oldest message kept. One that falls more than
    ``REPLAY`` messages behind loses the oldest; ``missed`` counts them."""

    def __init__(self, channel: PushChannel) -> None:
        self._channel = channel
        self._position = 0
        self.missed = 0

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> BusMessage:
        found = await self._channel.since(self._position)
        if found is None:
            raise StopAsyncIteration
        message, at = found
        self.missed += at - self._position
        self._position = at + 1
        return message
