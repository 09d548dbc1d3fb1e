"""The agent's loop: what comes back for each kind of tool call, and when it stops."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import pytest
from support.models import ActingModel, Call, Say, Sequenced
from support.runs import DeskSuite, check_invariants, events, purposes, run_once, shares

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.tools import Arguments, Tool
from harness.limits import Limits
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer
from topologies.single import Single

OBJECT: dict[str, Any] = {"type": "object", "properties": {}}


def last_results(model: ActingModel, request: int = -1) -> list[str]:
    """The tool results that a request ends with."""
    out: list[str] = []
    for message in reversed(model.requests[request].messages):
        if message["role"] != "tool":
            break
        out.insert(0, message["content"])
    return out


def solve(*calls: Call, **more: Any) -> tuple[ActingModel, Any]:
    model = ActingModel({"solver": [Say("", calls), Say("done")]})
    return model, run_once(Single(), model, **more)


def test_results_come_back_in_the_order_of_the_calls() -> None:
    model, record = solve(Call("read_document", {"name": "b.txt"}), Call("read_document", {"name": "a.txt"}))
    assert last_results(model) == ["beta", "alpha"]
    assert [json.loads(e.data)["chars"] for e in events(record, "tool")] == [4, 5]
    assert record.run.answer == "done"


@pytest.mark.parametrize(
    ("call", "says", "event"),
    [
        (Call("fly", {"to": "the moon"}), "There is no tool 'fly'. Your tools: read_document.", "refused"),
        (Call("read_document", "{oops"), "not a JSON object", "tool_error"),
        (Call("read_document", {"nom": "a.txt"}), "'name' is a required property", "tool_error"),
        (Call("read_document", {"name": "z.txt"}), "error: no document 'z.txt'; there are: a.txt, b.txt", "tool_error"),
    ],
)
def test_what_is_wrong_with_a_call_is_its_result(call: Call, says: str, event: str) -> None:
    model, record = solve(call)
    (result,) = last_results(model)
    assert says in result
    assert len(events(record, event, "solver")) == 1
    assert record.run.status == "ok"
    assert record.run.refused == (event == "refused")
    assert record.run.coordination_tokens == 0  # a single agent's refusals are part of its task
    check_invariants(record)


def test_a_single_agent_that_calls_a_delegation_tool_answers_and_delegates_nothing() -> None:
    _, record = solve(Call("send_message", {"to": "bob", "type": "task", "content": "help"}))
    assert set(purposes(record.shares)) == {"task", "answer"}
    assert record.run.depth_violations == 0  # at depth 0 it would be within the limit of 1: the tool is what is missing
    assert record.run.refused == 1


def test_calls_of_one_step_run_at_once() -> None:
    """Three tools of 7, 5 and 3 s: the step takes 1 s of model and 7 s of tools."""
    clock: dict[str, Any] = {}

    def slow(name: str, seconds: float) -> Tool:
        async def work(arguments: Arguments) -> str:
            await clock["time"].sleep(seconds, name)
            return name

        return Tool(name, "Waits.", OBJECT, frozenset(), work)

    @dataclass(frozen=True)
    class Timed:
        family: ClassVar[Literal["single", "team"]] = "single"

        async def __call__(self, sample: Sample, session: Session) -> Answer:
            clock["time"] = session.time
            return await Single()(sample, session)

    suite = DeskSuite(more_tools=[slow("x", 7), slow("y", 5), slow("z", 3)])
    model = ActingModel({"solver": [Say("", [Call("x"), Call("y"), Call("z")]), Say("done")]})
    record = run_once(Timed(), model, suite=suite)
    assert last_results(model) == ["x", "y", "z"]
    assert [(c.started_s, c.ended_s) for c in record.calls] == [(0, 1), (8, 9)]
    assert record.run.wall_s == 9


def test_max_steps_is_a_limit_by_name() -> None:
    model = ActingModel(lambda _: Say("", [Call("read_document", {"name": "a.txt"})]))
    record = run_once(Single(max_steps=3), model)
    assert (record.run.status, record.run.error_type) == ("limit", "LimitExceeded")
    assert record.run.limit == "max_steps: 4 is 1 over the bound of 3"
    assert record.run.calls == 3


def test_a_tool_that_raises_ends_the_run_as_an_error() -> None:
    async def broken(arguments: Arguments) -> str:
        raise ZeroDivisionError("a defect of the tool")

    suite = DeskSuite(more_tools=[Tool("broken", "Breaks.", OBJECT, frozenset(), broken)])
    record = run_once(Single(), ActingModel({"solver": [Say("", [Call("broken")])]}), suite=suite)
    assert (record.run.status, record.run.error_type) == ("error", "ZeroDivisionError")
    assert len(record.calls) == 1
    check_invariants(record)


def test_a_tool_may_return_parts_of_its_own() -> None:
    async def peer(arguments: Arguments) -> list[Part]:
        return [Part("by bob", "bob", Purpose.ANSWER), Part("; by the engine", "engine", Purpose.TASK)]

    suite = DeskSuite(more_tools=[Tool("peer", "Asks.", OBJECT, frozenset(), peer)])
    model = ActingModel({"solver": [Say("", [Call("peer")]), Say("new words")]})
    record = run_once(Single(), model, suite=suite)
    assert last_results(model) == ["by bob; by the engine"]
    assert purposes([s for s in record.shares if s.author == "bob"]).keys() == {"merge"}


# -- compaction ----------------------------------------------------------------------------------------------------


def test_compaction_goes_on_from_the_notes() -> None:
    """A window of 1,000 tokens, notes from 400 on: after reading 500 tokens the agent writes notes, and from then on
    its prompt holds the system prompt, the statement and the notes."""
    suite = DeskSuite(documents={"a.txt": " alpha" * 500})
    read = Call("read_document", {"name": "a.txt"})
    model = Sequenced([Say("", [read]), Say("NOTES: alpha."), Say("done")], window_tokens=1_000)
    record = run_once(Single(compact=True, compact_at=0.4), model, suite=suite)
    assert record.run.status == "ok", record.run.error
    assert record.run.answer == "done"
    notes, after = model.requests[1], model.requests[2]
    assert notes.tools == ()
    assert "Write notes now" in notes.messages[-1]["content"]
    assert [m["role"] for m in after.messages] == ["system", "user", "assistant", "user"]
    assert after.messages[1]["content"] == suite.statement
    assert after.messages[2]["content"] == "NOTES: alpha."
    assert "alpha alpha" not in json.dumps(after.messages)
    assert len(events(record, "compacted")) == 1
    assert set(purposes(record.shares)) == {"task", "answer"}  # zero coordination by construction
    check_invariants(record)


def test_a_result_that_would_not_fit_is_left_out_and_says_so() -> None:
    suite = DeskSuite(documents={"a.txt": " alpha" * 5_000})
    read = Call("read_document", {"name": "a.txt"})
    model = ActingModel({"solver": [Say("", [read]), Say("done")]}, window_tokens=1_000)
    record = run_once(Single(compact=True), model, suite=suite)
    assert record.run.status == "ok"
    assert last_results(model) == [
        "Left out: this result has 5,000 tokens and does not fit your context. Read it later."
    ]


def test_without_compaction_a_full_window_is_a_limit_and_nothing_is_sent() -> None:
    suite = DeskSuite(documents={"a.txt": " alpha" * 5_000})
    read = Call("read_document", {"name": "a.txt"})
    model = ActingModel({"solver": [Say("", [read])]}, window_tokens=1_000)
    record = run_once(Single(), model, suite=suite)
    assert record.run.status == "limit"
    assert record.run.limit is not None
    assert record.run.limit.startswith("window_tokens: ")
    assert len(model.requests) == len(record.calls) == 1


# -- memory after an interruption ----------------------------------------------------------------------------------


def test_a_step_cut_off_in_a_tool_leaves_a_conversation_that_can_go_on() -> None:
    """The tool never ends; the step is given 5 s. The call has a result all the same, which providers insist on."""

    async def hang(arguments: Arguments) -> str:
        await asyncio.Event().wait()
        return ""

    @dataclass(frozen=True)
    class Impatient:
        family: ClassVar[Literal["single", "team"]] = "single"

        async def __call__(self, sample: Sample, session: Session) -> Answer:
            solver = session.agent("solver", role="single", stance=Stance.LEAD, tools=session.tools)
            solver.tell(session.statement())
            try:
                async with session.time.timeout(5, "solver"):
                    await solver.step(Purpose.ANSWER)
            except TimeoutError:
                solver.note("Go on.")
            return Answer((await solver.run(Purpose.ANSWER, 2)).text)

    suite = DeskSuite(more_tools=[Tool("hang", "Hangs.", OBJECT, frozenset(), hang)])
    calls = [Call("hang"), Call("read_document", {"name": "a.txt"})]
    model = ActingModel({"solver": [Say("", calls), Say("done")]})
    record = run_once(Impatient(), model, suite=suite, limits=Limits(run_wall_s=100))
    assert record.run.answer == "done"
    assert [(m["role"], m["content"]) for m in model.requests[1].messages[-3:]] == [
        ("tool", "error: interrupted"),
        ("tool", "error: interrupted"),
        ("user", "Go on."),
    ]


def test_text_beside_a_task_tool_s_call_is_answer() -> None:
    model = ActingModel({"solver": [Say("Let me look.", [Call("read_document", {"name": "a.txt"})]), Say("done")]})
    record = run_once(Single(), model)
    assert purposes(shares(record, direction="completion")).keys() == {"answer"}
