"""What every backend must do alike (seed document 000, sections 3.3 and 8)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.bus.protocol import INBOX_CAP, BusBackend, BusMessage, BusSession, Inbox
from harness.bus.redis import RedisBus
from harness.clock.protocol import Clock, Timeline
from harness.clock.runner import run
from harness.errors import BusError, ConfigError

T = TypeVar("T")
Make = Callable[[], BusBackend]


def message(number: int, to: str = "bob", sender: str = "lead", content: str = "x") -> BusMessage:
    return BusMessage(f"msg_{number:012x}", "", sender, to, "task", content, "", "1970-01-01T00:00:00.000000Z")


def opened(make: Make, main: Callable[[BusBackend, Clock], Awaitable[T]], kind: str = "virtual") -> T:
    """Run ``main`` with an open bus; bounded in real time."""

    async def whole(clock: Clock) -> T:
        bus = make()
        await bus.open(clock)
        try:
            return await main(bus, clock)
        finally:
            await bus.close()

    return run(kind, whole, watchdog_s=20)


def joined(make: Make, main: Callable[[BusSession, Timeline], Awaitable[T]], kind: str = "virtual") -> T:
    """Run ``main`` with one session."""

    async def whole(bus: BusBackend, clock: Clock) -> T:
        time = clock.start()
        session = await bus.join("s", time)
        try:
            return await main(session, time)
        finally:
            await session.close()

    return opened(make, whole, kind)


AGENTS = ["lead", "bob", "a:b", "b", "阿丽", "%3A", "", "x" * 300, "new\nline", "../up"]
SESSIONS = ["s", "s:a"]  # ("s", "a:b") and ("s:a", "b") must not be one mailbox

steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("send"),
            st.sampled_from(SESSIONS),
            st.sampled_from(AGENTS),
            st.integers(0, 30),
            st.text(max_size=20),
            st.integers(1, 60),
        ),
        st.tuples(st.just("read"), st.sampled_from(SESSIONS), st.sampled_from(AGENTS)),
    ),
    max_size=12,
)


class Model:
    """The contract in its plainest form."""

    def __init__(self) -> None:
        self.queues: dict[tuple[str, str], list[BusMessage]] = {}
        self.delivered: set[tuple[str, str, str]] = set()

    def send(self, session: str, m: BusMessage) -> tuple[BusMessage, ...]:
        queue = self.queues.setdefault((session, m.recipient), [])
        queue.append(m)
        trimmed = tuple(queue[:-50])
        del queue[:-50]
        return trimmed

    def read(self, session: str, agent: str) -> Inbox:
        fresh: list[BusMessage] = []
        repeated: list[BusMessage] = []
        for m in self.queues.pop((session, agent), []):
            key = (session, agent, m.msg_id)
            (repeated if key in self.delivered else fresh).append(m)
            self.delivered.add(key)
        return Inbox(tuple(fresh), tuple(repeated))


@settings(max_examples=60, deadline=None)
@given(steps=steps)
def test_order_cap_trimming_dedupe_and_isolation(backend: Make, steps: list[tuple[Any, ...]]) -> None:
    async def main(bus: BusBackend, clock: Clock) -> None:
        sessions = {name: await bus.join(name, clock.start()) for name in SESSIONS}
        model = Model()
        for step in steps:
            if step[0] == "send":
                _, name, agent, number, content, times = step
                for i in range(times):
                    m = message(number + i, agent, content=content)
                    assert tuple(await sessions[name].send(m)) == model.send(name, m)
            else:
                _, name, agent = step
                assert await sessions[name].read(agent) == model.read(name, agent)
        for name in SESSIONS:
            for agent in AGENTS:
                assert await sessions[name].read(agent) == model.read(name, agent)

    opened(backend, main)


@settings(max_examples=25, deadline=None)
@given(names=st.lists(st.sampled_from(AGENTS), max_size=INBOX_CAP), kind=st.sampled_from(["virtual", "real"]))
def test_every_send_is_notified_in_order(backend: Make, names: list[str], kind: str) -> None:
    async def main(session: BusSession, time: Timeline) -> list[str]:
        for i, name in enumerate(names):
            await session.send(message(i, name))
        async with asyncio.timeout(30):
            return [await session.notified() for _ in names]

    assert joined(backend, main, kind) == names


def test_51_messages_leave_the_newest_50(backend: Make) -> None:
    async def main(session: BusSession, time: Timeline) -> None:
        for i in range(50):
            assert tuple(await session.send(message(i))) == ()
        assert tuple(await session.send(message(50))) == (message(0),)
        assert await session.read("bob") == Inbox(tuple(message(i) for i in range(1, 51)))
        assert await session.read("bob") == Inbox(())

    joined(backend, main)


def test_a_message_id_is_delivered_once_in_a_mailboxs_life(backend: Make) -> None:
    async def main(session: BusSession, time: Timeline) -> None:
        await session.send(message(1))
        await session.send(message(1))
        await session.send(message(1, to="eve"))
        assert await session.read("bob") == Inbox((message(1),), (message(1),))
        await session.send(message(1, content="again"))
        assert await session.read("bob") == Inbox((), (message(1, content="again"),))
        assert await session.read("eve") == Inbox((message(1, to="eve"),))

    joined(backend, main)


@pytest.mark.parametrize("content", ["季度报告 📈", "\x00\r\n\u2028'\"\\", "\ud83d alone", "報" * 350_000, ""])
def test_contents_come_back_unchanged(backend: Make, content: str) -> None:
    sent = BusMessage("msg_1", "msg_0", "阿丽", "bob", "result", content, content[:100], "1970-01-01T00:00:00.000000Z")

    async def main(session: BusSession, time: Timeline) -> Inbox:
        await session.send(sent)
        return await session.read("bob")

    assert joined(backend, main) == Inbox((sent,))


def test_a_cancelled_wait_for_a_notification_loses_none(backend: Make) -> None:
    """Waits of every length are cut off around the moment at which the notification comes."""

    async def main(session: BusSession, time: Timeline) -> int:
        heard = 0
        for i in range(40):
            waiting = asyncio.create_task(session.notified())
            await session.send(message(i, to=f"agent-{i}"))
            for _ in range(i % 8):
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            heard += not waiting.cancelled()
        while heard < 40:
            async with asyncio.timeout(30):
                await session.notified()
            heard += 1
        with pytest.raises(TimeoutError):
            async with time.timeout(5, "test"):
                await session.notified()
        return heard

    assert joined(backend, main) == 40


@pytest.mark.parametrize("kind", ["virtual", "real"])
def test_a_cancelled_read_loses_nothing(backend: Make, kind: str) -> None:
    """Reads are cut off at every stage; in the end each message was delivered once, in order."""

    async def main(session: BusSession, time: Timeline) -> list[str]:
        got: list[str] = []
        for i in range(50):
            await session.send(message(i))
            reading = asyncio.create_task(session.read("bob"))
            for _ in range(i % 12):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.wait([reading])
            if not reading.cancelled():
                got += [m.msg_id for m in reading.result().messages]
        return got + [m.msg_id for m in (await session.read("bob")).messages]

    assert joined(backend, main, kind) == [message(i).msg_id for i in range(50)]


def test_what_a_cancelled_read_had_taken_is_notified_again(redis_url: str) -> None:
    async def main(session: BusSession, time: Timeline) -> int:
        again = 0
        for i in range(100):
            await session.send(message(i))
            assert await session.notified() == "bob"
            reading = asyncio.create_task(session.read("bob"))
            for _ in range(1 + i % 20):
                await asyncio.sleep(0)
            reading.cancel()
            await asyncio.wait([reading])
            if reading.cancelled() and i % 20:  # with i % 20 == 0 the read was cut off before it was sent
                assert await asyncio.wait_for(session.notified(), 30) == "bob"
                again += 1
                assert (await session.read("bob")).messages == (message(i),)
            elif reading.cancelled():
                await session.read("bob")
        return again

    assert joined(lambda: RedisBus(redis_url, prefix="th-test"), main, kind="real") > 0


def test_closed_sessions_say_so(backend: Make) -> None:
    async def main(bus: BusBackend, clock: Clock) -> None:
        session = await bus.join("s", clock.start())
        waiting = asyncio.create_task(session.notified())
        await asyncio.sleep(0)
        await session.send(message(1))
        await session.close()
        await session.close()
        with pytest.raises(BusError, match="session 's' of the bus is closed"):
            await session.send(message(2))
        with pytest.raises(BusError, match="session 's' of the bus is closed"):
            await session.read("bob")
        with pytest.raises(BusError, match="session 's' of the bus is closed"):
            await session.notified()
        await asyncio.wait([waiting], timeout=30)
        assert waiting.done()
        if not waiting.exception():
            assert waiting.result() == "bob"
        again = await bus.join("s", clock.start())  # the name is free again, and its mailboxes are new
        assert await again.read("bob") == Inbox(())

    opened(backend, main)


def test_two_open_sessions_of_one_name_are_refused(backend: Make) -> None:
    async def main(bus: BusBackend, clock: Clock) -> None:
        await bus.join("s", clock.start())
        with pytest.raises(BusError, match="session 's' has already joined"):
            await bus.join("s", clock.start())

    opened(backend, main)


def test_sessions_that_a_run_opens_at_one_instant_return_by_id(backend: Make) -> None:
    async def main(bus: BusBackend, clock: Clock) -> None:
        time, order = clock.start(), list[str]()

        async def join(name: str) -> None:
            await bus.join(name, time)
            order.append(name)

        names = [f"s/{n}" for n in range(8)]
        await asyncio.gather(*(join(name) for name in reversed(names)))
        assert order == names

    opened(backend, main)


def test_a_bus_can_be_opened_again(backend: Make) -> None:
    async def main(clock: Clock) -> None:
        bus = backend()
        for _ in range(2):
            await bus.open(clock)
            session = await bus.join("s", clock.start())
            await session.send(message(1))
            assert await session.read("bob") == Inbox((message(1),))
            await bus.close()

    run("virtual", main)


def test_an_untouched_mailbox_expires(backend: Make) -> None:
    async def main(session: BusSession, time: Timeline) -> None:
        await session.send(message(1))
        await session.send(message(2, to="eve"))
        await asyncio.sleep(0.6)
        await session.send(message(3))  # touches bob's mailbox and not eve's
        await asyncio.sleep(0.6)
        assert await session.read("bob") == Inbox((message(1), message(3)))
        assert await session.read("eve") == Inbox(())

    def short() -> BusBackend:
        bus: Any = backend()
        bus.ttl_s = 1
        return bus  # type: ignore[no-any-return]

    joined(short, main, kind="real")


def test_ttl_below_a_second_is_refused(backend: Make) -> None:
    with pytest.raises(ConfigError, match=r"bus\.ttl_s is 0; it must be at least 1 second"):
        type(backend())(ttl_s=0)  # type: ignore[call-arg]
