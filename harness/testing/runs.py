"""Running a topology on the toy suite inside a test, on the virtual clock and the in-process bus."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.graders.grader import Grader
from harness.graders.rule import SuiteRule
from harness.limits import Limits, Scope
from harness.models.protocol import Model
from harness.records import RunRecord
from harness.run import run_sample
from harness.suite import Suite
from harness.testing.toy import Toy
from harness.topology import Topology


def cell(topology: Topology, model: Model, *, name: str = "under-test", suite: Suite | None = None,
         bus: BusBackend | None = None, limits: Limits | None = None, seed: int = 0,
         grader: Grader | None = None) -> Cell:  # fmt: skip
    """A cell of one topology; everything that is not given is as small as it can be."""
    return Cell(
        experiment_id="test",
        cell_id="c0",
        topology_name=name,
        task_name="toy",
        bus_name="memory",
        topology=topology,
        suite=suite or Toy(),
        model=model,
        bus=bus or MemoryBus(),
        limits=limits or Limits(),
        seed=seed,
        epochs=1,
        params="{}",
        config_hash="test",
        git_commit=None,
        grader=grader or SuiteRule(),
        grader_name="suite" if grader is None else "judge",
    )


def records(cell: Cell, *, concurrency: int = 1, epochs: Sequence[int] = (0,)) -> list[RunRecord]:
    """All runs of a cell, ordered by sample and epoch, ``concurrency`` at once."""

    found: list[RunRecord] = []

    async def main(clock: Clock) -> None:
        await cell.model.open(clock)
        await cell.bus.open(clock)
        slots = asyncio.Semaphore(concurrency)
        scope = Scope("experiment")

        async def one(sample_id: str, epoch: int) -> RunRecord:
            async with slots:
                return await run_sample(cell, sample_id, epoch, clock, scope)

        try:
            # Not returned: up to Python 3.12 asyncio.Runner has the result of its task written out, twice and for
            # nothing, when it resets the handler of SIGINT; for records that takes as long as a tenth of the run.
            found.extend(await asyncio.gather(*(one(s, e) for s in cell.suite.sample_ids() for e in epochs)))
        finally:
            await cell.bus.close()
            await cell.model.close()

    run("virtual", main)
    return found


def faults(found: Sequence[RunRecord], folder: Path) -> list[str]:
    """What ``python -m results validate`` says of these runs; empty: nothing."""
    from results import ExperimentInfo, Store, check

    store = Store(str(folder))
    store.open(ExperimentInfo("test", {}))
    for record in found:
        # As if of one cell, and so in one part: a part for every few runs would take most of a test's time.
        store.write(replace(record, run=replace(record.run, cell_id="c0")))
    store.close()
    return [f"{fault.name}: {fault.first[0]}" for fault in check(folder).faults]


def bare(record: RunRecord) -> RunRecord:
    """A record without the one thing that differs between two runs of the same seed: when it was made."""
    return replace(record, run=replace(record.run, started_at=""))
