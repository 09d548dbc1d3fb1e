"""Virtual time: exact, ordered, still while something real is under way, and never stuck in silence."""

from __future__ import annotations

import asyncio
import math
import random
import socket
import threading
import time as real_time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.clock.protocol import Clock, Timeline
from harness.clock.runner import run
from harness.errors import ClockError

T = TypeVar("T")


def virtually(main: Callable[[Timeline], Coroutine[Any, Any, T]], watchdog_s: float = 20) -> T:
    """Run ``main`` on a timeline of its own."""

    async def whole(clock: Clock) -> T:
        return await main(clock.start())

    return run("virtual", whole, watchdog_s=watchdog_s)


def test_ten_hours_take_no_time() -> None:
    async def main(time: Timeline) -> float:
        for _ in range(100):
            await time.sleep(360, "a")
        return time.now()

    began = real_time.monotonic()
    assert virtually(main) == 36_000.0
    assert real_time.monotonic() - began < 5


@given(
    start=st.floats(0, 1e8),
    naps=st.lists(st.floats(0, 1e4).map(lambda s: round(s, 6)), max_size=20),
)
@settings(deadline=None)
def test_time_is_exact_wherever_the_run_begins(start: float, naps: list[float]) -> None:
    """A run reads the sum of its naps in whole microseconds, also after three years of other runs."""

    async def main(clock: Clock) -> tuple[float, str]:
        await clock.start().sleep(start, "earlier run")
        time = clock.start()
        assert time.now() == 0.0
        for nap in naps:
            await time.sleep(nap, "a")
        return time.now(), time.timestamp()

    now, stamp = run("virtual", main)
    ticks = sum(round(nap * 1_000_000) for nap in naps)
    assert now == ticks / 1_000_000
    assert stamp.startswith("1970-01-0")
    assert stamp.endswith(f".{ticks % 1_000_000:06d}Z")


def test_timestamp() -> None:
    async def main(time: Timeline) -> str:
        await time.sleep(3725.000001, "a")
        return time.timestamp()

    assert virtually(main) == "1970-01-01T01:02:05.000001Z"


def test_ticks_of_the_clock() -> None:
    async def main(clock: Clock) -> list[int]:
        seen = [clock.ticks()]
        await clock.start().sleep(1.5, "a")
        return [*seen, clock.ticks()]

    assert run("virtual", main) == [0, 1_500_000]


@given(order=st.permutations(range(8)), pairs=st.lists(st.sampled_from("abc"), min_size=8, max_size=8))
@settings(deadline=None)
def test_ties_are_broken_by_name_then_by_order_of_asking(order: list[int], pairs: list[str]) -> None:
    """Sleepers that wake at one instant, whenever they went to sleep."""

    async def main(time: Timeline) -> list[tuple[str, int]]:
        woken: list[tuple[str, int]] = []

        async def one(number: int) -> None:
            await time.sleep(10 - time.now(), pairs[number])
            woken.append((pairs[number], number))

        tasks = []
        for number in order:
            tasks.append(asyncio.create_task(one(number)))
            await time.sleep(0.25, "main")
        await asyncio.gather(*tasks)
        return woken

    asked = {number: place for place, number in enumerate(order)}
    expected = sorted(((pairs[n], n) for n in order), key=lambda pair: (pair[0], asked[pair[1]]))
    assert virtually(main) == expected


def test_a_turn_comes_when_what_went_before_is_over() -> None:
    """The released agent's real I/O, and whatever that wakes, end before the next is released."""

    async def main(time: Timeline) -> list[str]:
        log: list[str] = []
        woken = asyncio.Event()

        async def acts(me: str) -> None:
            await time.turn(me)
            log.append(f"{me} begins")
            await asyncio.to_thread(real_time.sleep, random.choice([0, 0.005]))
            woken.set()
            await asyncio.sleep(0)
            log.append(f"{me} ends")

        async def wakes() -> None:
            await woken.wait()
            for _ in range(5):
                await asyncio.sleep(0)
            log.append("woken")

        await asyncio.gather(acts("b"), acts("a"), wakes(), acts("c"))
        return log

    for _ in range(20):
        assert virtually(main) == ["a begins", "a ends", "woken", "b begins", "b ends", "c begins", "c ends"]


def test_an_instant_ends_only_when_all_turns_were_taken() -> None:
    async def main(time: Timeline) -> list[float]:
        async def many(me: str) -> float:
            for _ in range(10):
                await time.turn(me)
            return time.now()

        async def timer() -> float:
            await time.sleep(0.000001, "timer")
            return time.now()

        return list(await asyncio.gather(many("a"), timer(), many("z")))

    assert virtually(main) == [0.0, 0.000001, 0.0]


def test_runs_that_share_a_loop_do_not_see_each_other() -> None:
    """The same run, alone and among forty others that begin at other moments."""

    async def one(clock: Clock) -> list[tuple[float, str]]:
        time = clock.start()
        log: list[tuple[float, str]] = []

        async def agent(me: str) -> None:
            draw = random.Random(me)
            for _ in range(20):
                await time.sleep(draw.choice([0.1, 0.2, 0.3]), me)
                log.append((time.now(), me))

        await asyncio.gather(*(agent(f"agent-{i}") for i in range(5)))
        return log

    async def among(clock: Clock) -> list[list[tuple[float, str]]]:
        async def later(i: int) -> list[tuple[float, str]]:
            await clock.start().sleep(0.1 * (i % 7) + 0.000001 * i, "starter")
            return await one(clock)

        return await asyncio.gather(*map(later, range(40)))

    alone = run("virtual", one)
    assert run("virtual", among) == [alone] * 40


def test_a_cancelled_turn_passes_on() -> None:
    async def main(time: Timeline) -> list[str]:
        log: list[str] = []

        async def acts(me: str) -> None:
            await time.turn(me)
            log.append(me)

        a, b = asyncio.create_task(acts("a")), asyncio.create_task(acts("b"))
        await asyncio.sleep(0)
        a.cancel()
        await asyncio.wait([a, b])
        assert a.cancelled()
        return log

    assert virtually(main) == ["b"]


@pytest.mark.parametrize("seconds", [0, -1, -math.inf])
def test_no_sleep_is_a_turn(seconds: float) -> None:
    async def main(time: Timeline) -> float:
        await time.sleep(seconds, "a")
        return time.now()

    assert virtually(main) == 0.0


def test_nan_is_refused() -> None:
    with pytest.raises(ClockError, match="'a' asked to wait for NaN seconds"):
        virtually(lambda time: time.sleep(math.nan, "a"))


Scope = Callable[[float], AbstractAsyncContextManager[Any]]


async def trace(scope: Scope, sleep: Callable[[float], Coroutine[Any, Any, None]], case: list[Any]) -> list[str]:
    """Nested timeouts with naps and outside cancellation, and what each level sees."""
    limits, nap, cancel_after, swallow = case
    log: list[str] = []

    async def level(depth: int) -> None:
        if depth == len(limits):
            try:
                await sleep(nap)
            except asyncio.CancelledError:
                log.append("body cancelled")
                if swallow:
                    return
                raise
            return
        try:
            async with scope(limits[depth]):
                await level(depth + 1)
            log.append(f"{depth} done")
        except TimeoutError:
            log.append(f"{depth} timeout")
            if depth % 2:
                raise

    task = asyncio.ensure_future(level(0))
    if cancel_after is not None:
        await sleep(cancel_after)
        log.append("cancel")
        task.cancel()
    await asyncio.wait([task])
    log.append("cancelled" if task.cancelled() else repr(task.exception()))
    return log


@given(
    case=st.tuples(
        st.lists(st.sampled_from([0, 1, 3, 5, 7, math.inf]), max_size=3),
        st.sampled_from([2, 4, 6, 8]),
        st.sampled_from([None, 0.5, 2.5, 4.5]),
        st.booleans(),
    ).map(list)
)
@settings(deadline=None)
def test_timeouts_behave_as_those_of_asyncio(case: list[Any]) -> None:
    """No two of the durations fall together, so both must tell the same story."""

    def scope(limit: float) -> AbstractAsyncContextManager[Any]:
        return asyncio.timeout(None if limit == math.inf else limit)

    async def ours(time: Timeline) -> list[str]:
        return await trace(lambda s: time.timeout(s, "a"), lambda s: time.sleep(s, "a"), case)

    async def theirs(time: Timeline) -> list[str]:
        return await trace(scope, asyncio.sleep, case)

    assert virtually(ours) == virtually(theirs)


@pytest.mark.parametrize(("me", "outcome"), [("a", "timeout"), ("z", "woken")])
def test_a_timeout_comes_at_its_agents_turn(me: str, outcome: str) -> None:
    """At the very instant of the deadline, whoever is first in order decides."""

    async def main(time: Timeline) -> str:
        event = asyncio.Event()

        async def waker() -> None:
            await time.sleep(60, "lead")
            event.set()

        task = asyncio.create_task(waker())
        try:
            async with time.timeout(60, me):
                await event.wait()
            return "woken"
        except TimeoutError:
            assert time.now() == 60.0
            return "timeout"
        finally:
            await task

    assert virtually(main) == outcome


def test_a_timeout_leaves_no_timer_behind() -> None:
    async def main(time: Timeline) -> float:
        async with time.timeout(1000, "a"):
            await time.sleep(1, "a")
        await time.sleep(1, "a")
        return time.now()

    assert virtually(main) == 2.0


def test_time_stands_still_while_a_socket_or_a_thread_works() -> None:
    async def main(time: Timeline) -> float:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        threading.Timer(0.05, lambda: theirs.send(b"x")).start()
        hasty = asyncio.create_task(time.sleep(5, "b"))
        with time.real("the answer"):
            await asyncio.get_running_loop().sock_recv(ours, 1)
        await asyncio.to_thread(real_time.sleep, 0.05)
        at = time.now()
        await hasty
        ours.close()
        theirs.close()
        return at

    assert virtually(main) == 0.0


def test_what_is_expected_holds_time() -> None:
    async def main(time: Timeline) -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        came = asyncio.Event()
        time.expect("notification", 2)

        def arrive(count: int) -> None:
            time.arrived("notification", count)
            came.set()

        threading.Timer(0.02, lambda: loop.call_soon_threadsafe(arrive, 1)).start()
        threading.Timer(0.06, lambda: loop.call_soon_threadsafe(arrive, 1)).start()
        began = real_time.monotonic()
        await time.sleep(1, "a")
        return time.now(), real_time.monotonic() - began

    now, waited = virtually(main)
    assert now == 1.0
    assert waited >= 0.06


def test_more_arrivals_than_expected() -> None:
    async def main(time: Timeline) -> None:
        time.expect("n")
        time.arrived("n", 2)

    with pytest.raises(ClockError, match="2 x 'n' ended, but 1 were under way"):
        virtually(main)


def test_the_watchdog_names_what_is_stuck_and_for_how_long() -> None:
    async def main(time: Timeline) -> None:
        time.expect("notification of session s", 3)
        with time.real("redis read lead"):
            await asyncio.Event().wait()

    with pytest.raises(ClockError) as caught:
        virtually(main, watchdog_s=0.2)
    text = str(caught.value)
    assert "stood still for 0.2 real seconds" in text
    assert "notification of session s (x3) for 0.2 s" in text
    assert "redis read lead for 0.2 s" in text
    assert "clock.watchdog_s" in text


def test_a_deadlock_names_who_waits() -> None:
    async def main(time: Timeline) -> None:
        async def worker() -> None:
            await asyncio.Event().wait()

        await asyncio.create_task(worker(), name="worker-7")

    with pytest.raises(
        ClockError, match=r"deadlock in virtual time: .*worker-7 in .*worker at test_clock_virtual\.py:\d+"
    ):
        virtually(main)


def test_an_infinite_sleep_is_no_timer() -> None:
    with pytest.raises(ClockError, match="deadlock"):
        virtually(lambda time: time.sleep(math.inf, "a"))


def test_timers_of_libraries_count_too() -> None:
    """asyncio's own sleeps and call_later, at least a microsecond each, over more than a day."""

    async def main(time: Timeline) -> list[float]:
        seen = []
        for seconds in (1e-9, 0.5e-6, 1e-6, 1.4e-6, 0.25, 200_000):
            await asyncio.sleep(seconds)
            seen.append(time.now())
        return seen

    assert virtually(main) == [1e-6, 2e-6, 3e-6, 4e-6, 0.250004, 200000.250004]


@pytest.mark.parametrize("watchdog_s", [0, -1, math.nan, math.inf])
def test_watchdog_must_be_a_span_of_real_time(watchdog_s: float) -> None:
    with pytest.raises(ClockError, match=r"clock\.watchdog_s"):
        virtually(lambda time: time.sleep(0, "a"), watchdog_s)
