"""Full orders on the bus with the validation ring on, message by message; every call takes 1 s unless it says
otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dispatch.stage import (
    DONE,
    READ,
    ReferenceSuite,
    calls_of,
    data,
    order,
    results,
    send_order,
    spent,
    told_errors,
    tool,
    tries,
)
from support.models import Act, Acting, ActingModel, Call, Say, heard, news, send, turn
from support.runs import LedgerSpy, check_invariants, events, purposes, run_once, shares

from harness.accounting.purposes import read_as
from harness.delegation.rendering import VAGUE
from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import RunRecord
from topologies.bus import Bus

PAIR: dict[str, Any] = {"acceptance_criteria": [{"check": "count", "min": 2}]}
"""At least two entries are asked for."""
FEW = "entries: 1, at least 2 are asked for"
WRONG, RIGHT = Say("[1]"), Say("[1, 2]")


def patient(*first: Call, wanted: int = 1) -> Acting:
    """A lead that opens with these calls and waits in text until it has read so many results."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", first)
        return DONE if heard(request).count("[inbox] result") >= wanted else Say("I await.")

    return lead


def ran(
    lead: Act, alice: Act, *, suite: Any = None, limits: Limits | None = None, **bus: Any
) -> tuple[RunRecord, ActingModel]:
    model = ActingModel({"lead": lead, "alice": alice, "bob": [Say("[1, 2]")]})
    record = run_once(Bus(**bus), model, suite=suite or ReferenceSuite(), limits=limits)
    assert record.run.status == "ok", record.run.error
    check_invariants(record)
    return record, model


def sent(record: RunRecord, sender: str) -> list[tuple[str, str]]:
    return [(m.type, m.content) for m in record.messages if m.sender == sender]


# -- the ring ------------------------------------------------------------------------------------------------------


def test_a_result_is_returned_before_the_lead_sees_it() -> None:
    record, model = ran(patient(send_order("alice", order(**PAIR))), [WRONG, RIGHT])
    assert sent(record, "alice") == [("result", "[1, 2]")]
    assert model.of("alice")[1].messages[-1]["content"] == (
        f"[order subtask_1, try 2 of 3]\nNot accepted:\n- {FEW}\n"
        "Send the whole result again with these errors corrected."
    )
    first, second = record.delegations
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "success")]
    assert [(d.worker, d.type, d.validated, d.seconds) for d in record.delegations] == [
        ("alice", "member", True, 1)
    ] * 2
    assert (told_errors(first), json.loads(second.order)["feedback"]) == ([FEW], [FEW])
    calls = [c.prompt_tokens + c.completion_tokens for c in calls_of(record, "alice")]
    assert [first.tokens, second.tokens] == calls
    assert (record.run.retries_validation, record.run.wall_s) == (1, 4)


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_at_most_so_many_re_orders_then_a_person(retries: int) -> None:
    record, model = ran(patient(send_order("alice", order(**PAIR, max_retries=retries))), lambda _: WRONG)
    times = "1 try" if retries == 0 else f"{retries + 1} tries"
    note = f"[needs_person] subtask_1: not accepted after {times}: {FEW}\n"
    assert sent(record, "alice") == [("result", f"{note}[1]")]
    assert note in heard(model.of("lead")[-1])
    assert [s for _, _, s in tries(record)] == ["returned"] * retries + ["needs_person"]
    assert (record.run.retries_validation, len(calls_of(record, "alice"))) == (retries, retries + 1)


def test_needs_person_wakes_a_patient_lead() -> None:
    """At 3 s, though bob works until 22 s: it may want to do something about it."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [send_order("alice", order(**PAIR, max_retries=0)), send_order("bob", order())])
        return DONE if "[needs_person]" in news(request) else Say("I await.")

    model = ActingModel({"lead": lead, "alice": [WRONG], "bob": [Say("[]", latency_s=20)]})
    record = run_once(Bus(), model, suite=ReferenceSuite())
    assert (record.run.status, record.run.wall_s) == ("ok", 3)


def test_vague_feedback_and_no_validation() -> None:
    _, model = ran(patient(send_order("alice", order(**PAIR))), [WRONG, RIGHT], delegation=Delegation(feedback="vague"))
    assert model.of("alice")[1].messages[-1]["content"] == f"[order subtask_1, try 2 of 3]\n{VAGUE}"
    record, _ = ran(patient(send_order("alice", order(**PAIR))), [WRONG], delegation=Delegation(validate=False))
    assert (sent(record, "alice"), tries(record)) == ([("result", "[1]")], [("d1", 1, "success")])
    assert record.delegations[0].validated is False


def test_blocked() -> None:
    record, model = ran(patient(send_order("alice", order(**PAIR))), [Say("BLOCKED: 表格无法识别")])
    assert sent(record, "alice") == [("result", "[blocked] subtask_1\nBLOCKED: 表格无法识别")]
    assert (tries(record), record.run.retries_validation) == ([("d1", 1, "blocked")], 0)
    assert "[blocked] subtask_1" in heard(model.of("lead")[-1])


def test_a_result_by_message_goes_through_the_ring_too() -> None:
    """The error is what the call returns; the next result is the next try."""
    alice = [Say("", [send("lead", "result", "[1]")]), Say("", [send("lead", "result", "[1, 2]")])]
    record, model = ran(patient(send_order("alice", order(**PAIR))), alice)
    assert results(model.of("alice")[1]) == [
        f"[order subtask_1, try 2 of 3]\nNot accepted:\n- {FEW}\n"
        "Send the whole result again with these errors corrected."
    ]
    assert sent(record, "alice") == [("result", "[1, 2]")]
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "success")]
    assert [json.loads(e.data)["reason"] for e in events(record, "ax", "alice")] == ["completed"]


def test_steps_used_up_in_tries() -> None:
    """Two rounds: two tries that are not accepted; the third is begun and never answered, and the lead is told why."""
    record, model = ran(patient(send_order("alice", order(**PAIR))), lambda _: WRONG, worker_steps=2)
    assert tries(record) == [("d1", 1, "returned"), ("d1", 2, "returned"), ("d1", 3, "failed")]
    assert "[error] max_steps: not done after 2 rounds" in heard(model.of("lead")[-1])
    assert told_errors(record.delegations[2]) == ["max_steps: not done after 2 rounds"]


def test_purposes(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = LedgerSpy(monkeypatch)
    lead = patient(send_order("alice", order("Objective: hedgehog.", **PAIR, max_retries=1)))
    ran(lead, [Say('["dormouse"]'), Say('["elephant"]')])

    def landings(word: str) -> set[tuple[str, str, str]]:
        found = set()
        for a in spy.attempts:
            read = [p for p in a.prompt if word in p.text]
            found |= {
                (a.caller.agent, "prompt", str(read_as(p.purpose, p.author, a.caller.agent, a.caller.stance)))
                for p in read
            }
            found |= {(a.caller.agent, "completion", str(p.purpose)) for p in a.completion if word in p.text}
        return found

    assert landings("hedgehog") == {
        ("lead", "completion", "dispatch"),
        ("lead", "prompt", "dispatch"),
        ("alice", "prompt", "dispatch"),
    }
    assert landings("try 2 of 2") == {("alice", "prompt", "feedback")}
    assert landings("elephant") == {("alice", "completion", "rework"), ("lead", "prompt", "merge")}
    assert landings("[needs_person] subtask") == {("lead", "prompt", "report")}
    assert landings("dormouse") == {("alice", "completion", "answer"), ("alice", "prompt", "answer")}


def test_feedback_on_a_result_by_message_is_feedback(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = LedgerSpy(monkeypatch)
    alice = [Say("", [send("lead", "result", '["dormouse"]')]), Say('["elephant", "fox"]')]
    ran(patient(send_order("alice", order(**PAIR))), alice)
    told = {p.purpose for a in spy.attempts for p in a.prompt if "Not accepted" in p.text}
    assert {str(p) for p in told} == {"feedback"}
    assert {str(p.purpose) for a in spy.attempts for p in a.completion if "elephant" in p.text} == {"rework"}


# -- forbidden actions ---------------------------------------------------------------------------------------------

HANDING_ON = {
    "by message": (send("bob", "task", "Do it for me."), "delegate (send_message)", 1),
    "to the lead": (send("lead", "task", "Do it for me."), "delegate (send_message)", 1),
    "by dispatch": (Call("dispatch_sub_agent", {"type": "research", "task": "x"}), "delegate (dispatch_sub_agent)", 1),
    "by creation": (Call("create_agent", {"name": "eve"}), "delegate (create_agent)", 1),
    "by name": (Call("delegate", "no JSON"), "delegate (delegate)", 1),
    "by spawning": (Call("spawn_agent"), "delegate (spawn_agent)", 1),
    "a tool": (Call("write_it"), "write_it", 0),
}


@pytest.mark.parametrize("case", HANDING_ON)
def test_a_forbidden_action_fails_the_subtask(case: str) -> None:
    call, said, violations = HANDING_ON[case]
    suite = ReferenceSuite(more_tools=[tool("write_it", "write")])
    lead = patient(send_order("alice", order(forbidden_actions=["delegate", "write"])))
    record, _ = ran(lead, [Say("", [READ]), Say("", [call]), Say("[1, 2]")], suite=suite)
    assert sent(record, "alice") == [("result", f"[error] forbidden action: {said}")]
    assert tries(record) == [("d1", 1, "forbidden")]
    assert told_errors(record.delegations[0]) == [f"forbidden action: {said}"]
    assert [json.loads(e.data)["reason"] for e in events(record, "ax", "alice")] == ["forbidden"]
    assert (record.run.depth_violations, record.run.refused) == (violations, violations)
    assert [e["depth"] for e in data(record, "depth_violation", "alice")] == [2] * violations
    assert len(calls_of(record, "alice")) == 2, "no further word"
    assert not calls_of(record, "bob")


def test_talk_is_no_delegation() -> None:
    """A question and a report of progress to others are what send_message is for."""
    alice = [Say("", [send("bob", "progress", "Half done."), send("lead", "progress", "Half done."), READ]), RIGHT]
    record, _ = ran(patient(send_order("alice", order())), alice)
    assert tries(record) == [("d1", 1, "success")]
    assert record.run.depth_violations == 0


def test_after_a_forbidden_action_a_member_may_be_ordered_again() -> None:
    def lead(request: Request) -> Say:
        if "forbidden" in news(request):
            return Say("", [send_order("alice", order("By yourself."))])
        return patient(send_order("alice", order()), wanted=2)(request)

    record, _ = ran(lead, [Say("", [send("bob", "task", "You do it.")]), RIGHT])
    assert tries(record) == [("d1", 1, "forbidden"), ("d2", 1, "success")]
    assert sum(d.tokens for d in record.delegations) == spent(record, "alice")


# -- orders that are refused ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (send_order("alice", order(" ", max_retries=7)), "objective is empty: say what to do. max_retries is 7"),
        (send_order("alice", order(input_ref=["nowhere"])), "there are: a.txt, b.txt"),
        (send_order("alice", order(context_card={"background": " team" * 501})), "501 tokens"),
        (Call("send_message", {"to": "alice", "type": "task"}), "needs an order"),
        (Call("send_message", {"to": "alice", "type": "task", "content": "Do it."}), "needs an order"),
        (Call("send_message", {"to": "alice", "type": "revision"}), "needs content"),
        (Call("send_message", {"to": "alice", "type": "revision", "order": order()}), "needs content"),
        (Call("send_message", {"to": "alice", "type": "clarify_resp", "content": "  "}), "needs content"),
    ],
)
def test_a_wrong_message_is_refused_and_nothing_goes_out(wrong: Call, said: str) -> None:
    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say("", [wrong])
        return patient(wanted=1)(request) if turn(request) > 1 else Say("", [send_order("alice", order())])

    record, model = ran(lead, [RIGHT])
    assert said in results(model.of("lead")[1])[0]
    assert (record.run.refused, tries(record)) == (1, [("d1", 1, "success")])
    assert [m.type for m in record.messages if m.sender == "lead"] == ["task"]
    assert [f"error: {e['text']}" for e in data(record, "refused", "lead")] == results(model.of("lead")[1])
    assert "scaffold" in purposes(shares(record, operation="lead#2", direction="prompt"))


def test_a_shutdown_needs_no_words() -> None:
    record, _ = ran([Say("", [Call("send_message", {"to": "alice", "type": "shutdown"}), READ]), DONE], [])
    assert record.run.refused == 0


def test_a_member_cannot_write_orders() -> None:
    _, model = ran(patient(send_order("alice", order())), [RIGHT])
    schema = model.of("alice")[0].tools[-1]["function"]["parameters"]
    assert "order" not in schema["properties"] and "content" in schema["required"]
