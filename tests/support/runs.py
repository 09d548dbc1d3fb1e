"""One run from a topology and a model, with a small suite around it, on virtual time and the memory bus."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.accounting.ledger import Attempt, Ledger
from harness.agents.tools import Arguments, Tool, ToolFailed
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.limits import Limits, Scope
from harness.models.oracle import Oracle
from harness.models.protocol import Model
from harness.records import RunRecord, ShareRow
from harness.run import run_sample
from harness.suite import Grade, Sample
from harness.topology import Topology

REAL_SECONDS = 60
"""No test run may take longer, whatever its virtual time."""


@dataclass
class DeskSuite:
    """A task about documents on a desk. An answer passes when it holds ``right``."""

    statement: str = "Answer the question."
    brief: str = "You answer questions about documents."
    documents: Mapping[str, str] = field(default_factory=lambda: {"a.txt": "alpha", "b.txt": "beta"})
    right: str = ""
    more_tools: Sequence[Tool] = ()
    ids: Sequence[str] = ("s0",)
    name: str = "desk"
    pass_threshold: float = 0.5

    def load(self) -> None:
        pass

    def sample_ids(self) -> Sequence[str]:
        return self.ids

    def sample(self, sample_id: str) -> Sample:
        return Sample(sample_id, self.statement, self.brief, None, 10, "0" * 64, 2.0, 1.0)

    def tools(self, sample: Sample) -> Sequence[Tool]:
        async def read(arguments: Arguments) -> str:
            if arguments["name"] not in self.documents:
                raise ToolFailed(f"no document '{arguments['name']}'; there are: {', '.join(self.documents)}")
            return self.documents[arguments["name"]]

        parameters: dict[str, Any] = {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "required": ["name"],
            "additionalProperties": False,
        }
        return [Tool("read_document", "Read one document.", parameters, frozenset({"read"}), read), *self.more_tools]

    async def grade(self, sample: Sample, answer: str) -> Grade:
        return Grade(float(bool(answer) and self.right in answer))

    def oracle(self) -> Oracle | None:
        return None


def cell(
    topology: Topology,
    model: Model,
    bus: BusBackend,
    *,
    suite: Any = None,
    limits: Limits | None = None,
    seed: int = 0,
) -> Cell:
    name = type(topology).__name__.lower()
    return Cell(
        experiment_id="exp",
        cell_id="c0",
        topology_name=name,
        task_name="desk",
        bus_name=bus.name,
        topology=topology,
        suite=suite or DeskSuite(),
        model=model,
        bus=bus,
        limits=limits or Limits(),
        seed=seed,
        epochs=1,
        params="{}",
        config_hash="h",
        git_commit=None,
    )


def run_once(
    topology: Topology,
    model: Model,
    *,
    suite: Any = None,
    limits: Limits | None = None,
    seed: int = 0,
    bus: BusBackend | None = None,
    scope: Scope | None = None,
    kind: str = "virtual",
    scale: float = 1.0,
) -> RunRecord:
    """The record of one run of sample ``s0``; bounded in real time."""

    async def main(clock: Clock) -> RunRecord:
        backend = bus or MemoryBus()
        await backend.open(clock)
        try:
            one = cell(topology, model, backend, suite=suite, limits=limits, seed=seed)
            return await run_sample(one, "s0", 0, clock, scope or Scope("experiment"))
        finally:
            await backend.close()

    async def bounded(clock: Clock) -> RunRecord:
        if kind == "virtual":
            return await main(clock)  # a virtual deadlock raises by itself; pytest-timeout bounds the rest
        async with asyncio.timeout(REAL_SECONDS):
            return await main(clock)

    return run(kind, bounded, scale=scale)


class LedgerSpy:
    """Keeps every attempt that a ledger was given, with its parts. Install with ``monkeypatch``."""

    def __init__(self, monkeypatch: Any) -> None:
        self.attempts: list[Attempt] = []
        record = Ledger.record

        def spy(ledger: Ledger, attempt: Attempt, scope: Scope) -> Any:
            self.attempts.append(attempt)
            return record(ledger, attempt, scope)

        monkeypatch.setattr(Ledger, "record", spy)


def shares(
    record: RunRecord,
    *,
    agent: str | None = None,
    direction: str | None = None,
    operation: str | None = None,
) -> list[ShareRow]:
    """A run's shares, of one agent's calls, one direction or one operation."""
    agents = {c.operation_id: c.agent for c in record.calls}
    return [
        s
        for s in record.shares
        if (agent is None or agents[s.operation_id] == agent)
        and (direction is None or s.direction == direction)
        and (operation is None or s.operation_id == operation)
    ]


def purposes(rows: Sequence[ShareRow]) -> dict[str, int]:
    """Tokens by purpose."""
    out: dict[str, int] = {}
    for s in rows:
        out[s.purpose] = out.get(s.purpose, 0) + s.tokens
    return out


def events(record: RunRecord, type: str, agent: str | None = None) -> list[Any]:
    return [e for e in record.events if e.type == type and (agent is None or e.agent == agent)]


def check_invariants(record: RunRecord) -> None:
    """Every identity of docs/cost-model.md that must hold for any run whatever."""
    of: dict[tuple[str, int], list[ShareRow]] = {}
    for s in record.shares:
        of.setdefault((s.operation_id, s.attempt), []).append(s)
    for c in record.calls:
        own = of.get((c.operation_id, c.attempt), [])
        prompt = [s for s in own if s.direction == "prompt"]
        completion = [s for s in own if s.direction == "completion"]
        assert sum(s.tokens for s in prompt) == c.prompt_tokens
        assert sum(s.cached_tokens for s in prompt) == c.cached_tokens
        assert sum(s.tokens for s in completion) == c.completion_tokens
        assert sum(s.reasoning_tokens for s in completion) == c.reasoning_tokens
        assert all(s.tokens >= 0 and s.cached_tokens >= 0 and s.reasoning_tokens >= 0 for s in own)
        assert not any(s.purpose == "unknown" for s in own)
        if c.cost_pusd is not None:
            assert c.fee_pusd is not None
            assert sum(s.cost_pusd or 0 for s in own) + c.fee_pusd == c.cost_pusd
            assert all(s.cost_pusd is not None and s.cost_pusd >= 0 for s in own)
        assert c.started_s <= c.ended_s
    r = record.run
    topology = [c for c in record.calls if c.activity != "judge"]
    assert r.prompt_tokens == sum(c.prompt_tokens for c in topology)
    assert r.completion_tokens == sum(c.completion_tokens for c in topology)
    assert r.work_tokens + r.coordination_tokens + r.verification_tokens == r.prompt_tokens + r.completion_tokens
    known = [c.cost_pusd for c in topology if c.cost_pusd is not None]
    assert r.cost_complete == (len(known) == len(topology))
    if r.cost_pusd is not None:
        assert r.cost_pusd == sum(known)
    assert [e.seq for e in record.events] == list(range(len(record.events)))
