"""One way over the bus, send → wake → read, against the raw Redis operations that it is made of."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import raw_redis
from benchmarks.figures import Figure
from benchmarks.rounds import take_turns
from benchmarks.sizes import Sizes
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend, BusMessage
from harness.bus.redis import RedisBus
from harness.bus.server import PrivateServer
from harness.clock.protocol import Clock
from harness.clock.runner import run

BOUND = 1.5
CONTENT = "Read pump.txt and gate.txt, and send back an entry for each question: " + "which flow, whose key? " * 15


def message(number: int) -> BusMessage:
    """A task of some 400 characters, about what a lead writes."""
    return BusMessage(f"msg_{number:012x}", "", "lead", "bob", "task", CONTENT, "", "1970-01-01T00:00:00.000000Z")


def seconds_each(bus: BusBackend, clock_kind: str, count: int) -> float:
    """Real seconds of one delivery, the mean over ``count``. Opening and joining are not counted."""

    async def main(clock: Clock) -> float:
        await bus.open(clock)
        try:
            session = await bus.join("bench", clock.start())
            started = time.perf_counter()
            for number in range(count):
                await session.send(message(number))
                name = await session.notified()
                inbox = await session.read(name)
                if len(inbox.messages) != 1:
                    raise RuntimeError(f"delivery {number} brought {len(inbox.messages)} messages")
            seconds = (time.perf_counter() - started) / count
            await session.close()
            return seconds
        finally:
            await bus.close()

    return run(clock_kind, main)


@pytest.fixture(scope="module")
def server() -> Iterator[PrivateServer]:
    running = PrivateServer.start()
    yield running
    running.stop()


@pytest.mark.benchmark(group="bus delivery")
@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_redis(
    benchmark: BenchmarkFixture,
    server: PrivateServer,
    sizes: Sizes,
    figure: Callable[[Figure], None],
    clock: str,
) -> None:
    """Raw operations and deliveries take turns on one server; the figure is the median of the rounds' ratios."""
    text = message(0).to_json().encode()
    raw: list[float] = []
    ours: list[float] = []
    take_turns(
        benchmark,
        lambda: ours.append(seconds_each(RedisBus(server.url), clock, sizes.deliveries)),
        sizes.rounds,
        before=lambda: raw.append(raw_redis.seconds_each(server.url, text, sizes.deliveries)),
    )
    ratio = median(b / r for b, r in zip(ours, raw, strict=True))
    benchmark.extra_info |= {"ratio": ratio, "raw_us": median(raw) * 1e6, "bus_us": median(ours) * 1e6}
    figure(Figure(f"bus delivery, redis, {clock} clock: against raw", ratio, "×", BOUND))
    figure(Figure("  one way", median(ours) * 1e6, "µs"))
    figure(Figure("  the raw operations", median(raw) * 1e6, "µs"))


@pytest.mark.benchmark(group="bus delivery")
def test_memory(benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None]) -> None:
    ours: list[float] = []
    take_turns(benchmark, lambda: ours.append(seconds_each(MemoryBus(), "virtual", sizes.deliveries)), sizes.rounds)
    figure(Figure("bus delivery, memory, virtual clock: one way", median(ours) * 1e6, "µs"))
