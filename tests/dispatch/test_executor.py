"""Places of sub-agents: the rules of a thread pool with 2 core, 8 max, a queue of 16 and rejection (001, section 6)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.models import Say

from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.dispatch.executor import Executor, Job, Pool, Rejected
from harness.errors import ConfigError

from .stage import DONE, dispatch, order, ran, read_back, spans

REJECTED, NEVER = "rejected", "never"
Fate = float | str
"""When a job started, or that it was rejected or never started."""


@dataclass(frozen=True)
class Work:
    """Submitted at ``at``, runs for ``takes``, given up ``patience`` after it was submitted."""

    at: float
    takes: float
    patience: float = 1e6


def fates(pool: Pool, works: Sequence[Work]) -> list[Fate]:
    """What becomes of work in a real executor on virtual time."""

    async def main(clock: Clock) -> list[Fate]:
        time = clock.start()
        out: list[Fate] = [NEVER] * len(works)

        async def submitted(n: int, work: Work, executor: Executor) -> None:
            async def body() -> None:
                out[n] = time.now()
                await time.sleep(work.takes, f"job {n:02}")

            await time.sleep(work.at, f"submitter {n:02}")
            try:
                job = executor.submit(body)
            except Rejected:
                out[n] = REJECTED
                return
            await time.sleep(work.patience, f"patience {n}")
            executor.abandon(job)

        async with asyncio.TaskGroup() as group:
            executor = Executor(pool, group)
            for n, work in enumerate(works):
                group.create_task(submitted(n, work, executor))
        return out

    return run("virtual", main)


def reference(pool: Pool, works: Sequence[Work]) -> list[Fate]:
    """The same by a thread pool's rules, one event after another."""
    out: list[Fate] = [NEVER] * len(works)
    events: list[tuple[float, str, int]] = []
    for n, work in enumerate(works):
        heappush(events, (work.at, "submit", n))
        heappush(events, (work.at + work.patience, "give up", n))
    running: set[int] = set()
    queue: deque[int] = deque()

    def start(n: int, at: float) -> None:
        running.add(n)
        out[n] = at
        heappush(events, (at + works[n].takes, "end", n))

    while events:
        at, what, n = heappop(events)
        if what == "submit":
            if len(running) < pool.core:
                start(n, at)
            elif len(queue) < pool.queue:
                queue.append(n)
            elif len(running) < pool.max:
                start(n, at)
            else:
                out[n] = REJECTED
        elif what == "end":
            running.remove(n)
            if queue:
                start(queue.popleft(), at)
        elif n in queue:
            queue.remove(n)
    return out


def test_the_pool_of_001_by_hand() -> None:
    """27 at once, 10 s each: 2 start, 16 queue, 6 more start (8 run now), 3 are rejected. At 10 s eight end and eight
    of the queue start, at 20 s the other eight."""
    expected = [0, 0, *[10] * 8, *[20] * 8, *[0] * 6, *[REJECTED] * 3]
    works = [Work(0.0, 10.0)] * 27
    assert fates(Pool(), works) == expected
    assert (Pool().core, Pool().max, Pool().queue) == (2, 8, 16)


def test_without_a_queue_it_grows_at_once() -> None:
    assert fates(Pool(1, 3, 0), [Work(0.0, 5.0)] * 4) == [0, 0, 0, REJECTED]


def test_a_queue_keeps_the_pool_at_its_core() -> None:
    """More than core start only once the queue is full, as in a thread pool."""
    assert fates(Pool(1, 8, 3), [Work(0.0, 5.0)] * 4) == [0, 5, 10, 15]


def test_given_up_while_queued_never_starts_and_makes_room() -> None:
    works = [Work(0.0, 10.0), Work(1.0, 10.0, patience=2.0), Work(2.0, 10.0), Work(4.0, 10.0)]
    assert fates(Pool(1, 1, 1), works) == [0, NEVER, REJECTED, 10]


def test_given_up_while_running_goes_on_and_keeps_its_place() -> None:
    assert fates(Pool(1, 1, 1), [Work(0.0, 10.0, patience=2.0), Work(3.0, 1.0)]) == [0, 10]


seconds = st.integers(0, 8)
few = st.integers(0, 3)
pools = st.builds(lambda core, more, queue: Pool(1 + core, 1 + core + more, queue), few, few, few)


@settings(max_examples=300, deadline=None)
@given(pool=pools, drawn=st.lists(st.tuples(seconds, seconds, st.none() | seconds), max_size=6))
def test_as_a_thread_pool_does(pool: Pool, drawn: list[tuple[int, int, int | None]]) -> None:
    """Each number has a binary digit of its own in its microseconds, so no two events fall together."""

    def own(whole: int, digit: int) -> float:
        return whole + (1 << digit) / 1e6

    works = [
        Work(own(at, 3 * n), own(takes, 3 * n + 1), own(1000 if patience is None else patience, 3 * n + 2))
        for n, (at, takes, patience) in enumerate(drawn)
    ]
    found = [f if isinstance(f, str) else round(f, 6) for f in fates(pool, works)]
    assert found == [f if isinstance(f, str) else round(f, 6) for f in reference(pool, works)]


@pytest.mark.parametrize("wrong", [(0, 8, 16), (2, 1, 16), (2, 8, -1)])
def test_a_pool_that_cannot_be(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ConfigError, match=r"topology\.pool: core="):
        Pool(*wrong)


def test_after_a_fault_nothing_that_is_queued_starts() -> None:
    """The group ends with the fault itself, and no coroutine is left that nobody awaited."""
    started: list[int] = []

    async def main(clock: Clock) -> None:
        time = clock.start()

        async def body(n: int, raises: bool) -> None:
            started.append(n)
            await time.sleep(1, f"job {n}")
            if raises:
                raise ValueError("of a tool")

        async with asyncio.TaskGroup() as group:
            executor = Executor(Pool(1, 1, 5), group)
            for n in range(3):
                executor.submit(lambda n=n: body(n, n == 0))  # type: ignore[misc]

    with pytest.raises(ExceptionGroup) as group:
        run("virtual", main)
    assert [type(e) for e in group.value.exceptions] == [ValueError]
    assert started == [0]


def test_a_job_says_whether_it_has_started() -> None:
    async def main(clock: Clock) -> list[bool]:
        async def body() -> None:
            await clock.start().sleep(1, "job")

        async with asyncio.TaskGroup() as group:
            executor = Executor(Pool(1, 1, 1), group)
            jobs: list[Job] = [executor.submit(body), executor.submit(body)]
            return [job.started for job in jobs]

    assert run("virtual", main) == [True, False]


def test_sub_agents_take_these_places() -> None:
    """Five dispatches at 1 s, 10 s each, in a pool of core 2, max 3, queue 1: the third queues until 11 s, the fourth
    starts since the queue is full, the fifth is rejected."""
    lead = [Say("", [dispatch(order(f"job {n}")) for n in range(1, 6)]), DONE]
    record, model = ran(lead, lambda _: Say("Result.", latency_s=10), parallel=True, pool=Pool(2, 3, 1))
    starts = {f"research_{n}": spans(record, f"research_{n}") for n in range(1, 6)}
    assert starts == {
        "research_1": [(1, 11)],
        "research_2": [(1, 11)],
        "research_3": [(11, 21)],
        "research_4": [(1, 11)],
        "research_5": [],
    }
    assert read_back(model)[4] == (
        "[FAILED] subtask_5 by research_5: rejected: 3 sub-agents run and 1 are queued; no more are taken\n"
    )
    assert [d.status for d in record.delegations] == ["success"] * 4 + ["failed"]
    assert record.delegations[4].seconds == 0
    assert record.run.wall_s == 22
