"""What concerns a Redis server only: its keys, its address, its loss."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import redis
from redis.asyncio import Redis

import harness.bus.redis as redis_bus
from harness.bus.address import masked
from harness.bus.keys import Keys
from harness.bus.protocol import BusMessage, Inbox
from harness.bus.redis import RedisBus
from harness.bus.redis_session import RedisSession
from harness.bus.server import PrivateServer
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.errors import BusError, ClockError, ConfigError

from .servers import redis_binaries

KINDS = pytest.mark.parametrize("kind", ["virtual", "real"])


def message(number: int, to: str = "bob") -> BusMessage:
    return BusMessage(f"msg_{number}", "", "lead", to, "task", "x", "", "t")


def with_bus(url: str, kind: str, main: Callable[[RedisBus, Clock], Coroutine[Any, Any, None]]) -> None:
    async def whole(clock: Clock) -> None:
        bus = RedisBus(url, prefix="th-test")
        await bus.open(clock)
        try:
            async with asyncio.timeout(60):
                await main(bus, clock)
        finally:
            await bus.close()

    run(kind, whole, watchdog_s=20)


@KINDS
def test_every_key_has_a_ttl_and_none_is_left(redis_url: str, kind: str) -> None:
    seen = redis.Redis.from_url(redis_url)

    async def main(bus: RedisBus, clock: Clock) -> None:
        session = await bus.join("s", clock.start())
        for i, agent in enumerate(["lead", "bob", "阿丽", "a:b"]):
            await session.send(message(i, agent))
        keys = list(seen.scan_iter("th-test:*"))
        assert len(keys) == 4
        assert {k.split(b":")[2] for k in keys} == {b"mailbox"}
        assert all(3590 <= seen.ttl(k) <= 3600 for k in keys)
        await session.read("bob")
        await session.close()

    with_bus(redis_url, kind, main)
    assert list(seen.scan_iter("th-test:*")) == []
    seen.close()


def test_two_experiments_with_the_same_session_ids_do_not_meet(redis_url: str) -> None:
    async def main(bus: RedisBus, clock: Clock) -> None:
        other = RedisBus(redis_url, prefix="th-test")
        await other.open(clock)
        ours, theirs = await bus.join("s", clock.start()), await other.join("s", clock.start())
        await ours.send(message(1))
        assert await theirs.read("bob") == Inbox(())
        assert await ours.read("bob") == Inbox((message(1),))
        await other.close()

    with_bus(redis_url, "virtual", main)


def test_a_spectator_does_not_hold_up_virtual_time(redis_url: str) -> None:
    """PUBLISH counts every subscriber; only ours is waited for."""

    async def main(bus: RedisBus, clock: Clock) -> None:
        spectator = redis.Redis.from_url(redis_url)
        watching = spectator.pubsub()  # type: ignore[no-untyped-call]
        watching.psubscribe("*")
        assert watching.get_message(timeout=5) is not None
        time = clock.start()
        session = await bus.join("s", time)
        await session.send(message(1))
        assert await session.notified() == "bob"
        await time.sleep(45, "lead")
        assert time.now() == 45.0
        watching.close()
        spectator.close()

    with_bus(redis_url, "virtual", main)


def test_scripts_that_the_server_forgot_are_sent_again(redis_url: str) -> None:
    async def main(bus: RedisBus, clock: Clock) -> None:
        session = await bus.join("s", clock.start())
        with redis.Redis.from_url(redis_url) as client:
            client.script_flush()
        await session.send(message(1))
        assert await session.read("bob") == Inbox((message(1),))

    with_bus(redis_url, "virtual", main)


@KINDS
@pytest.mark.parametrize("killed", ["pubsub", "normal"])
def test_a_lost_connection_fails_its_run_and_no_later_one(
    redis_url: str, kind: str, killed: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)

    async def fails(session: RedisSession) -> str:
        with pytest.raises(BusError) as caught:
            for i in range(100):
                await session.send(message(i))
                await session.read("bob")
        return str(caught.value)

    async def main(bus: RedisBus, clock: Clock) -> None:
        session = await bus.join("s", clock.start())
        await session.send(message(0))
        if killed == "pubsub":
            with redis.Redis.from_url(redis_url) as client:
                client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            assert "failed during" in await fails(session)
            with pytest.raises(BusError, match="failed during"):
                await session.notified()
            await session.close()
        else:  # renewed if the loss was noticed while the connection was idle: then nothing was under way
            with redis.Redis.from_url(redis_url) as client:
                client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            with contextlib.suppress(BusError):
                assert await session.read("bob") == Inbox((message(0),))
        later = await bus.join("later", clock.start())
        await later.send(message(1))
        assert await later.notified() == "bob"
        assert await later.read("bob") == Inbox((message(1),))

    with_bus(redis_url, kind, main)


@KINDS
def test_a_server_that_dies_fails_the_run_at_once(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    server = PrivateServer.start()

    async def main(bus: RedisBus, clock: Clock) -> None:
        session = await bus.join("s", clock.start())
        waiting = asyncio.create_task(session.notified())
        await asyncio.sleep(0)
        server.stop()
        with pytest.raises(BusError, match=r"Redis at unix://.* failed during '(send|listen)' of session 's'"):
            await session.send(message(1))
        with pytest.raises(BusError, match="This run cannot go on; later ones connect anew"):
            await asyncio.wait_for(waiting, 30)

    with_bus(server.url, kind, main)


@KINDS
def test_unreachable_server(kind: str) -> None:
    with pytest.raises(BusError) as caught:
        with_bus("redis://me:s3cret@127.0.0.1:1/0", kind, None)  # type: ignore[arg-type]
    text = str(caught.value)
    assert "cannot reach Redis at redis://***@127.0.0.1:1/0" in text
    assert "bus=embedded" in text and "bus=memory" in text and "Start a Redis server" in text
    assert "s3cret" not in text and "s3cret" not in repr(caught.value.facts)


def test_wrong_password_is_an_error_and_not_shown() -> None:
    server = PrivateServer.start()
    with redis.Redis.from_url(server.url) as client:
        client.config_set("requirepass", "right-one")
    try:
        with pytest.raises(BusError, match="cannot reach Redis") as caught:
            with_bus(server.url.replace("unix://", "unix://:wr0ng@"), "virtual", None)  # type: ignore[arg-type]
        assert "wr0ng" not in str(caught.value)

        async def main(bus: RedisBus, clock: Clock) -> None:
            session = await bus.join("s", clock.start())
            await session.send(message(1))
            assert await session.read("bob") == Inbox((message(1),))

        with_bus(server.url.replace("unix://", "unix://:right-one@"), "virtual", main)
    finally:
        server.stop()


@pytest.mark.parametrize(
    "url", ["localhost:6379", "http://u:s3cret@host", "redis://u:s3cret@host:port/0", "redis://h/0?s3cret=1"]
)
def test_what_is_no_redis_address(url: str) -> None:
    with pytest.raises(BusError) as caught:
        with_bus(url, "virtual", None)  # type: ignore[arg-type]
    assert "rediss://host:port/db" in str(caught.value) or "cannot reach" in str(caught.value)
    assert "s3cret@" not in str(caught.value)


def test_a_server_that_is_too_old(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_bus, "OLDEST_VERSION", 99)
    with pytest.raises(BusError, match=r"is version '\d+\.\d+\.\d+', and the bus needs 99 or later"):
        with_bus(redis_url, "virtual", None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://localhost:6379/0", "redis://localhost:6379/0"),
        ("redis://:s3cret@host/1", "redis://***@host/1"),
        ("rediss://me:p@ss/w:rd@host:1/2", "rediss://***@host:1/2"),
        ("unix:///tmp/s?password=s3cret&db=1", "unix:///tmp/s?password=***&db=1"),
    ],
)
def test_masking(url: str, shown: str) -> None:
    assert masked(url) == shown


def test_credentials_are_not_in_the_repr() -> None:
    assert "s3cret" not in repr(RedisBus("redis://:s3cret@host/0"))


def test_key_names() -> None:
    keys = Keys("th:1234")
    assert keys.mailbox("sess_1", "alice") == b"th:1234:mailbox:sess_1:alice"
    assert keys.channel("sess_1") == b"th:1234:agent:notify:sess_1"
    assert keys.mailbox("a", "b:c") != keys.mailbox("a:b", "c")
    assert keys.mailbox("a%3Ab", "c") != keys.mailbox("a:b", "c")


@pytest.mark.parametrize("prefix", ["", "a b", "a:b", "*"])
def test_unusable_prefix(prefix: str) -> None:
    with pytest.raises(ConfigError, match=r"bus\.prefix"):
        RedisBus(prefix=prefix)


def test_join_before_open() -> None:
    async def main(clock: Clock) -> None:
        with pytest.raises(BusError, match="call open"):
            await RedisBus().join("s", clock.start())

    run("virtual", main)


def test_a_frozen_server_is_named_by_the_watchdog() -> None:
    """On the virtual clock, a server that stops answering ends the loop with the operation's name."""
    server = PrivateServer.start(next(iter(redis_binaries().values())))
    with redis.Redis.from_url(server.url) as client:
        pid = client.info("server")["process_id"]

    async def main(clock: Clock) -> None:
        bus = RedisBus(server.url, prefix="th-test")
        await bus.open(clock)
        try:
            session = await bus.join("s", clock.start())
            os.kill(pid, signal.SIGSTOP)
            await session.send(message(1))
        finally:
            await bus.close()

    try:
        with pytest.raises(ClockError, match=r"still for 0\.5 real seconds.*redis send of session s for 0\.[5-9]"):
            run("virtual", main, watchdog_s=0.5)
    finally:
        server.stop()


def test_150_sessions_at_once(redis_url: str) -> None:
    """More than the 100 connections that redis-py allows by default."""

    async def main(bus: RedisBus, clock: Clock) -> None:
        sessions = await asyncio.gather(*(bus.join(f"s{i}", clock.start()) for i in range(150)))
        await asyncio.gather(*(s.send(message(i)) for i, s in enumerate(sessions)))
        got = await asyncio.gather(*(s.read("bob") for s in sessions))
        assert got == [Inbox((message(i),)) for i in range(150)]

    with_bus(redis_url, "virtual", main)


def test_redis_client_is_closed(redis_url: str) -> None:
    async def main(bus: RedisBus, clock: Clock) -> None:
        await bus.join("s", clock.start())

    async def clients() -> int:
        async with Redis.from_url(redis_url) as client:
            return len(await client.client_list())

    with_bus(redis_url, "virtual", main)
    assert asyncio.run(clients()) == 1
