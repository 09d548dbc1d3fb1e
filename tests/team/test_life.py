"""A worker's life, second by second: every model call takes 1 s unless it says otherwise, all else takes none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.models import Act, Acting, ActingModel, Call, Say, heard, news, send, turn
from support.runs import DeskSuite, check_invariants, events, purposes, run_once, shares
from support.teams import TALK, talking_bus

from harness.accounting.usage import NOT_BILLED, Usage
from harness.agents.tools import Arguments, Tool
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.records import RunRecord
from topologies.bus import Bus

READ = Call("read_document", {"name": "a.txt"})
FINAL = Say('["done"]')


def order(*names: str) -> Say:
    return Say("", [send(name, "task", f"Work, {name}.") for name in names])


def spans(record: RunRecord, agent: str) -> list[tuple[float, float]]:
    return [(c.started_s, c.ended_s) for c in record.calls if c.agent == agent]


def exits(record: RunRecord, agent: str) -> list[tuple[float, str]]:
    return [(e.at_s, json.loads(e.data)["reason"]) for e in events(record, "ax", agent)]


def loads(record: RunRecord, agent: str) -> list[tuple[float, str]]:
    return [(e.at_s, json.loads(e.data)["session_id"]) for e in events(record, "as", agent)]


def errors_read(model: ActingModel) -> list[str]:
    """The error results that stand in the lead's last prompt."""
    return [line for line in heard(model.of("lead")[-1]).splitlines() if line.startswith("[error]")]


def waiting_lead(wanted: int = 1) -> Acting:
    """A lead that orders from alice, then says it waits until it has had so many results."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return order("alice")
        return FINAL if heard(request).count("[inbox] result") >= wanted else Say("I await.")

    return lead


@pytest.mark.parametrize(
    ("wake", "lead"), [("each", [(0, 1), (12, 13), (22, 23), (30, 31)]), ("needed", [(0, 1), (30, 31)])]
)
def test_workers_overlap_and_the_parked_lead_makes_no_call(wake: str, lead: list[tuple[float, float]]) -> None:
    acts: dict[str, Act] = {
        "lead": [order("alice", "bob", "carol"), *[Say("I await.")] * (len(lead) - 2), FINAL],
        "alice": [Say("", [READ]), Say("Result of alice.", latency_s=10)],
        "bob": [Say("", [READ]), Say("Result of bob.", latency_s=20)],
        "carol": [Say("", [READ]), Say("Result of carol.", latency_s=28)],
    }
    record = run_once(talking_bus(wake=wake), ActingModel(acts))
    assert record.run.status == "ok", record.run.error
    assert [spans(record, name) for name in ("alice", "bob", "carol")] == [
        [(1, 2), (2, 12)],
        [(1, 2), (2, 22)],
        [(1, 2), (2, 30)],
    ]
    # it is parked from 1 s on, since only messages were sent, and wakes for each result or for the last
    assert spans(record, "lead") == lead
    assert {exits(record, name)[0][1] for name in ("alice", "bob", "carol")} == {"completed"}
    check_invariants(record)


def test_the_natural_end_sends_the_result_once() -> None:
    acts = {"lead": waiting_lead(), "alice": [Say("", [READ]), Say("Result of alice.")]}
    record = run_once(talking_bus(), ActingModel(acts))
    (result,) = (m for m in record.messages if m.type == "result")
    (task,) = (m for m in record.messages if m.type == "task")
    assert (result.sender, result.recipient, result.content) == ("alice", "lead", "Result of alice.")
    assert (result.in_reply_to, result.sent_s, result.read_s, result.delivery) == (task.msg_id, 3, 3, "read")
    assert exits(record, "alice") == [(3, "completed")]
    assert [e.type for e in record.events if e.type in ("am", "ar", "as", "ax")] == ["am", "as", "ar", "ax"]
    assert record.run.wall_s == 4


def test_an_explicit_result_ends_the_work_without_another_call() -> None:
    acts: dict[str, Act] = {"lead": waiting_lead(), "alice": [Say("", [send("lead", "result", "Result of alice.")])]}
    record = run_once(talking_bus(), ActingModel(acts))
    assert record.run.status == "ok"
    assert spans(record, "alice") == [(1, 2)]
    assert exits(record, "alice") == [(2, "completed")]
    assert [m.content for m in record.messages if m.type == "result"] == ["Result of alice."]


@pytest.mark.parametrize("idle", [60.0, 2.5])
def test_the_idle_exit_comes_exactly_at_the_timeout(idle: float) -> None:
    """Alice asks at 2 s and nobody answers. She owes a result, so the lead is told."""
    model = ActingModel({"lead": waiting_lead(), "alice": [Say("", [send("lead", "clarify", "Which?")])]})
    record = run_once(talking_bus(idle_timeout_s=idle), model)
    assert exits(record, "alice") == [(2 + idle, "idle_timeout")]
    assert errors_read(model) == [f"[error] idle_timeout_s: no message in {idle:g} s; write again to go on"]
    assert record.run.status == "ok"


def test_sixty_seconds_is_the_default() -> None:
    assert talking_bus().idle_timeout_s == 60


def test_whoever_owes_nothing_leaves_in_silence() -> None:
    acts: dict[str, Act] = {
        "lead": [
            Say("", [send("alice", "clarify_resp", "By the way."), send("bob", "task", "Work.")]),
            Say("I await."),
            FINAL,
        ],
        "alice": [Say("", [send("bob", "progress", "Hello.")])],
        "bob": [Say("", [READ]), Say("Long.", latency_s=25), Say("", [READ], 25), Say("Result of bob.", latency_s=25)],
    }
    record = run_once(talking_bus(idle_timeout_s=10), ActingModel(acts))
    assert record.run.status == "ok", record.run.error
    assert exits(record, "alice") == [(12, "idle_timeout")]
    assert not [m for m in record.messages if m.sender == "alice" and m.recipient == "lead"]


def test_a_reloaded_member_keeps_its_session_and_its_memory() -> None:
    def lead(request: Request) -> Say:
        if "idle_timeout_s" in news(request):
            return Say("", [send("alice", "clarify_resp", "The second one.")])
        return waiting_lead(2)(request)

    model = ActingModel({"lead": lead, "alice": [Say("", [send("lead", "clarify", "Which?")]), Say("The second.")]})
    record = run_once(talking_bus(idle_timeout_s=60), model)
    assert record.run.status == "ok", record.run.error
    session = f"{record.run.run_id}/alice"
    assert loads(record, "alice") == [(1, session), (63, session)]
    assert exits(record, "alice") == [(62, "idle_timeout"), (64, "completed")]
    assert len(events(record, "agent_created", "alice")) == 1
    calls = [c for c in record.calls if c.agent == "alice"]
    assert {(c.session_id, c.parent_session_id, c.depth) for c in calls} == {(session, record.run.run_id, 1)}
    again = model.of("alice")[1]
    assert [m["role"] for m in again.messages] == ["system", "user", "assistant", "tool", "user"]
    assert "Work, alice." in heard(again)


def test_a_clarify_round() -> None:
    def lead(request: Request) -> Say:
        if "[inbox] clarify" in news(request):
            return Say("", [send("alice", "clarify_resp", "Only the second quarter.")])
        return waiting_lead()(request)

    model = ActingModel({"lead": lead, "alice": [Say("", [send("lead", "clarify", "Which?")]), Say("Result.")]})
    record = run_once(talking_bus(), model)
    assert [(m.sender, m.type, m.sent_s) for m in record.messages] == [
        ("lead", "task", 1),
        ("alice", "clarify", 2),
        ("lead", "clarify_resp", 3),
        ("alice", "result", 4),
    ]
    assert spans(record, "alice") == [(1, 2), (3, 4)]
    assert purposes(shares(record, agent="alice", operation="alice#2", direction="completion")).keys() == {"answer"}


def test_eight_steps_and_no_more() -> None:
    assert talking_bus().worker_steps == 8
    model = ActingModel({"lead": waiting_lead(), "alice": lambda _: Say("", [READ])})
    record = run_once(talking_bus(), model)
    assert len(spans(record, "alice")) == 8
    assert exits(record, "alice") == [(9, "max_steps")]
    assert errors_read(model) == ["[error] max_steps: not done after 8 rounds"]
    assert record.run.status == "ok"


def test_a_round_is_cut_off_after_thirty_seconds() -> None:
    model = ActingModel({"lead": waiting_lead(), "alice": [Say("Too late.", latency_s=31)]})
    record = run_once(talking_bus(), model)
    assert spans(record, "alice") == [(1, 31)]
    assert exits(record, "alice") == [(31, "timeout")]
    assert errors_read(model) == ["[error] round_timeout_s: no answer in 30 s"]
    (call,) = (c for c in record.calls if c.agent == "alice")
    assert (call.status, call.usage_status, call.used) == ("cancelled", "missing", False)
    assert record.run.status == "ok"
    assert not record.run.cost_complete
    check_invariants(record)


def test_after_a_round_that_was_cut_off_in_a_tool_the_member_can_go_on() -> None:
    clock: dict[str, Any] = {}

    async def slow(arguments: Arguments) -> str:
        await clock["sleep"](100, "tool")
        return "never"

    def lead(request: Request) -> Say:
        if "round_timeout_s" in news(request):
            return Say("", [send("alice", "task", "Then without the tool.")])
        return waiting_lead(2)(request)

    class Timed(Bus):
        async def __call__(self, sample: Any, session: Any) -> Any:
            clock["sleep"] = session.time.sleep
            return await super().__call__(sample, session)

    tool = Tool("slow", "Slow.", {"type": "object", "properties": {}}, frozenset(), slow)
    model = ActingModel({"lead": lead, "alice": [Say("", [Call("slow"), READ]), Say("Result.")]})
    record = run_once(Timed(delegation=TALK), model, suite=DeskSuite(more_tools=[tool]))
    assert record.run.status == "ok", record.run.error
    assert [m["role"] for m in model.of("alice")[1].messages] == ["system", "user", "assistant", "tool", "tool", "user"]


def test_a_provider_s_fault_is_a_result_message() -> None:
    fault = TransportError("no such model", kind="not_found", retryable=False, usage=NOT_BILLED, latency_s=1)
    model = ActingModel({"lead": waiting_lead(), "alice": [Say(fault=fault)]})
    record = run_once(talking_bus(), model)
    assert exits(record, "alice") == [(2, "error")]
    assert errors_read(model) == ["[error] not_found: no such model"]
    assert record.run.status == "ok"


def test_an_agent_s_own_limit_is_a_result_message() -> None:
    model = ActingModel({"lead": waiting_lead(), "alice": lambda _: Say("", [READ])})
    record = run_once(talking_bus(), model, limits=Limits(agent_calls=3))
    assert exits(record, "alice") == [(4, "agent_calls")]
    assert errors_read(model) == ["[error] agent_calls: 4 is 1 over the bound of 3"]
    assert record.run.status == "ok"


def test_a_limit_of_the_run_in_a_worker_ends_the_whole_run() -> None:
    """Three calls are allowed: one of the lead and the first of each worker. Bob is in the middle of his."""
    acts: dict[str, Act] = {
        "lead": [order("alice", "bob")],
        "alice": lambda _: Say("", [READ]),
        "bob": [Say("", [READ], latency_s=20)],
    }
    record = run_once(talking_bus(), ActingModel(acts), limits=Limits(run_calls=3))
    assert (record.run.status, record.run.limit) == ("limit", "run_calls: 4 is 1 over the bound of 3")
    assert (record.run.wall_s, record.run.attempts) == (2, 3)
    assert {(c.agent, c.status, c.ended_s) for c in record.calls} == {
        ("lead", "ok", 1),
        ("alice", "ok", 2),
        ("bob", "cancelled", 2),
    }
    check_invariants(record)


def test_the_run_s_wall_clock_ends_a_team() -> None:
    acts: dict[str, Act] = {"lead": [order("alice")], "alice": lambda _: Say("", [READ], latency_s=7)}
    record = run_once(talking_bus(), ActingModel(acts), limits=Limits(run_wall_s=30))
    assert (record.run.status, record.run.limit, record.run.wall_s) == (
        "timeout",
        "run_wall_s: not done after 30 s",
        30,
    )
    assert [c.status for c in record.calls if c.agent == "alice"] == ["ok"] * 4 + ["cancelled"]
    check_invariants(record)


def test_lead_steps_are_a_limit_and_what_was_offered_is_graded() -> None:
    record = run_once(talking_bus(lead_steps=3), ActingModel({"lead": lambda _: Say("", [READ])}))
    assert (record.run.status, record.run.limit) == ("limit", "lead_steps: 4 is 1 over the bound of 3")


def test_a_lead_that_raises_ends_its_team() -> None:
    acts: dict[str, Act] = {
        "lead": [order("alice")],
        "alice": [Say("", [send("lead", "progress", "Under way."), READ]), Say("", [READ], 20)],
    }
    record = run_once(talking_bus(wake="each"), ActingModel(acts))  # the lead has no second answer: IndexError
    assert (record.run.status, record.run.error_type) == ("error", "IndexError")
    assert [c.status for c in record.calls] == ["ok", "ok", "cancelled"]
    check_invariants(record)


# -- shutdown and what is late -------------------------------------------------------------------------------------


def test_tokens_after_the_answer_are_late_and_known_and_take_no_time() -> None:
    """Alice is in a 20 s call when the lead answers at 3 s; bob idles since 2 s; carol was never addressed."""
    acts: dict[str, Act] = {
        "lead": [Say("", [send("alice", "task", "Work."), send("bob", "clarify_resp", "Note."), READ]), FINAL],
        "alice": [Say("Result of alice.", latency_s=20)],
        "bob": [Say("", [send("alice", "progress", "Noted.")], latency_s=0.5)],
    }
    record = run_once(talking_bus(), ActingModel(acts))
    late = [c for c in record.calls if c.late]
    assert [(c.agent, c.ended_s, c.used, c.status) for c in late] == [("alice", 21, False, "ok")]
    assert late[0].cost_pusd
    assert (record.run.status, record.run.wall_s, record.run.cost_complete) == ("ok", 2, True)
    assert record.run.cost_pusd == sum(c.cost_pusd or 0 for c in record.calls)
    assert exits(record, "bob") == [(2, "shutdown")]
    assert exits(record, "alice") == [(21, "shutdown")]
    assert not events(record, "as", "carol")
    assert "answer" in purposes(shares(record, agent="alice", direction="completion"))
    check_invariants(record)


def test_a_member_that_queued_until_the_answer_does_not_start() -> None:
    acts: dict[str, Act] = {
        "lead": [Say("", [send("alice", "task", "Work."), send("bob", "task", "Work."), READ]), FINAL],
        "alice": [Say("", [READ], latency_s=20)],
    }
    record = run_once(talking_bus(), ActingModel(acts), limits=Limits(workers_running=1))
    assert record.run.status == "ok", record.run.error
    assert {c.agent for c in record.calls} == {"lead", "alice"}
    assert exits(record, "bob") == [(21, "shutdown")]


def test_a_limit_passed_after_the_answer_keeps_the_answer() -> None:
    acts: dict[str, Act] = {
        "lead": [Say("", [send("alice", "clarify_resp", "Work."), READ]), Say("In free text.")],
        "alice": [Say("Result of alice.", latency_s=20, usage=Usage(10**6, 1))],
    }
    record = run_once(talking_bus(), ActingModel(acts), limits=Limits(run_tokens=10_000))
    assert (record.run.status, record.run.answer, record.run.score) == ("limit", "In free text.", 1.0)
    assert record.run.wall_s == 2


def test_a_lead_may_send_a_member_home() -> None:
    """At 2.5 s, in the middle of alice's first call; she stops after it, and the lead does not wait for her."""
    acts: dict[str, Act] = {
        "lead": [
            Say("", [send("alice", "task", "Work."), READ]),
            Say("", [send("alice", "shutdown", "")], 1.5),
            Say("ok"),
        ],
        "alice": lambda _: Say("", [READ], latency_s=2),
    }
    record = run_once(talking_bus(), ActingModel(acts))
    assert (record.run.status, record.run.answer) == ("ok", "ok")
    assert record.run.wall_s == 3.5
    assert spans(record, "alice") == [(1, 3)]
    assert exits(record, "alice") == [(3, "shutdown")]


# -- slots ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slots", "starts"), [(1, [1, 11, 21]), (2, [1, 1, 11]), (3, [1, 1, 1]), (5, [1, 1, 1])])
def test_at_most_so_many_workers_run_at_once(slots: int, starts: list[float]) -> None:
    names = ("alice", "bob", "carol")

    def patient(request: Request) -> Say:
        if turn(request) == 0:
            return order(*names)
        return FINAL if heard(request).count("[inbox] result") == 3 else Say("I await.")

    acts: dict[str, Act] = {name: [Say(f"Result of {name}.", latency_s=10)] for name in names}
    record = run_once(talking_bus(), ActingModel({"lead": patient, **acts}), limits=Limits(workers_running=slots))
    assert record.run.status == "ok"
    assert [spans(record, name)[0][0] for name in names] == starts
    assert [loads(record, name)[0][0] for name in names] == [1, 1, 1]


def test_a_member_that_waits_for_a_message_holds_no_slot() -> None:
    """One slot, which alice holds for her call from 1 s to 2. She is idle until her timeout at 12; bob is next at 2."""

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return order("alice", "bob")
        return FINAL if heard(request).count("[inbox] result") == 2 else Say("I await.")

    acts: dict[str, Act] = {
        "lead": lead,
        "alice": [Say("", [send("lead", "clarify", "Which?")])],
        "bob": [Say("Result of bob.")],
    }
    record = run_once(talking_bus(idle_timeout_s=10), ActingModel(acts), limits=Limits(workers_running=1))
    assert record.run.status == "ok", record.run.error
    assert spans(record, "bob") == [(2, 3)]
    assert exits(record, "alice") == [(12, "idle_timeout")]
