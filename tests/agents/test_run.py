"""One run from its sample to its record: every way to end is a row, and only cancellation gets out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import pytest
from support.models import ActingModel, Say
from support.runs import DeskSuite, cell, check_invariants, events, run_once

from harness.accounting.purposes import Purpose, Stance
from harness.accounting.usage import Usage
from harness.bus.memory import MemoryBus
from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.errors import ConfigError, HarnessError, TopologyFailed
from harness.limits import Limits, Scope
from harness.run import run_sample
from harness.session import Session
from harness.suite import Grade, Sample
from harness.topology import Answer
from topologies.single import Single


@dataclass(frozen=True)
class Doing:
    """A topology that does what it is told."""

    do: Callable[[Session], Awaitable[str]]
    family: ClassVar[Literal["single", "team"]] = "single"

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        return Answer(await self.do(session))


async def one_call(session: Session) -> str:
    solver = session.agent("solver", role="single", stance=Stance.LEAD)
    solver.tell(session.statement())
    return (await solver.step(Purpose.ANSWER)).text


DONE = ActingModel(lambda _: Say("done"))


@pytest.mark.parametrize(
    ("fault", "status", "error"),
    [
        (TopologyFailed("no agreement"), "failed", "no agreement"),
        (ZeroDivisionError("oh"), "error", "topology: oh"),
        (HarnessError("odd"), "error", "topology: odd"),
    ],
)
def test_a_topology_that_gives_up_or_raises_is_a_row_with_score_zero(fault: Exception, status: str, error: str) -> None:
    async def fail(session: Session) -> str:
        session.offer(await one_call(session))
        raise fault

    record = run_once(Doing(fail), DONE)
    r = record.run
    assert (r.status, r.error_type, r.error, r.score, r.passed) == (status, type(fault).__name__, error, 0, False)
    assert r.answer == "done"
    assert r.calls == 1
    assert bool(events(record, "error")) == (status == "error")
    check_invariants(record)


def test_a_limit_is_graded_on_what_exists() -> None:
    async def overrun(session: Session) -> str:
        session.offer(await one_call(session))
        await session.agent("second", role="single", stance=Stance.LEAD).step(Purpose.ANSWER)
        return "never"

    record = run_once(Doing(overrun), DONE, limits=Limits(run_calls=1))
    assert (record.run.status, record.run.answer, record.run.score) == ("limit", "done", 1.0)


@dataclass
class BadGrader(DeskSuite):
    score: Any = 0.0

    async def grade(self, sample: Sample, answer: str) -> Grade:
        if isinstance(self.score, Exception):
            raise self.score
        return Grade(self.score)


@pytest.mark.parametrize(
    ("score", "says"),
    [(KeyError("x"), "grader: 'x'"), (1.5, "not within 0..1"), (float("nan"), "not within 0..1"), (-0.1, "within")],
)
def test_a_grader_that_raises_or_scores_nonsense_is_an_error_row(score: Any, says: str) -> None:
    record = run_once(Doing(one_call), DONE, suite=BadGrader(score=score))
    assert (record.run.status, record.run.score) == ("error", 0.0)
    assert record.run.error is not None
    assert says in record.run.error
    assert record.run.calls == 1


def test_a_sample_that_cannot_be_made_is_an_error_row() -> None:
    @dataclass
    class Broken(DeskSuite):
        def sample(self, sample_id: str) -> Sample:
            raise ValueError("no material")

    record = run_once(Single(), DONE, suite=Broken())
    assert (record.run.status, record.run.error) == ("error", "sample: no material")
    assert record.run.sample_id == "s0"
    assert record.calls == []


def test_the_row_counts_what_the_calls_say() -> None:
    record = run_once(Doing(one_call), DONE)
    r = record.run
    assert (r.status, r.score, r.passed, r.family, r.bus, r.clock) == ("ok", 1.0, True, "single", None, "virtual")
    assert (r.calls, r.attempts, r.wall_s, r.working_s) == (1, 1, 1.0, 1.0)
    assert r.peak_prompt_tokens == r.prompt_tokens == record.calls[0].prompt_tokens
    assert [e.type for e in record.events] == ["run_started", "agent_created", "graded", "run_ended"]
    check_invariants(record)


def test_a_tokeniser_that_is_far_off_is_a_warning() -> None:
    record = run_once(Doing(one_call), ActingModel(lambda _: Say("done", usage=Usage(10_000, 5))))
    (warning,) = json.loads(record.run.warnings)
    assert warning.startswith("tokeniser drift: 10,000 prompt tokens reported")


@pytest.mark.parametrize("name", ["", "task", "tool", "engine", "twice", "a/b"])
def test_an_agent_s_name_must_be_its_own(name: str) -> None:
    async def make(session: Session) -> str:
        session.agent("twice", role="x", stance=Stance.LEAD)
        with pytest.raises(ConfigError, match="taken, empty or one of"):
            session.agent(name, role="x", stance=Stance.LEAD)
        return "made"

    assert run_once(Doing(make), DONE).run.answer == "made"


def test_depth_is_the_creator_s_plus_one_and_code_may_place() -> None:
    async def make(session: Session) -> str:
        lead = session.agent("lead", role="lead", stance=Stance.LEAD).caller
        child = session.agent("child", role="worker", stance=Stance.WORKER, parent=lead).caller
        placed = session.agent("placed", role="worker", stance=Stance.WORKER, parent=lead, placed=True).caller
        assert (lead.depth, child.depth, placed.depth) == (0, 1, 0)
        assert child.session_id == f"{lead.session_id}/child"
        assert child.parent_session_id == lead.session_id
        assert session.refuse_depth(lead, "dispatch") is None
        refusal = session.refuse_depth(child, "dispatch")
        assert refusal is not None
        assert "depth 1" in refusal
        return "made"

    record = run_once(Doing(make), DONE)
    assert record.run.answer == "made", record.run.error
    assert record.run.depth_violations == 1
    assert json.loads(events(record, "depth_violation", "child")[0].data) == {
        "depth": 2,
        "max_depth": 1,
        "how": "dispatch",
    }


@dataclass
class Kept:
    session: list[Session] = field(default_factory=list)

    async def hang(self, session: Session) -> str:
        self.session.append(session)
        return await one_call(session)


def test_cancellation_gets_out_and_leaves_a_consistent_ledger() -> None:
    """Ctrl-C in the middle of a call: the attempt is recorded as cancelled, its cost as unknown."""
    kept = Kept()

    async def main(clock: Clock) -> None:
        slow = ActingModel(lambda _: Say("late", latency_s=100))
        bus = MemoryBus()
        one = cell(Doing(kept.hang), slow, bus)
        task = asyncio.create_task(run_sample(one, "s0", 0, clock, Scope("experiment")))
        await clock.start().sleep(10, "user")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await bus.close()

    run("virtual", main)
    (session,) = kept.session
    (row,) = session.ledger.calls
    assert (row.status, row.usage_status, row.used, row.ended_s) == ("cancelled", "missing", False, 10.0)
    assert session.ledger.shares == []
