"""The push half of the in-process bus (seed document 004)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from harness.bus.memory import MemoryBus, MemorySession
from harness.bus.protocol import BusMessage, Inbox
from harness.clock.protocol import Clock, Timeline
from harness.clock.runner import run


def message(number: int) -> BusMessage:
    return BusMessage(f"msg_{number}", "", "lead", "bob", "task", "x", "", "t")


def joined(main: Callable[[MemorySession, Timeline], Coroutine[Any, Any, None]]) -> None:
    async def whole(clock: Clock) -> None:
        bus = MemoryBus()
        time = clock.start()
        await main(await bus.join("s", time), time)
        await bus.close()

    run("virtual", whole)


def test_pushed_at_once_and_still_in_the_mailbox() -> None:
    async def main(session: MemorySession, time: Timeline) -> None:
        pushed = session.subscribe("bob")
        waiting = asyncio.ensure_future(anext(pushed))
        await time.sleep(7, "lead")
        await session.send(message(1))
        assert await waiting == message(1)
        assert time.now() == 7.0
        assert await session.read("bob") == Inbox((message(1),))

    joined(main)


def test_late_subscribers_get_the_last_1024() -> None:
    async def main(session: MemorySession, time: Timeline) -> None:
        for i in range(1030):
            await session.send(message(i))
        late = session.subscribe("bob")
        await session.close()
        assert [m async for m in late] == [message(i) for i in range(6, 1030)]
        assert late.missed == 6

    joined(main)


def test_a_slow_subscriber_loses_the_oldest_and_knows_how_many() -> None:
    async def main(session: MemorySession, time: Timeline) -> None:
        slow, quick = session.subscribe("bob"), session.subscribe("bob")
        await session.send(message(0))
        assert await anext(slow) == message(0)
        for i in range(1, 1100):
            await session.send(message(i))
        assert await anext(slow) == message(1100 - 1024)
        assert slow.missed == 75
        assert await anext(quick) == message(1100 - 1024)
        assert quick.missed == 76

    joined(main)


def test_subscriptions_end_with_the_session() -> None:
    async def main(session: MemorySession, time: Timeline) -> None:
        pushed = session.subscribe("bob")
        waiting = asyncio.ensure_future(anext(pushed))
        await asyncio.sleep(0)
        await session.close()
        with pytest.raises(StopAsyncIteration):
            await waiting

    joined(main)
