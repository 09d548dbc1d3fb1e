"""One seed, one outcome: on every backend, at any concurrency, on every repetition."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.bus.redis import RedisBus
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.clock.virtual import VirtualTimeline

from .servers import Servers, redis_binaries
from .team import Log, Team


def play(make: Callable[[], BusBackend], seeds: list[int], at_once: int = 1, tasks: int = 12) -> list[Log]:
    """The logs of one team a seed, ``at_once`` of them sharing the loop."""

    async def main(clock: Clock) -> list[Log]:
        bus = make()
        await bus.open(clock)
        room = asyncio.Semaphore(at_once)

        async def one(number: int, seed: int) -> Log:
            async with room:
                time = clock.start()
                session = await bus.join(f"session-{number}", time)
                try:
                    return await Team(session, time, seed=seed, workers=3 + seed % 6, tasks=tasks).play()
                finally:
                    await session.close()

        try:
            return await asyncio.gather(*(one(n, s) for n, s in enumerate(seeds)))
        finally:
            await bus.close()

    return run("virtual", main)


def ties(log: Log) -> int:
    """How many instants saw two agents or more act."""
    acted: dict[float, set[str]] = {}
    for at, who, *_ in log:
        acted.setdefault(at, set()).add(who)
    return sum(len(who) > 1 for who in acted.values())


def test_scenario_is_full_of_ties() -> None:
    (log,) = play(MemoryBus, [3])
    assert ties(log) >= 10
    assert {what for _, _, what, *_ in log} == {"sent", "read", "notified", "idle exit"}


def test_without_turns_the_scenario_has_many_outcomes(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the tests below would notice if turns were not kept."""

    async def free(self: VirtualTimeline, who: str) -> None: ...

    monkeypatch.setattr(VirtualTimeline, "turn", free)
    logs = play(partial(RedisBus, redis_url, "th-test"), [3] * 100, at_once=7)
    assert len(set(map(repr, logs))) > 1


def test_redis_gives_one_outcome_in_300_repetitions(redis_url: str) -> None:
    expected = repr(play(MemoryBus, [3])[0])
    found: Counter[str] = Counter()
    for at_once in (1, 7, 50):
        found.update(map(repr, play(partial(RedisBus, redis_url, "th-test"), [3] * 100, at_once)))
    assert found == {expected: 300}


@pytest.mark.parametrize("at_once", [1, 7, 50])
def test_fifty_different_teams_agree_over_servers_and_concurrency(servers: Servers, at_once: int) -> None:
    seeds = list(range(50))
    expected = play(MemoryBus, seeds)
    assert len(set(map(repr, expected))) == 50
    for label in redis_binaries():
        assert play(partial(RedisBus, servers.url(label), "th-test"), seeds, at_once) == expected
    assert play(MemoryBus, seeds[::-1], at_once) == expected[::-1]
