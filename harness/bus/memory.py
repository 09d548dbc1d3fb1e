"""The bus inside one process: a queue for reliability, a push channel for immediacy (seed document 004)."""

from __future__ import annotations

import time as real_time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.bus.deliveries import Deliveries
from harness.bus.notices import Notices
from harness.bus.opened import OpenSessions, check_ttl
from harness.bus.protocol import INBOX_CAP, TTL_S, BusMessage, Inbox
from harness.bus.push import PushChannel, Subscription
from harness.clock.protocol import Clock, Timeline


@dataclass
class MemoryBus:
    """Mailboxes in this process (``harness.bus.protocol.BusBackend``).

    ttl_s: real seconds until a mailbox that nobody touches is forgotten, as Redis does it.
    """

    ttl_s: int = TTL_S

    name = "memory"

    def __post_init__(self) -> None:
        check_ttl(self.ttl_s)
        self._sessions: OpenSessions[MemorySession] = OpenSessions()

    async def open(self, clock: Clock) -> None:
        """Nothing to start."""

    async def join(self, session_id: str, time: Timeline) -> MemorySession:
        session = self._sessions.add(session_id, lambda closed: MemorySession(session_id, time, self.ttl_s, closed))
        await time.turn(session_id)
        return session

    async def close(self) -> None:
        await self._sessions.close()


class MemorySession:
    """``harness.bus.protocol.BusSession``, and ``subscribe`` for those who want messages pushed to them."""

    def __init__(self, session_id: str, time: Timeline, ttl_s: int, on_closed: Callable[[], None]) -> None:
        self._id = session_id
        self._time = time
        self._ttl_s = ttl_s
        self._on_closed = on_closed
        self._mailboxes: dict[str, deque[BusMessage]] = {}
        self._expires: dict[str, float] = {}
        self._pushes: defaultdict[str, PushChannel] = defaultdict(PushChannel)
        self._notices = Notices()
        self._deliveries = Deliveries()

    async def send(self, message: BusMessage) -> Sequence[BusMessage]:
        await self._time.turn(message.sender)
        self._notices.check()
        agent = message.recipient
        queue = self._take(agent)
        queue.append(message)
        trimmed = [queue.popleft() for _ in range(len(queue) - INBOX_CAP)]
        self._mailboxes[agent] = queue
        self._expires[agent] = real_time.monotonic() + self._ttl_s
        self._pushes[agent].push(message)
        self._notices.push(agent)
        return tuple(trimmed)

    async def read(self, agent: str) -> Inbox:
        await self._time.turn(agent)
        self._notices.check()
        return self._deliveries.inbox(agent, self._take(agent))

    async def notified(self) -> str:
        return await self._notices.next(self._time)

    def subscribe(self, agent: str) -> Subscription:
        """Messages to this agent as they are sent, the last 1,024 earlier ones first. The mailbox is not touched."""
        self._notices.check()
        return Subscription(self._pushes[agent])

    async def close(self) -> None:
        self._notices.fail(f"session '{self._id}' of the bus is closed.")
        self._mailboxes.clear()
        for push in self._pushes.values():
            push.close()
        self._on_closed()

    def _take(self, agent: str) -> deque[BusMessage]:
        """The mailbox's queue, removed; empty if it has expired."""
        queue = self._mailboxes.pop(agent, None)
        if queue is None or real_time.monotonic() >= self._expires[agent]:
            return deque()
        return queue
