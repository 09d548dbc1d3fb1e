"""The same seed gives the same rows, whatever the experiment is called and whatever else runs beside it."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from dataclasses import replace
from typing import Any

import pytest
from support.runs import cell
from support.teams import talking_bus

from harness.bus.memory import MemoryBus
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.limits import Limits, Scope
from harness.records import RunRecord
from harness.run import run_sample
from harness.team.roster import Member

from .test_schedules import IDLE_S, MEMBERS, act


def rows(record: RunRecord) -> Any:
    """Everything in a record but the experiment's id, wherever it stands, and the date."""
    whole = dataclasses.asdict(record)
    del whole["run"]["started_at"]
    return json.loads(json.dumps(whole).replace(record.run.experiment_id, "EXPERIMENT"))


async def repetition(name: str, seed: int, bus: MemoryBus, clock: Clock) -> RunRecord:
    topology = talking_bus(roster=[Member(m) for m in MEMBERS], lead_steps=500, idle_timeout_s=IDLE_S)
    limits = Limits(run_calls=2_000, run_wall_s=5_000, workers_running=2)
    made = replace(cell(topology, act(seed), bus, limits=limits, seed=seed), experiment_id=name)
    return await run_sample(made, "s0", 0, clock, Scope("experiment"))


@pytest.mark.parametrize("seed", range(20))
def test_five_repetitions_give_the_same_rows(seed: int) -> None:
    """Three one after another, and two at once that start at another time of the clock."""

    async def main(clock: Clock) -> list[RunRecord]:
        bus = MemoryBus()
        await bus.open(clock)
        try:
            alone = [await repetition(f"first-{n}", seed, bus, clock) for n in range(3)]
            await clock.start().sleep(0.123457, "somebody")
            together = await asyncio.gather(*(repetition(f"second-{n}", seed, bus, clock) for n in range(2)))
            return [*alone, *together]
        finally:
            await bus.close()

    records = run("virtual", main)
    assert len({r.run.run_id for r in records}) == 5
    first = rows(records[0])
    assert first["run"]["calls"] > 6
    for record in records[1:]:
        assert rows(record) == first
