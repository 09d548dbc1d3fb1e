"""Random schedules of messages against idle exits: no order is lost and no lead waits for ever.

Latencies are multiples of half a second and members idle for two, so that messages often meet an exit in the very same
instant. On the virtual clock a schedule is exact and repeatable. On the real clock the bus is made to answer late and
out of step, as a server with several connections does: between any two operations others may run.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from support.models import ActingModel, Call, Say, send, turn, who
from support.runs import cell, check_invariants
from support.teams import talking_bus

from harness.bus.memory import MemoryBus, MemorySession
from harness.bus.protocol import BusMessage, Inbox
from harness.clock.protocol import Clock, Timeline
from harness.clock.runner import run
from harness.limits import Limits, Scope
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.run import run_sample
from harness.team.roster import Member

MEMBERS = ("alice", "bob", "zoe")  # before and after "lead" in the order of an instant
IDLE_S = 2.0
AT_ONCE = 20


def act(seed: int) -> ActingModel:
    """Agents that behave at random, each draw fixed by (seed, agent, turn)."""

    def lead(request: Request, draw: random.Random) -> Say:
        if turn(request) >= 6:
            return Say("Over.", latency_s=0.5)  # final as soon as nothing is awaited
        kinds = ["task", "task", "revision", "clarify_resp", "shutdown"]
        messages = [send(draw.choice(MEMBERS), draw.choice(kinds), "x") for _ in range(draw.randint(0, 3))]
        look = [Call("read_document", {"name": "a.txt"})] if not messages or draw.random() < 0.5 else []
        return Say("", [*messages, *look], draw.choice([0.5, 1, 1.5, 2, 2.5, 3]))

    def member(request: Request, draw: random.Random, name: str) -> Say:
        peer = draw.choice([n for n in MEMBERS if n != name])
        choices: list[list[Call]] = [
            [],  # the natural end
            [],
            [send("lead", "result", "explicit")],
            [send("lead", "clarify", "?")],
            [send(peer, draw.choice(["progress", "clarify", "result"]), "hello")],
            [send("lead", "progress", "..."), Call("read_document", {"name": "a.txt"})],
        ]
        return Say("words", draw.choice(choices), draw.choice([0.5, 1, 2, 2.5]))

    def any_agent(request: Request) -> Say:
        name = who(request)
        draw = random.Random(f"{seed}|{name}|{turn(request)}")
        return lead(request, draw) if name == "lead" else member(request, draw, name)

    return ActingModel(any_agent)


async def one(seed: int, bus: MemoryBus, clock: Clock) -> RunRecord:
    limits = Limits(run_calls=2_000, run_wall_s=5_000 if clock.kind == "virtual" else None)
    topology = talking_bus(roster=[Member(name) for name in MEMBERS], lead_steps=500, idle_timeout_s=IDLE_S)
    made = cell(topology, act(seed), bus, limits=limits, seed=seed)
    return await run_sample(made, f"s{seed}", 0, clock, Scope("experiment"))


def check(record: RunRecord) -> None:
    r = record.run
    assert r.status == "ok", (r.sample_id, r.error)
    dismissed = {m.recipient for m in record.messages if m.type == "shutdown"}
    unread = [m for m in record.messages if m.type in ("task", "revision") and m.delivery != "read"]
    assert not [m for m in unread if m.recipient not in dismissed], (r.sample_id, unread)
    check_invariants(record)


@pytest.mark.parametrize("first", range(0, 500, 250))
def test_five_hundred_schedules_in_virtual_time(first: int) -> None:
    async def main(clock: Clock) -> list[RunRecord]:
        bus = MemoryBus()
        await bus.open(clock)
        try:
            return [await one(seed, bus, clock) for seed in range(first, first + 250)]
        finally:
            await bus.close()

    records = run("virtual", main)
    for record in records:
        check(record)
        assert record.run.wall_s < 500, (record.run.sample_id, record.run.wall_s)
    reasons = {e.data.split('"reason": ')[1] for r in records for e in r.events if e.type == "ax"}
    assert {'"completed"}', '"idle_timeout"}', '"shutdown"}'} <= reasons


class UnsteadySession(MemorySession):
    """A session whose every operation takes some turns of the event loop, before and after it happens, and whose
    notifications come late. A read that is given up keeps what it took for the next one, as with Redis."""

    def __init__(self, draw: random.Random, *rest: Any) -> None:
        super().__init__(*rest)
        self._draw = draw
        self._held: dict[str, list[BusMessage]] = {}

    async def _others(self) -> None:
        for _ in range(self._draw.randint(0, 4)):
            await asyncio.sleep(0)

    async def send(self, message: BusMessage) -> Sequence[BusMessage]:
        await self._others()
        trimmed = await super().send(message)
        await self._others()
        return trimmed

    async def read(self, agent: str) -> Inbox:
        await self._others()
        taken = await super().read(agent)
        self._held.setdefault(agent, []).extend(taken.messages)
        try:
            await self._others()
        except asyncio.CancelledError:
            if self._held[agent]:
                self._notices.push(agent)
            raise
        return Inbox(tuple(self._held.pop(agent, ())))

    async def notified(self) -> str:
        name = await super().notified()
        await self._others()
        return name


class UnsteadyBus(MemoryBus):
    async def join(self, session_id: str, time: Timeline) -> MemorySession:
        draw = random.Random(session_id)
        return self._sessions.add(session_id, lambda closed: UnsteadySession(draw, session_id, time, 3600, closed))


def test_three_hundred_schedules_on_an_unsteady_bus() -> None:
    """On the real clock, 200 times as fast, 20 runs at once. A lead that waits for ever runs into the timeout."""

    async def main(clock: Clock) -> list[RunRecord]:
        bus = UnsteadyBus()
        await bus.open(clock)
        slots = asyncio.Semaphore(AT_ONCE)

        async def in_slot(seed: int) -> RunRecord:
            async with slots:
                return await one(seed, bus, clock)

        try:
            async with asyncio.timeout(90):
                return await asyncio.gather(*(in_slot(seed) for seed in range(300)))
        finally:
            await bus.close()

    for record in run("real", main, scale=200):
        check(record)
