"""Whatever a user's topology, suite or grader does becomes a row, and nobody else's run suffers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from harness.accounting.purposes import Purpose, Stance
from harness.accounting.tokens import count_tokens
from harness.limits import Limits
from harness.session import Session
from harness.suite import Grade, Sample
from harness.testing.models import faultless
from harness.testing.runs import cell, faults, records
from harness.testing.toy import Toy
from harness.topology import Answer
from topologies.bus import Bus
from topologies.single import Single

ODD = "toy-1"
"""The sample that goes wrong; toy-0 and toy-2 must not notice."""


@dataclass(frozen=True)
class Hostile:
    """Solves samples as ``single`` does, but does ``act`` on the odd one."""

    act: Callable[[Session], Awaitable[Any]]
    family: ClassVar[Literal["single", "team"]] = "single"

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        if sample.id == ODD:
            found: Answer = await self.act(session)
            return found
        return await Single()(sample, session)


@dataclass(frozen=True)
class OddSuite(Toy):
    """The toy suite, with something else for the odd sample."""

    samples: int = 3
    sample_as: Callable[[Sample], Any] = field(default=lambda s: s)
    grade_as: Callable[[], Any] | None = None

    def sample(self, sample_id: str) -> Sample:
        made = super().sample(sample_id)
        changed: Sample = self.sample_as(made) if sample_id == ODD else made
        return changed

    async def grade(self, sample: Sample, answer: str) -> Grade:
        if sample.id == ODD and self.grade_as is not None:
            made: Grade = self.grade_as()
            return await made if isinstance(made, Awaitable) else made
        return await super().grade(sample, answer)


def raises(error: BaseException) -> Callable[..., Any]:
    def act(*_: Any) -> Any:
        raise error

    return act


def returns(value: Any) -> Callable[..., Any]:
    async def act(*_: Any) -> Any:
        return value

    return act


async def awaits_a_cancelled_task(_: Session) -> Any:
    task = asyncio.create_task(asyncio.sleep(1))
    task.cancel()
    await task


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (returns(None), "TypeError"),
        (returns(Answer(5)), "TypeError"),  # type: ignore[arg-type]
        (raises(SystemExit(3)), "SystemExit"),
        (raises(KeyboardInterrupt()), "KeyboardInterrupt"),
        (raises(GeneratorExit()), "GeneratorExit"),
        (raises(asyncio.CancelledError()), "CancelledError"),
        (awaits_a_cancelled_task, "CancelledError"),
    ],
)
def test_a_topology_that_breaks_the_rules_is_an_error_row(act: Any, error: str, tmp_path: Path) -> None:
    found = records(cell(Hostile(act), faultless(), suite=Toy(samples=3)))
    assert [(r.run.status, r.run.error_type) for r in found] == [("ok", None), ("error", error), ("ok", None)]
    assert faults(found, tmp_path) == []


@pytest.mark.parametrize(
    ("suite", "error"),
    [
        (OddSuite(sample_as=lambda _: None), "TypeError"),
        (OddSuite(sample_as=lambda s: replace(s, id="another")), "ValueError"),
        (OddSuite(sample_as=lambda s: replace(s, tags=({1},))), "TypeError"),
        (OddSuite(sample_as=lambda s: replace(s, material_tokens=-5)), "ValueError"),
        (OddSuite(sample_as=lambda s: replace(s, graph_work=float("nan"))), "ValueError"),
        (OddSuite(grade_as=raises(asyncio.CancelledError())), "CancelledError"),
        (OddSuite(grade_as=raises(SystemExit(4))), "SystemExit"),
        (OddSuite(grade_as=lambda: Grade(1.0, None)), "TypeError"),  # type: ignore[arg-type]
        (OddSuite(grade_as=lambda: Grade(2.0)), "ValueError"),
        (OddSuite(grade_as=lambda: asyncio.sleep(10_000)), "TimeoutError"),
    ],
)
def test_a_suite_that_breaks_the_rules_is_an_error_row(suite: OddSuite, error: str, tmp_path: Path) -> None:
    found = records(cell(Single(), faultless(), suite=suite))
    assert [(r.run.status, r.run.error_type) for r in found] == [("ok", None), ("error", error), ("ok", None)]
    assert faults(found, tmp_path) == []


def test_a_score_that_is_no_float_is_made_one(tmp_path: Path) -> None:
    found = records(cell(Single(), faultless(), suite=OddSuite(grade_as=lambda: Grade(True))))
    assert [r.run.score for r in found] == [1.0, 1.0, 1.0]
    assert faults(found, tmp_path) == []


def test_a_run_that_failed_has_not_passed_whatever_the_threshold(tmp_path: Path) -> None:
    found = records(cell(Hostile(raises(RuntimeError("no"))), faultless(), suite=Toy(3, pass_threshold=0.0)))
    assert [r.run.passed for r in found] == [True, False, True]
    assert faults(found, tmp_path) == []


def test_calls_under_way_when_the_answer_comes_are_rows(tmp_path: Path) -> None:
    """The topology leaves an agent at work and returns at once: its call was sent, so its cost is unknown, not zero."""

    kept: list[Any] = []

    async def leaky(session: Session) -> Answer:
        agent = session.agent("leaky", role="single", stance=Stance.LEAD, tools=session.tools)
        agent.tell(session.statement())
        kept.append(asyncio.create_task(agent.run(Purpose.ANSWER, 5)))
        await session.time.sleep(0.1, "solver")
        return Answer("[]")

    odd = records(cell(Hostile(leaky), faultless(), suite=Toy(samples=3)))[1]
    assert [(c.status, c.usage_status, c.used) for c in odd.calls] == [("cancelled", "missing", False)]
    assert odd.run.cost_complete is False and odd.run.wall_s == 0.1
    assert [e.type for e in odd.events].count("leftover") == 1
    assert kept[0].cancelled()
    assert faults([odd], tmp_path) == []


def test_an_answer_that_passes_a_bound_is_graded_and_the_row_says_by_how_much() -> None:
    whole = records(cell(Single(), faultless()))[0].run
    tokens = whole.prompt_tokens + whole.completion_tokens
    limited = records(cell(Single(), faultless(), limits=Limits(run_tokens=tokens - 1)))[0].run
    assert (limited.status, limited.score) == ("limit", 1.0)
    assert limited.limit == f"run_tokens: {tokens:,} is 1 over the bound of {tokens - 1:,}"


def test_a_bound_on_calls_counts_those_under_way() -> None:
    for bound in (1, 3, 5):
        run = records(cell(Bus(), faultless(), limits=Limits(run_calls=bound)))[0].run
        assert (run.status, run.attempts) == ("limit", bound)


@pytest.mark.parametrize("text", [" " * 1_000_000, "\t" * 1_000_000, "\u3000" * 1_000_000, "[" * 1_000_000])
def test_a_megabyte_of_one_character_is_counted(text: str) -> None:
    assert 0 < count_tokens(text) <= 1_000_000
