"""The desk's own judgements: what counts as handing on, what an order forbids, what was copied, what is told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from dispatch.stage import ReferenceSuite, order, tool
from support.models import ActingModel, Say
from support.runs import run_once

from harness.accounting.parts import ENGINE, TOOL, Part, joined
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import DELEGATING, Agent, Returned, Step
from harness.agents.completions import CallParts, parse_arguments
from harness.agents.tools import ToolFailed
from harness.delegation.desk import Desk, copied_tokens, forbidden_call, hands_on
from harness.delegation.order import TaskOrder
from harness.delegation.rules import Delegation
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

SENTENCE = "The north pump delivers three hundred and forty litres per minute."


class Inside:
    """A topology that hands its session to a test."""

    family = "team"

    def __init__(self, look: Any) -> None:
        self._look = look

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        await self._look(session)
        return Answer("done")


def inside(look: Any) -> None:
    suite = ReferenceSuite(more_tools=[tool("write_it", "write"), tool("run_it", "exec", "write")])
    record = run_once(Inside(look), ActingModel([Say("x")]), suite=suite)  # type: ignore[arg-type]
    assert record.run.status == "ok", record.run.error


def step(*calls: tuple[str, str]) -> Step:
    made = tuple(
        CallParts(f"c{n}", Part(name, "w", Purpose.ANSWER), (Part(raw, "w", Purpose.ANSWER),), parse_arguments(raw))
        for n, (name, raw) in enumerate(calls)
    )
    return Step("", (), made, tuple(Returned(()) for _ in made))


@pytest.mark.parametrize("name", sorted(DELEGATING))
def test_delegation_by_name(name: str) -> None:
    assert hands_on(name, None) and hands_on(name, {}) and hands_on(name, {"type": "progress"})


def test_a_message_hands_on_only_as_a_task() -> None:
    assert hands_on("send_message", {"type": "task"})
    assert not hands_on("send_message", {"type": "clarify"})
    assert not hands_on("send_message", None)
    assert not hands_on("read_document", {"type": "task"})


@pytest.mark.parametrize(
    ("forbidden", "calls", "found"),
    [
        (("delegate",), [("read_document", "{}")], None),
        (("delegate",), [("read_document", "{}"), ("spawn_agent", "{}")], "delegate (spawn_agent)"),
        (("delegate",), [("send_message", '{"type": "task"}')], "delegate (send_message)"),
        (("delegate",), [("send_message", '{"type": "task"')], None),
        ((), [("spawn_agent", "{}")], None),
        (("write",), [("write_it", "{}")], "write_it"),
        (("write",), [("run_it", "no JSON")], "run_it"),
        (("exec",), [("write_it", "{}")], None),
        (("write_it",), [("run_it", "{}")], None),
        (("never_heard_of",), [("never_heard_of", "{}")], "never_heard_of"),
        (("do not write",), [("write_it", "{}")], None),
        (("read_document", "write"), [("write_it", "{}"), ("read_document", "{}")], "write_it"),
    ],
)
def test_what_an_order_forbids(forbidden: tuple[str, ...], calls: list[tuple[str, str]], found: str | None) -> None:
    """By name, by tag or as delegation, also of tools that the worker does not have; the first one is named."""

    async def look(session: Session) -> None:
        worker = session.agent("w", role="worker", stance=Stance.WORKER, tools=session.tools[:1])
        assert forbidden_call(TaskOrder("s", "o", forbidden_actions=forbidden), step(*calls), worker) == found

    inside(look)


def copied(read: Sequence[Part], text: str) -> int:
    out: list[int] = []

    async def look(session: Session) -> None:
        worker: Agent = session.agent("w", role="worker", stance=Stance.WORKER)
        worker.tell(*read)
        out.append(copied_tokens([worker], text))

    inside(look)
    return out[0]


def test_copies_of_material_are_measured() -> None:
    """Sentences and leaves of eight words or more that stand in what tools returned."""
    document = Part(f"{SENTENCE} It is blue.", TOOL, Purpose.TASK)
    assert copied([document], f"I found this. {SENTENCE}") == copied([document], SENTENCE) > 10
    assert copied([document], json.dumps([{"answer": SENTENCE}])) > 10
    assert copied([document], "It is blue.") == 0, "fewer words than a shingle has"
    assert copied([document], "Something that stands nowhere in any of the documents at all.") == 0


def test_a_copy_of_the_order_is_no_copy_of_the_source() -> None:
    by_lead = Part(SENTENCE, "lead", Purpose.DISPATCH)
    assert copied([by_lead], SENTENCE) == 0
    assert copied([Part(SENTENCE, ENGINE, Purpose.DISPATCH)], SENTENCE) == 0


def test_numbers_and_refusals() -> None:
    """Orders have numbers of their own; a refusal is counted and told whole."""

    async def look(session: Session) -> None:
        desk = Desk(session, Delegation())
        first = await desk.take(order("one"), "lead")
        with pytest.raises(ToolFailed) as refused:
            await desk.take(order(" "), "lead")
        last = await desk.take(order("two"), "lead")
        assert len({first.subtask_id, last.subtask_id}) == 2
        assert session.counters.refused == 1
        event = json.loads(session.events.rows[-1].data)
        assert event == {"text": str(refused.value)}

    inside(look)


def test_a_sentence_is_the_whole_order() -> None:
    async def look(session: Session) -> None:
        session.agent("lead", role="lead", stance=Stance.LEAD)
        desk = Desk(session, Delegation(order="sentence"))
        made = await desk.take("Find the fee.", "lead")
        assert (made.objective, made.forbidden_actions, made.output_schema) == ("Find the fee.", (), None)
        assert desk.told(made, "lead") == [Part("Find the fee.", "lead", Purpose.DISPATCH)]
        with pytest.raises(ToolFailed, match="say what to do"):
            await desk.take(" ", "lead")
        assert session.counters.refused == 1

    inside(look)


def test_a_result_that_comes_too_late_changes_nothing() -> None:
    async def look(session: Session) -> None:
        session.agent("w", role="worker", stance=Stance.WORKER)
        desk = Desk(session, Delegation())
        tried = desk.begin(await desk.take(order(), "lead"), "w", "member")
        desk.fail(tried, "failed", "worker_timeout_s: not done after 1 s", "1. read() done: x")
        receipt, same = await desk.receive(tried, "no JSON at all")
        assert (receipt.status, receipt.again, same) == ("failed", None, tried)
        assert (tried.raw_output, list(tried.errors)) == ("1. read() done: x", ["worker_timeout_s: not done after 1 s"])
        assert session.counters.retries_validation == 0
        assert len(session.delegations.tries) == 1

    inside(look)


def test_what_a_worker_is_told_has_no_second_author() -> None:
    async def look(session: Session) -> None:
        desk = Desk(session, Delegation())
        told = desk.told(await desk.take(order("Find it.", constraints=["Fast."]), "lead"), "lead")
        assert {p.author for p in told} == {"lead", ENGINE}
        assert joined(told).startswith("[order subtask_1]\nObjective: Find it.\n")

    inside(look)
