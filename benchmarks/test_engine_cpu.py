"""The engine's own CPU time per model call, ledger and store included."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.engine import Bench, Spent
from benchmarks.figures import Figure
from benchmarks.rounds import take_turns
from benchmarks.sizes import Sizes
from benchmarks.yardstick import plain_python_ms
from harness.__main__ import GC_THRESHOLDS
from harness.bus.embedded import EmbeddedBus
from harness.delegation.rules import Delegation
from harness.suite import Suite
from harness.testing.toy import Toy
from harness.topology import Topology
from tasks.qa_corpus import QaCorpus
from topologies.bus import Bus
from topologies.single import Single

BOUND_MS = 0.36
TALK = Delegation(order="sentence", validate=False)
CASES: dict[str, tuple[Topology, Suite, float | None]] = {
    "bus, short notes": (Bus(workers=3), Toy(samples=9), BOUND_MS),
    "bus without contract, short notes": (Bus(workers=3, delegation=TALK), Toy(samples=9), BOUND_MS),
    "bus, qa_corpus": (Bus(workers=3), QaCorpus(), BOUND_MS),
    "single, short notes": (Single(), Toy(samples=9), None),
    "single, qa_corpus": (Single(), QaCorpus(), None),
}
"""Name → topology (the bus's lead has three workers), suite, bound."""


@pytest.fixture(autouse=True)
def collector_as_in_the_product() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*GC_THRESHOLDS)
    yield
    gc.set_threshold(*before)


def lowest(rounds: list[Spent], part: Callable[[Spent], float]) -> float:
    """Milliseconds a call in the best round: what neighbours on the machine add to CPU time is not the engine's."""
    return min(part(spent) / spent.calls for spent in rounds) * 1e3


@pytest.mark.benchmark(group="engine CPU", timer=time.process_time)
@pytest.mark.parametrize("name", CASES)
def test_cpu_per_call(benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None], name: str) -> None:
    """The whole path with the model's answers played back and messages in memory; then the same runs with the simulated
    model thinking, and with the messages on Redis: the differences are theirs."""
    topology, suite, bound = CASES[name]
    bench = Bench(topology, suite, sizes.epochs)
    engine: list[Spent] = []
    thinking: list[Spent] = []
    redis: list[Spent] = []
    plain: list[float] = []

    def neighbours() -> None:
        plain.append(plain_python_ms())
        thinking.append(bench.spend(bench.simulated))
        if topology.family == "team":
            redis.append(bench.spend(bench.playback, EmbeddedBus()))

    take_turns(benchmark, lambda: engine.append(bench.spend(bench.playback)), sizes.rounds, before=neighbours)
    own = lowest(engine, lambda s: s.engine_s)
    one = engine[0]
    figure(Figure(f"engine CPU a call, {name}", own, "ms", bound))
    figure(Figure("  of which the store", lowest(engine, lambda s: s.store_s), "ms"))
    figure(Figure("  apart: the simulated model", lowest(thinking, lambda s: s.engine_s) - own, "ms"))
    if redis:
        figure(Figure("  apart: the Redis client", lowest(redis, lambda s: s.engine_s) - own, "ms"))
    figure(Figure("  apart: the suite's samples, tools and grades", lowest(engine, lambda s: s.suite_s), "ms"))
    figure(Figure("  beside: a fixed piece of plain Python", min(plain), "ms"))
    figure(Figure("  calls measured in a round", one.calls, ""))
    figure(Figure("  shares rows a call", one.shares / one.calls, ""))
    benchmark.extra_info |= {"engine_ms_a_call": own, "calls": one.calls}
