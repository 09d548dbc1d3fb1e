"""The runner itself: order, bounds, memory, failure and an orderly end, with real runs of a small suite."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal

import pytest

from harness.accounting.purposes import Purpose, Stance
from harness.bus.memory import MemoryBus
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.config import ClockConf
from harness.errors import ConfigError, StoreError
from harness.experiment import Experiment, Outcome, PlannedCell, RunSample, Stop
from harness.limits import Limits, Scope
from harness.progress import NoProgress
from harness.records import RunRecord
from harness.run import run_sample
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

sys.path.append(str(Path(__file__).parents[1] / "entry"))
from acme.parts import Adder, Ask, Pair, Sums

VIRTUAL = ClockConf("virtual")


@dataclass
class Kept:
    """A sink that keeps what it is given. ``full_after``: how many rows fit."""

    begun: int = 0
    records: list[RunRecord] = field(default_factory=list)
    full_after: int | None = None

    def begin(self) -> None:
        self.begun += 1

    def write(self, record: RunRecord) -> None:
        if len(self.records) == self.full_after:
            raise StoreError("the disk is full.")
        self.records.append(record)


def cell(number: int, suite: Sums, topology: Ask | None = None, *, epochs: int = 1, model: Adder | None = None,
         limits: Limits | None = None, clock: ClockConf = VIRTUAL, seed: int = 0) -> PlannedCell:  # fmt: skip
    made = Cell(
        experiment_id="x", cell_id=f"c{number}", topology_name="ask", task_name="sums", bus_name="memory",
        topology=topology or Ask(), suite=suite, model=model or Adder(), bus=MemoryBus(), limits=limits or Limits(),
        seed=seed, epochs=epochs, params="{}", config_hash="0" * 64, git_commit=None,
    )  # fmt: skip
    return PlannedCell(made, clock, suite.sample_ids())


def conduct(cells: Sequence[PlannedCell], sink: Kept, *, run: RunSample = run_sample, scope: Scope | None = None,
            stop: Stop | None = None, concurrency: int = 8, shuffle: bool = False) -> Outcome:  # fmt: skip
    scope = scope or Scope("experiment")
    return Experiment(cells, run, sink, scope, NoProgress(), stop or Stop(), concurrency, shuffle).run()


def test_everything_planned_is_run_once_and_the_sink_is_opened_once() -> None:
    sink = Kept()
    outcome = conduct([cell(0, Sums(3), epochs=2), cell(1, Sums(5))], sink)
    assert outcome == Outcome(planned=11, written=11, unfinished=0, not_ok=0, missing={}, limit=None, signum=None)
    assert sink.begun == 1
    assert sorted((r.run.cell_id, r.run.sample_id, r.run.epoch) for r in sink.records) == sorted(
        [("c0", f"sum-{i}", e) for i in range(3) for e in range(2)] + [("c1", f"sum-{i}", 0) for i in range(5)]
    )


def test_cells_take_turns_sample_by_sample_each_first_in_turn() -> None:
    started = []

    async def noting(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
        started.append((sample_id, cell.cell_id, epoch))
        return await run_sample(cell, sample_id, epoch, clock, scope)

    conduct([cell(0, Sums(2), epochs=2), cell(1, Sums(3))], Kept(), run=noting, concurrency=1)
    assert started == [
        ("sum-0", "c0", 0), ("sum-0", "c1", 0),
        ("sum-1", "c1", 0), ("sum-1", "c0", 0),
        ("sum-2", "c1", 0),
        ("sum-0", "c0", 1), ("sum-1", "c0", 1),
    ]  # fmt: skip


def test_shuffling_changes_the_order_alike_for_all_cells_and_by_seed_only() -> None:
    def order(seed: int, shuffle: bool) -> list[str]:
        sink = Kept()
        conduct([cell(0, Sums(20), seed=seed), cell(1, Sums(20))], sink, concurrency=1, shuffle=shuffle)
        pairs = [{r.run.sample_id for r in sink.records[i : i + 2]} for i in range(0, 40, 2)]
        assert all(len(pair) == 1 for pair in pairs)  # both cells are at the same sample
        return [pair.pop() for pair in pairs]

    plain = [f"sum-{i}" for i in range(20)]
    assert order(1, False) == plain
    assert order(1, True) == order(1, True) != plain
    assert sorted(order(1, True)) == sorted(plain)
    assert order(2, True) != order(1, True)


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_no_more_runs_than_allowed_are_under_way(concurrency: int) -> None:
    under_way, most = 0, 0

    async def counting(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        try:
            return await run_sample(cell, sample_id, epoch, clock, scope)
        finally:
            under_way -= 1

    conduct([cell(0, Sums(12))], Kept(), run=counting, concurrency=concurrency)
    assert most == min(concurrency, 12)


def test_ten_thousand_samples_keep_no_records_and_no_tasks() -> None:
    alive, tasks = [], []
    record = None

    @dataclass
    class Counting(Kept):
        count: int = 0

        def write(self, record: RunRecord) -> None:
            self.count += 1
            if self.count % 2_500 == 0:
                alive.append(sum(isinstance(o, RunRecord) for o in gc.get_objects()))
                tasks.append(len(asyncio.all_tasks()))

    async def quick(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
        nonlocal record
        record = record or await run_sample(cell, sample_id, epoch, clock, scope)
        return RunRecord(record.run)

    before = sum(isinstance(o, RunRecord) for o in gc.get_objects())  # what other tests keep
    sink = Counting()
    outcome = conduct([cell(0, Sums(10_000))], sink, run=quick)
    assert outcome.written == sink.count == 10_000
    assert max(alive) - before <= 1 + 8 + 1 and max(tasks) <= 8 + 1


def test_a_failing_sample_is_a_row_beside_the_others() -> None:
    sink = Kept()
    outcome = conduct([cell(0, Sums(3), Ask(raise_on="sum-1"))], sink)
    assert (outcome.written, outcome.not_ok, outcome.missing) == (3, 1, {})


def test_a_limit_of_the_experiment_stops_what_has_not_started() -> None:
    sink = Kept()
    scope = Scope("experiment", tokens=150)  # a run takes 110
    outcome = conduct([cell(0, Sums(5))], sink, scope=scope, concurrency=1)
    assert [r.run.status for r in sink.records] == ["ok", "ok"], "the second was finished when it passed the bound"
    assert outcome.missing == {"c0": ("sum-2", "sum-3", "sum-4")}
    assert (outcome.written, outcome.unfinished) == (2, 3)
    assert outcome.limit is not None and outcome.limit.startswith("experiment_tokens: 220")


def test_a_run_that_the_experiment_s_limit_cuts_off_is_kept_and_is_to_be_run_again() -> None:
    """Two runs of two calls at once, 110 tokens a call: after three calls the bound of 250 is passed, and the run that
    has still a call to make is cut off. Its row says what happened; it is not the topology's failure."""

    class Twice:
        family: ClassVar[Literal["single", "team"]] = "single"

        async def __call__(self, sample: Sample, session: Session) -> Answer:
            first = sample.id == "sum-0"
            for name in ("one", "two"):
                agent = session.agent(name, role="single", stance=Stance.LEAD)
                agent.tell(session.statement())
                step = await agent.step(Purpose.ANSWER)
                await session.time.sleep(1 if first else 5, "solver")
            return Answer(step.text)

    sink = Kept()
    outcome = conduct([cell(0, Sums(2), Twice())], sink, scope=Scope("experiment", tokens=250))
    assert {r.run.sample_id: r.run.status for r in sink.records} == {"sum-0": "ok", "sum-1": "limit"}
    assert outcome.missing == {"c0": ("sum-1",)} and (outcome.written, outcome.unfinished) == (2, 1)


def test_a_request_to_stop_cancels_what_runs_and_keeps_what_is_done() -> None:
    stop, sink = Stop(), Kept()

    async def stopping(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
        if sample_id == "sum-2":
            stop.request(signal.SIGTERM)
        return await run_sample(cell, sample_id, epoch, clock, scope)

    outcome = conduct([cell(0, Sums(5), epochs=2)], sink, run=stopping, stop=stop, concurrency=1)
    assert outcome.signum == signal.SIGTERM
    assert [r.run.sample_id for r in sink.records] == ["sum-0", "sum-1"]
    assert outcome.missing == {"c0": tuple(f"sum-{i}" for i in range(5))}  # of each, an epoch is missing


def test_every_part_is_opened_before_any_sample_starts_and_closed_after_the_last() -> None:
    log: list[str] = []

    @dataclass
    class Logged(Adder):
        async def open(self, clock: Clock) -> None:
            log.append(f"open {clock.kind}")
            await Adder.open(self, clock)

        async def close(self) -> None:
            log.append("close")

    async def noting(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
        log.append(f"run {clock.kind}")
        return await run_sample(cell, sample_id, epoch, clock, scope)

    shared = Logged(latency_s=0)
    cells = [
        cell(0, Sums(1), model=shared),
        cell(1, Sums(1), model=shared),
        cell(2, Sums(1), model=Logged(latency_s=0), clock=ClockConf("real")),
    ]
    assert conduct(cells, Kept(), run=noting).written == 3
    # The second clock's part is tried first; cells that share a part share its opening.
    assert log == [
        "open real",
        "close",
        "open virtual",
        "run virtual",
        "run virtual",
        "close",
        "open real",
        "run real",
        "close",
    ]


def test_a_part_that_cannot_be_opened_stops_everything_before_the_store_is_touched() -> None:
    sink = Kept()
    down = cell(1, Sums(1), model=Adder(down_on="real"), clock=ClockConf("real"))
    with pytest.raises(ConfigError, match="cannot be reached"):
        conduct([cell(0, Sums(1)), down], sink)
    assert sink.begun == 0 and not sink.records


def test_a_single_agents_bus_is_never_opened() -> None:
    opened = []

    class Watched(MemoryBus):
        async def open(self, clock: Clock) -> None:
            opened.append(clock.kind)
            await super().open(clock)

    for topology in (Ask(), Pair()):
        planned = cell(0, Sums(1), topology)
        bus = Watched()
        made = PlannedCell(replace(planned.cell, bus=bus), planned.clock, planned.sample_ids)
        conduct([made], Kept())
    assert opened == ["virtual"]


def test_a_sink_that_fails_ends_it_and_says_why() -> None:
    sink = Kept(full_after=2)
    with pytest.raises(StoreError, match="the disk is full"):
        conduct([cell(0, Sums(50))], sink)
    assert len(sink.records) == 2


@pytest.mark.parametrize("bound", ["experiment_usd", "run_usd"])
def test_a_budget_over_an_unpriced_model_is_refused(bound: str) -> None:
    limits = Limits(**{bound: 1.0})
    instead = bound.replace("usd", "tokens")
    with pytest.raises(ConfigError, match=f"limits.{bound} is set, but the price of model 'adder'.*limits.{instead}=N"):
        conduct([cell(0, Sums(1), model=Adder(priced=False), limits=limits)], Kept())
    assert conduct([cell(0, Sums(1), limits=limits)], Kept()).written == 1
