"""One run's mailboxes on a Redis server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from harness.bus.deliveries import Deliveries
from harness.bus.keys import Keys, decode, encode
from harness.bus.notices import Notices
from harness.bus.protocol import INBOX_CAP, BusMessage, Inbox
from harness.clock.protocol import Timeline
from harness.errors import BusError

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

ROUND_TRIP_S = 30.0
"""Real seconds after which a server that does not answer is given up. On the virtual clock this cannot expire, time
standing still meanwhile; its watchdog speaks first."""

_SEND = """
local queued = redis.call('LPUSH', KEYS[1], ARGV[1])
local cap = tonumber(ARGV[2])
local trimmed = {}
if queued > cap then
  trimmed = redis.call('LRANGE', KEYS[1], cap, -1)
  redis.call('LTRIM', KEYS[1], 0, cap - 1)
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return {redis.call('PUBLISH', ARGV[4], ARGV[5]), trimmed}
"""

_TAKE = """
local queued = redis.call('LRANGE', KEYS[1], 0, -1)
if #queued > 0 then redis.call('DEL', KEYS[1]) end
return queued
"""


class Server:
    """The connections to one server and the two scripts that are run there."""

    def __init__(self, client: Redis, shown: str, ttl_s: int) -> None:
        self.client = client
        self.shown = shown
        self._ttl_s = ttl_s
        self._send = client.register_script(_SEND)
        self._take = client.register_script(_TAKE)

    async def load(self, time: Timeline) -> None:
        """Register the scripts, so that the first sample pays no more than the others."""
        with time.real("redis script load"):
            try:
                await self.client.script_load(_SEND)
                await self.client.script_load(_TAKE)
            except (RedisError, OSError) as error:
                raise BusError(f"Redis at {self.shown} does not accept Lua scripts: {error}", url=self.shown) from error

    async def send(self, mailbox: bytes, text: bytes, channel: bytes, agent: bytes) -> tuple[int, list[bytes]]:
        """Queue, trim, expire and notify in one step; returns the number of subscribers that the notification reached
        and what was trimmed, newest first."""
        receivers, trimmed = await self._send(keys=[mailbox], args=[text, INBOX_CAP, self._ttl_s, channel, agent])
        return receivers, trimmed

    async def take(self, mailbox: bytes) -> list[bytes]:
        """Empty a mailbox in one step; newest first."""
        queued: list[bytes] = await self._take(keys=[mailbox])
        return queued


class RedisSession:
    """``harness.bus.protocol.BusSession`` with a subscription of its own."""

    def __init__(
        self, server: Server, keys: Keys, session_id: str, time: Timeline, on_closed: Callable[[], None]
    ) -> None:
        self._server = server
        self._keys = keys
        self._id = session_id
        self._time = time
        self._on_closed = on_closed
        self._channel = keys.channel(session_id)
        self._notices = Notices()
        self._deliveries = Deliveries()
        self._taken: dict[str, list[BusMessage]] = {}
        self._taking: dict[str, asyncio.Lock] = {}
        self._mailboxes: set[bytes] = set()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._pubsub = server.client.pubsub()
        self._listener: asyncio.Task[None] | None = None
        self._notification = f"notification of session {session_id}"
        self._expected = 0
        self._closed = False
        self._silent = False

    async def open(self) -> None:
        """Subscribe and wait for the server's confirmation."""
        await self._round_trip("subscribe", self._subscribe())
        self._listener = asyncio.create_task(self._listen(), name=f"redis subscription {self._id}")

    async def send(self, message: BusMessage) -> Sequence[BusMessage]:
        await self._time.turn(message.sender)
        self._notices.check()
        trimmed = await self._finish(self._post(message))
        return tuple(map(BusMessage.from_json, reversed(trimmed)))

    async def read(self, agent: str) -> Inbox:
        await self._time.turn(agent)
        self._notices.check()
        await self._finish(self._take(agent), lambda: self._call_back(agent))
        return self._deliveries.inbox(agent, self._taken.pop(agent, ()))

    async def notified(self) -> str:
        return await self._notices.next(self._time)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._notices.fail(f"session '{self._id}' of the bus is closed.")
        try:
            if self._under_way:
                await asyncio.wait(self._under_way)
            if self._listener is not None:
                self._listener.cancel()
                await asyncio.wait([self._listener])
            self._settle(self._expected)
            await self._round_trip("close", self._leave())
        except BusError as error:  # the run is over either way; what is left expires by itself
            _log.warning("%s", error)
        finally:
            self._on_closed()

    async def _subscribe(self) -> None:
        try:
            await self._confirmed()
        except (RedisError, OSError):
            # Perhaps a connection that died in the pool, unnoticed. Nothing was sent yet, so once more is safe.
            await self._unsubscribe()
            await self._server.client.connection_pool.disconnect(inuse_connections=False)
            await self._confirmed()

    async def _confirmed(self) -> None:
        await self._pubsub.subscribe(self._channel)
        await self._pubsub.get_message(timeout=None)  # the first thing to come back is the confirmation

    async def _unsubscribe(self) -> None:
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]

    async def _leave(self) -> None:
        await self._unsubscribe()
        if self._mailboxes and not self._silent:
            await self._server.client.delete(*self._mailboxes)

    async def _listen(self) -> None:
        try:
            while True:
                event = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=None)
                if event is not None:
                    self._settle(1)
                    self._notices.push(decode(event["data"]))
        except (RedisError, OSError) as error:
            self._lost("listen", str(error))

    async def _post(self, message: BusMessage) -> list[bytes]:
        agent = message.recipient
        mailbox = self._keys.mailbox(self._id, agent)
        self._mailboxes.add(mailbox)
        # Expected before it is published, because it can arrive before the answer does; and once, however many others
        # are subscribed, because only ours arrives here.
        self._expected += 1
        self._time.expect(self._notification)
        try:
            receivers, trimmed = await self._round_trip(
                "send", self._server.send(mailbox, encode(message.to_json()), self._channel, encode(agent))
            )
        except BaseException:
            self._settle(1)
            raise
        if not receivers:
            raise self._lost("send", "nobody is subscribed to the session's notifications any more")
        return trimmed

    async def _take(self, agent: str) -> None:
        lock = self._taking.setdefault(agent, asyncio.Lock())
        async with lock:  # so that a read cannot overtake one that was given up
            queued = await self._round_trip("read", self._server.take(self._keys.mailbox(self._id, agent)))
            if queued:
                self._taken.setdefault(agent, []).extend(map(BusMessage.from_json, reversed(queued)))

    def _call_back(self, agent: str) -> None:
        """A read was given up. What it had taken out of Redis waits for the next read; ask for one."""
        if agent in self._taken:
            self._notices.push(agent)

    async def _round_trip(self, what: str, operation: Awaitable[_T]) -> _T:
        try:
            with self._time.real(f"redis {what} of session {self._id}"):
                async with asyncio.timeout(ROUND_TRIP_S):
                    return await operation
        except TimeoutError as error:
            self._silent = True
            raise self._lost(what, f"no answer within {ROUND_TRIP_S:g} s.") from error
        except (RedisError, OSError) as error:
            raise self._lost(what, str(error)) from error
        except asyncio.CancelledError:  # only the end of the loop gets here, through what ``_finish`` shields
            self._silent = True
            raise

    async def _finish(self, work: Coroutine[Any, Any, _T], given_up: Callable[[], object] | None = None) -> _T:
        """Let ``work`` run to its end even if the caller is cancelled, and then call ``given_up``: a command that was
        cut off may have been carried out, and redis-py would drop the connection with it."""
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if given_up is not None:
                task.add_done_callback(lambda _: given_up())
            raise

    def _settle(self, count: int) -> None:
        """No longer expect ``count`` notifications: they have arrived, or never will."""
        count = min(count, self._expected)
        self._expected -= count
        self._time.arrived(self._notification, count)

    def _lost(self, what: str, reason: str) -> BusError:
        """The session is broken: everything that waits or asks from now on gets this error."""
        message = (
            f"Redis at {self._server.shown} failed during '{what}' of session '{self._id}': {reason} This run cannot "
            "go on; later ones connect anew. Check that the server is up and has memory left."
        )
        self._settle(self._expected)
        self._notices.fail(message)
        return BusError(message, url=self._server.shown, session=self._id)
