"""Who may be on a team, and which types of message may go which way."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from support.models import ActingModel, Call, Say, send
from support.runs import events, purposes, run_once, shares
from support.teams import talking_bus

from harness.agents.agent import hands_on
from harness.bus.protocol import MESSAGE_TYPES
from harness.errors import ConfigError
from harness.limits import Limits
from harness.records import RunRecord
from harness.team.roster import Member, allowed_types

WAYS = """
                 task clarify clarify_resp progress result revision shutdown
    lead  alice  yes  no      yes          no       no     yes      yes
    alice lead   no   yes     no           yes      yes    no       no
    alice bob    no   yes     yes          yes      yes    no       no
"""
"""From the source document's table of types, and its rule that members may talk to each other directly; an answer to
a member's question goes back to whoever asked, a result to whoever needs it."""


FINAL = Say('["done"]')


def ways() -> list[tuple[str, str, str, bool]]:
    head, *rows = (line.split() for line in WAYS.strip().splitlines())
    return [(r[0], r[1], type, cell == "yes") for r in rows for type, cell in zip(head, r[2:], strict=True)]


@pytest.mark.parametrize(("sender", "recipient", "type", "allowed"), ways())
def test_types_by_direction(sender: str, recipient: str, type: str, allowed: bool) -> None:
    assert (type in allowed_types(sender, recipient, "lead")) is allowed


def test_the_table_is_whole() -> None:
    assert {type for _, _, type, _ in ways()} == set(MESSAGE_TYPES)


def attempt(agent: str, call: Call, limits: Limits | None = None) -> tuple[str, RunRecord]:
    """The result that lead or alice gets for one call, and the run. Bob is a member whom nobody addresses."""
    lead = [Say("", [call]), FINAL] if agent == "lead" else [Say("", [send("alice", "task", "Do it.")]), FINAL]
    model = ActingModel({"lead": lead, "alice": [Say("", [call]), Say("Done.")]})
    record = run_once(talking_bus(workers=2, idle_timeout_s=1), model, limits=limits)
    return next(m["content"] for r in model.of(agent) for m in r.messages if m["role"] == "tool"), record


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            send("lead", "revision", "x"),
            "you may not send 'revision' to lead. Types you may send: clarify, progress, result",
        ),
        (
            send("bob", "revision", "x"),
            "you may not send 'revision' to bob. Types you may send: clarify, clarify_resp, ",
        ),
        (send("lead", "shutdown", "x"), "you may not send 'shutdown' to lead"),
        (send("bob", "shutdown", "x"), "you may not send 'shutdown' to bob"),
        (send("lead", "clarify_resp", "x"), "you may not send 'clarify_resp' to lead"),
        (
            send("nobody", "progress", "x"),
            "there is no agent 'nobody' to whom you may send. You may send to: lead, bob.",
        ),
        (send("alice", "progress", "x"), "there is no agent 'alice' to whom you may send. You may send to: lead, bob."),
    ],
)
def test_a_worker_s_forbidden_messages_are_refused_and_say_why(call: Call, says: str) -> None:
    result, record = attempt("alice", call)
    assert says in result
    assert (record.run.refused, record.run.depth_violations) == (1, 0)
    assert record.run.status == "ok"
    assert not [m for m in record.messages if m.content == "x"]


@pytest.mark.parametrize("type", ["result", "progress", "clarify"])
def test_a_lead_sends_neither_results_nor_reports_nor_questions(type: str) -> None:
    result, record = attempt("lead", send("alice", type, "x"))
    assert f"you may not send '{type}' to alice. Types you may send: clarify_resp, revision, shutdown, task." in result
    assert record.run.refused == 1


@pytest.mark.parametrize("to", ["bob", "lead", "nobody"])
def test_a_worker_that_hands_out_work_violates_the_depth_limit(to: str) -> None:
    """Whoever the order is for: the member would work at depth 2."""
    result, record = attempt("alice", send(to, "task", "x"))
    assert result.startswith("error: Refused: you work at depth 1 and may not hand work to others (limit 1).")
    assert (record.run.refused, record.run.depth_violations) == (1, 1)
    assert json.loads(events(record, "depth_violation", "alice")[0].data)["depth"] == 2
    assert not events(record, "as", "bob")
    assert "dispatch" in purposes(shares(record, agent="alice", direction="completion"))


def test_an_order_that_a_worker_s_tool_does_not_take_is_an_attempt_too() -> None:
    """A member's send_message has no field for an order; its lead's has one, and a model may have seen that."""
    result, record = attempt("alice", Call("send_message", {"to": "bob", "type": "task", "order": {"objective": "x"}}))
    assert result.startswith("Refused: you work at depth 1 and may not hand work to others (limit 1).")
    assert (record.run.refused, record.run.depth_violations) == (1, 1)


def test_another_message_that_is_not_offered_is_no_violation() -> None:
    """A sub-agent has no send_message: asking back by it hands nothing on."""
    assert not hands_on("send_message", {"type": "clarify"}) and not hands_on("send_message", None)
    assert hands_on("send_message", {"type": "task"}) and hands_on("delegate", None)


@pytest.mark.parametrize("name", ["dispatch_sub_agent", "create_agent", "delegate", "spawn_agent"])
def test_calling_a_delegation_tool_that_is_not_offered_counts_too(name: str) -> None:
    result, record = attempt("alice", Call(name, {"role": "helper"}))
    assert "may not hand work to others" in result
    assert (record.run.depth_violations, record.run.refused) == (1, 1)
    assert "dispatch" in purposes(shares(record, agent="alice", direction="completion"))


def test_any_other_tool_that_is_not_offered_is_plan_and_no_violation() -> None:
    result, record = attempt("alice", Call("fly", {}))
    assert "There is no tool 'fly'." in result
    assert (record.run.depth_violations, record.run.refused) == (0, 1)
    assert "plan" in purposes(shares(record, agent="alice", direction="completion"))


def test_with_a_depth_limit_of_zero_a_lead_may_not_delegate() -> None:
    result, record = attempt("lead", send("alice", "task", "x"), Limits(max_depth=0))
    assert "you work at depth 0" in result
    assert record.run.depth_violations == 1
    assert {c.agent for c in record.calls} == {"lead"}


@pytest.mark.parametrize(
    ("roster", "says"),
    [
        ([], None),
        ([Member(f"m{n}") for n in range(8)], None),
        ([Member(f"m{n}") for n in range(9)], "has 9 members; a team has 1 to 8"),
        ([Member("alice"), Member("alice")], "the name 'alice' is empty, repeated or reserved"),
        ([Member("")], "the name '' is empty"),
        *[([Member(name)], "not one line of at most 64 characters") for name in ("a\nb", "x" * 65)],
        *[([Member(name)], f"the name '{name}' is empty, repeated or reserved") for name in ("lead", "engine", "task")],
    ],
)
def test_rosters(roster: list[Member], says: str | None) -> None:
    if says is None:
        assert len(talking_bus(roster=roster).members()) == (len(roster) or 3)
    else:
        with pytest.raises(ConfigError, match=re.escape(says)):
            talking_bus(roster=roster)


@pytest.mark.parametrize("field", ["lead_steps", "worker_steps", "idle_timeout_s", "workers"])
def test_bounds_of_a_team_are_checked(field: str) -> None:
    wrong: dict[str, Any] = {field: 0}
    with pytest.raises(ConfigError, match=f"topology.{field}=0"):
        talking_bus(**wrong)


# -- load checks ---------------------------------------------------------------------------------------------------


def loading(*roster: Member, to: str = "eve") -> tuple[ActingModel, Any]:
    model = ActingModel(
        {
            "lead": [Say("", [send(to, "task", "Do it.")]), Say("I await."), Say('["done"]')],
            "eve": [Say("Result of eve.")],
        }
    )
    return model, run_once(talking_bus(roster=list(roster)), model)


@pytest.mark.parametrize(
    ("member", "says"),
    [
        (Member("eve", active=False), "[error] eve cannot be loaded: it is not active"),
        (Member("eve", space="other"), "[error] eve cannot be loaded: it belongs to space 'other', not 'default'"),
    ],
)
def test_a_member_that_cannot_be_loaded_is_an_error_message_to_the_lead(member: Member, says: str) -> None:
    model, record = loading(member)
    assert record.run.status == "ok"
    assert says in str(model.requests[-1].messages[-1]["content"])
    assert {c.agent for c in record.calls} == {"lead"}
    assert [(m.sender, m.type, m.delivery) for m in record.messages] == [
        ("lead", "task", "read"),
        ("eve", "result", "read"),
    ]
    assert purposes([s for s in record.shares if s.author == "engine" and s.direction == "prompt"])["report"] > 0


def test_a_member_s_own_team_is_ignored() -> None:
    model, record = loading(Member("eve", team=["bob"]), Member("bob"))
    assert record.run.status == "ok"
    assert [e.agent for e in events(record, "team_ignored")] == ["eve"]
    assert "You lead a team" not in str(model.of("eve")[0].messages[0]["content"])
    assert not events(record, "as", "bob")


def test_members_that_nobody_addresses_never_exist() -> None:
    _, record = loading(Member("alice"), Member("eve"), Member("bob"))
    assert [e.agent for e in events(record, "agent_created")] == ["lead", "eve"]
    assert [e.agent for e in events(record, "as")] == ["eve"]
    assert {m.recipient for m in record.messages} == {"eve", "lead"}


@pytest.mark.parametrize(("tags", "offered"), [(None, True), (["read"], True), (["write", "exec"], False), ([], False)])
def test_a_member_is_offered_only_the_task_tools_with_its_tags(tags: list[str] | None, offered: bool) -> None:
    acts = {"lead": [Say("", [send("alice", "task", "Do it.")]), FINAL], "alice": [Say("Done.")]}
    model = ActingModel(acts)
    run_once(talking_bus(roster=[Member("alice", tags=tags)]), model)
    names = [t["function"]["name"] for t in model.of("alice")[0].tools]
    assert names == (["read_document"] if offered else []) + ["send_message"]


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"unknown tag of member 'alice' 'reed'. Did you mean 'read'\?"):
        Member("alice", tags=["reed"])
