"""What a lead reads of a dispatch, how often it may dispatch, and what is told of it while it happens."""

from __future__ import annotations

import json

import pytest
from support.models import Call, Say
from support.runs import check_invariants, events, purposes, shares

from harness.accounting.usage import NOT_BILLED
from harness.limits import Limits
from harness.models.protocol import TransportError

from .stage import (
    DONE,
    READ,
    SENTENCES,
    ReferenceSuite,
    calls_of,
    data,
    dispatch,
    order,
    ran,
    read_back,
    results,
    spent,
    tool,
    tries,
)

GONE = TransportError("no such model", kind="not_found", retryable=False, usage=NOT_BILLED, latency_s=1)


def test_success() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say("", [READ]), Say("340 元")])
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\n340 元"]
    (row,) = record.delegations
    assert (row.status, row.raw_output, row.validated, row.type, row.worker) == (
        "success",
        "340 元",
        False,
        "research",
        "research_1",
    )
    assert row.tokens == spent(record, "research_1") > 0
    check_invariants(record)


def test_an_empty_result_is_a_result() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say("")])
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\n"]
    assert tries(record) == [("d1", 1, "success")]


def test_partial_success_after_a_fault_of_the_provider() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say("", [READ]), Say(fault=GONE)])
    assert read_back(model) == [
        "[PARTIAL_SUCCESS] subtask_1 by research_1: not_found: no such model. Finished steps:\n"
        '1. read_document({"name": "a.txt"}) done: The fee is 340 yuan.\n'
    ]
    assert tries(record) == [("d1", 1, "partial_success")]


def test_partial_success_when_its_steps_are_used_up() -> None:
    """Eight by default."""
    record, model = ran([Say("", [dispatch()]), DONE], lambda _: Say("", [READ]))
    assert "research_1: max_steps: not done after 8 steps. Finished steps:\n1. " in read_back(model)[0]
    assert len(calls_of(record, "research_1")) == 8


def test_partial_success_when_an_agent_s_own_limit_trips() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], lambda _: Say("", [READ]), limits=Limits(agent_calls=2))
    assert "research_1: agent_calls: 3 is 1 over the bound of 2. Finished" in read_back(model)[0]
    assert len(calls_of(record, "research_1")) == 2


def test_failed_without_steps() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say(fault=GONE)])
    assert read_back(model) == ["[FAILED] subtask_1 by research_1: not_found: no such model\n"]
    assert tries(record) == [("d1", 1, "failed")]


def test_blocked_is_failed_and_says_why() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], [Say("", [READ]), Say("BLOCKED: 表格无法识别")])
    assert read_back(model) == ["[FAILED] subtask_1 by research_1: blocked\nBLOCKED: 表格无法识别"]
    assert (tries(record), record.delegations[0].raw_output) == ([("d1", 1, "blocked")], "BLOCKED: 表格无法识别")


# -- the cap -------------------------------------------------------------------------------------------------------


def test_beyond_the_cap_the_lead_reads_a_refusal() -> None:
    lead = [*[Say("", [dispatch()])] * 4, DONE]
    record, model = ran(lead, lambda _: Say("R."), max_dispatches=2)
    refusal = "REFUSED: all 2 dispatches are used. Go on with what you have, or do the rest yourself."
    assert read_back(model)[2:] == [refusal, refusal]
    assert (record.run.refused, len(record.delegations)) == (2, 2)
    assert [e["text"] for e in data(record, "refused", "lead")] == [refusal, refusal]
    assert record.run.status == "ok", "a text, not an exception"
    read = purposes(shares(record, operation="lead#5", direction="prompt"))
    assert read["scaffold"] > 0


def test_eight_are_the_default() -> None:
    lead = [Say("", [dispatch() for _ in range(9)]), DONE]
    record, model = ran(lead, lambda _: Say("R."))
    assert [text[:9] for text in read_back(model)] == ["[SUCCESS]"] * 8 + ["REFUSED: "]
    assert record.run.refused == 1


def test_dispatches_at_once_do_not_slip_past_the_cap() -> None:
    """Looking up their material takes a second, in which none has gone out yet."""
    lead = [Say("", [dispatch(order(input_ref=["a.txt"])) for _ in range(3)]), DONE]
    record, model = ran(lead, lambda _: Say("R."), parallel=True, max_dispatches=1, suite=ReferenceSuite(read_s=1))
    assert sorted(text[:9] for text in read_back(model)) == ["REFUSED: ", "REFUSED: ", "[SUCCESS]"]
    assert (record.run.refused, len(record.delegations)) == (2, 1)


def test_an_order_that_is_refused_uses_nothing_up() -> None:
    lead = [Say("", [dispatch(order(" "))]), Say("", [dispatch()]), DONE]
    record, model = ran(lead, [Say("R.")], max_dispatches=1)
    said = read_back(model)
    assert said[0].startswith("error: Order refused. objective is empty") and said[1].startswith("[SUCCESS]")
    assert (record.run.refused, tries(record)) == (1, [("d1", 1, "success")])


# -- orders that are refused ---------------------------------------------------------------------------------------

REFUSED = {
    "oversize card": (dispatch(order(context_card={"background": " team" * 501})), "501 tokens"),
    "contradiction": (
        dispatch(order(acceptance_criteria=[{"check": "count", "min": 5}, {"check": "count", "max": 4}])),
        "count",
    ),
    "no schema": (dispatch(order(output_schema={"type": "nonsense"})), "output_schema"),
    "missing input": (dispatch(order(input_ref=["nowhere"])), "there are: a.txt, b.txt"),
    "nothing to do": (dispatch(order("")), "objective is empty"),
}
"""Orders that fit the tool's schema and are refused by what they say."""
UNFIT = {
    "unknown check": (dispatch(order(acceptance_criteria=[{"check": "psychic"}])), "'psychic' is not one of ['count'"),
    "no such type": (dispatch(type="wizard"), "'wizard' is not one of ['research'"),
    "no JSON": (Call("dispatch_sub_agent", '{"type": "research", "order": {'), "not a JSON object"),
    "no object": (Call("dispatch_sub_agent", "[1]"), "not a JSON object"),
    "retries without a ring": (dispatch(order(max_retries=1)), "'max_retries' was unexpected"),
    "more fields": (dispatch({**order(), "priority": "high"}), "'priority' was unexpected"),
    "a sentence": (dispatch("Find the fee."), "'order' is a required property"),
    "a list": (Call("dispatch_sub_agent", {"type": "research", "order": ["Find it."]}), "is not of type 'object'"),
}
"""Calls that do not fit the tool's schema."""


@pytest.mark.parametrize("case", [*REFUSED, *UNFIT])
def test_a_wrong_order_is_told_and_can_be_corrected(case: str) -> None:
    wrong, said = {**REFUSED, **UNFIT}[case]
    record, model = ran([Say("", [wrong]), Say("", [dispatch()]), DONE], [Say("R.")])
    first, second = read_back(model)
    assert said in first
    assert second.startswith("[SUCCESS]")
    assert len(record.delegations) == 1, "nothing was dispatched for it"
    assert len(events(record, "tool_error", "lead")) == 1
    assert purposes(shares(record, operation="lead#2", direction="prompt"))["scaffold"] > 0


@pytest.mark.parametrize("case", REFUSED)
def test_an_order_that_is_refused_is_counted(case: str) -> None:
    record, model = ran([Say("", [REFUSED[case][0]]), DONE])
    assert record.run.refused == 1
    assert [f"error: {e['text']}" for e in data(record, "refused", "lead")] == read_back(model)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_sentence_is_no_order(text: str) -> None:
    record, model = ran(
        [Say("", [dispatch(text)]), Say("", [dispatch("Find the fee.")]), DONE], [Say("R.")], delegation=SENTENCES
    )
    assert read_back(model)[0].startswith("error: Order refused. It is empty")
    assert (record.run.refused, len(record.delegations)) == (1, 1)


# -- no recursion --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dispatch_sub_agent", "send_message", "create_agent", "delegate", "spawn_agent"])
def test_a_sub_agent_that_hands_its_task_on(name: str) -> None:
    """Refused by code, counted with the depth it asked for, and the end of its subtask."""
    call = dispatch() if name == "dispatch_sub_agent" else Call(name, {"type": "task", "content": "Do it for me."})
    record, model = ran([Say("", [dispatch()]), DONE], [Say("", [READ]), Say("", [call]), Say("Never said.")])
    assert read_back(model) == [f"[FAILED] subtask_1 by research_1: forbidden action: delegate ({name})\n"]
    assert tries(record) == [("d1", 1, "forbidden")]
    assert len(calls_of(record, "research_1")) == 2
    assert (record.run.depth_violations, record.run.refused) == (1, 1)
    assert [(e["depth"], e["max_depth"]) for e in data(record, "depth_violation", "research_1")] == [(2, 1)]
    assert json.loads(record.delegations[0].validation_errors) == [f"forbidden action: delegate ({name})"]
    assert max(c.depth for c in record.calls) == 1


def test_where_it_is_not_forbidden_it_is_refused_all_the_same() -> None:
    workers = [Say("", [dispatch()]), Say("I did it myself.")]
    record, model = ran([Say("", [dispatch(order(forbidden_actions=[]))]), DONE], workers)
    assert read_back(model) == ["[SUCCESS] subtask_1 by research_1\nI did it myself."]
    assert (record.run.depth_violations, record.run.refused, len(record.delegations)) == (1, 1, 1)
    assert "may not hand work to others" in results(model.worked()[-1])[0]


def test_at_depth_nought_the_lead_may_not_dispatch() -> None:
    record, model = ran([Say("", [dispatch()]), DONE], limits=Limits(max_depth=0))
    assert "you work at depth 0 and may not hand work to others" in read_back(model)[0]
    assert (record.run.depth_violations, record.run.refused, len(record.delegations)) == (1, 1, 0)


@pytest.mark.parametrize(
    ("forbidden", "call", "said"),
    [
        ("write_it", Call("write_it"), "write_it"),
        ("write", Call("write_it"), "write_it"),
        ("read_document", READ, "read_document"),
        ("read", READ, "read_document"),
        ("rm_rf", Call("rm_rf", {}), "rm_rf"),
    ],
)
@pytest.mark.parametrize("type", ["research", "coder"])
def test_a_tool_that_the_order_forbids(forbidden: str, call: Call, said: str, type: str) -> None:
    """By name or by tag, whether or not the sub-agent has it."""
    suite = ReferenceSuite(more_tools=[tool("write_it", "write")])
    lead = [Say("", [dispatch(order(forbidden_actions=[forbidden]), type)]), DONE]
    record, model = ran(lead, [Say("", [call]), Say("Never said.")], suite=suite)
    assert read_back(model) == [f"[FAILED] subtask_1 by {type}_1: forbidden action: {said}\n"]
    assert tries(record) == [("d1", 1, "forbidden")]


def test_an_action_in_words_is_told_and_flagged() -> None:
    """003's own: no new sub-agents. Nothing can check a sentence, and the row says so."""
    words = "禁止创建任何新的子代理来处理本任务"
    lead = [Say("", [dispatch(order(forbidden_actions=[words, "delegate"]))]), DONE]
    record, model = ran(lead, [Say("R.")])
    assert words in model.worked()[0].messages[1]["content"]
    assert json.loads(record.delegations[0].unchecked) == [words]


# -- while it happens ----------------------------------------------------------------------------------------------


def test_progress_and_the_finished_step() -> None:
    """001, section 7: each step of a sub-agent bubbles up when it is done; the dispatch's own step has them all."""
    workers = [Say("", [READ, Call("read_document", {"name": "zz"})]), Say("", [READ]), Say("R.")]
    record, _ = ran([Say("", [dispatch()]), DONE], workers)
    progress = data(record, "sub_progress", "research_1")
    assert [(p["parent_tool"], p["sub_agent_type"], p["current_tool"]) for p in progress] == [
        ("dispatch_sub_agent", "research", "read_document")
    ] * 3
    assert [(p["sub_step"]["index"], p["sub_step"]["status"]) for p in progress] == [
        (1, "done"),
        (2, "error"),
        (3, "done"),
    ]
    (step,) = data(record, "step", "lead")
    assert step["sub_steps"] == [p["sub_step"] for p in progress]
    assert (step["tool"], step["status"], step["outcome"]) == ("dispatch_sub_agent", "done", "SUCCESS")
    assert (step["sub_agent"], step["sub_agent_type"]) == ("research_1", "research")
    assert [e.at_s for e in record.events if e.type in ("sub_progress", "step")] == [2, 2, 3, 4]


def test_a_step_that_failed_says_so() -> None:
    record, _ = ran([Say("", [dispatch()]), DONE], [Say("", [READ]), Say(fault=GONE)])
    (step,) = data(record, "step", "lead")
    assert (step["status"], step["outcome"], len(step["sub_steps"])) == ("error", "PARTIAL_SUCCESS", 1)
