"""What experts that work at the same time write to each other, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from bus.servers import redis_binaries
from support.experts import PASS, TWO, plan, step, team
from support.models import Call, Say, heard, send
from support.panels import READ
from support.runs import DeskSuite

from harness.agents.tools import Arguments, Tool
from harness.bus.embedded import EmbeddedBus
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.limits import Limits
from harness.records import RunRecord

EVALUATORS = {f"evaluator{n}": [PASS] for n in ("", "_2", "_3")}
TOLD = send("bob", "progress", "The header is X-Auth.")


def deliveries(record: RunRecord) -> list[tuple[str, str, str]]:
    return [(m.sender, m.recipient, m.delivery) for m in record.messages]


@pytest.mark.parametrize("backend", [MemoryBus, pytest.param(EmbeddedBus, marks=pytest.mark.skipif(
    not redis_binaries(), reason="no redis-server on this machine"))])  # fmt: skip
def test_one_that_is_read_and_one_that_is_too_late(backend: type[BusBackend]) -> None:
    """Bob's second call begins at 2 s and is his last: he reads what alice wrote at 1 s, not what she writes at 5."""
    acts: dict[str, Sequence[Say]] = {
        "planner": [TWO, Say("both")],
        "alice": [Say(calls=(TOLD,)), Say(calls=(send("bob", "clarify", "Is it?"),), latency_s=4), Say("A")],
        "bob": [Say(latency_s=2, calls=READ.calls), Say("B")],
        **EVALUATORS,
    }
    record, model = team(acts, bus=backend())
    assert deliveries(record) == [("alice", "bob", "read"), ("alice", "bob", "expired")]
    first, second = (heard(r) for r in model.of("bob"))
    assert "X-Auth" not in first and "[inbox] progress" in second and "X-Auth" in second and "Is it?" not in second
    assert record.run.answer == "both", "nobody waits for a message"


def names_offered(request: Any) -> list[str]:
    return [t["function"]["name"] for t in request.tools]


def test_only_those_of_one_level_can_write_and_only_to_each_other() -> None:
    """Carol works alone, when alice and bob are done: she has nobody to write to; nor do they reach her."""
    acts: dict[str, Sequence[Say]] = {
        "planner": [plan(step("a"), step("b", "bob"), step("c", "carol", "a", "b"))],
        "alice": [Say(calls=(send("carol", "progress", "hello"),)), Say("A")],
        "bob": [Say(calls=(send("planner", "clarify", "why?"),)), Say("B")],
        "carol": [Say(calls=(send("alice", "progress", "hello"),)), Say("C")],
        **EVALUATORS,
    }
    record, model = team(acts)
    assert not record.messages, "none of these is delivered"
    for name, other in (("alice", "bob"), ("bob", "alice")):
        first, second = model.of(name)
        assert "send_message" in names_offered(first) and f"the other members: {other}." in heard(first)
        assert other in heard(second).split("send_message")[-1], "the refusal names who is there"
    assert "send_message" not in names_offered(model.of("carol")[0]) and "other members" not in heard(
        model.of("carol")[0]
    )
    assert all("send_message" not in names_offered(r) for n in ("planner", "evaluator") for r in model.of(n))


def test_messages_off_leaves_no_tool_no_bus_and_no_row() -> None:
    acts = {"planner": [TWO, Say("both")], "alice": [Say(calls=(TOLD,)), Say("A")], "bob": [Say("B")], **EVALUATORS}
    record, model = team(acts, messages=False)
    assert not record.messages and record.run.bus is None
    assert all("send_message" not in names_offered(r) for r in model.requests)


EXPLORE = Call("dispatch_sub_agent", {"type": "explore", "order": {
    "objective": "Find alpha.", "input_ref": [], "context_card": {"background": "A search."},
    "output_schema": {"type": "string"}, "acceptance_criteria": [],
}})  # fmt: skip


def writing() -> Tool:
    async def run(_: Arguments) -> str:
        return "done"

    shape = {"type": "object", "properties": {}, "additionalProperties": False}
    return Tool("overwrite", "Overwrite a document.", shape, frozenset({"write"}), run)


def test_an_explorer_only_reads_and_sends_nobody_out() -> None:
    acts = {"planner": [plan(step("a"))], "alice": [Say(calls=(EXPLORE,)), Say("A")], "alice_explore_1": [Say("a.txt")]}
    record, model = team(acts | EVALUATORS, suite=DeskSuite(more_tools=[writing()]), explorers=True)
    assert {"overwrite", "dispatch_sub_agent"} <= set(names_offered(model.of("alice")[0]))
    (asked,) = model.of("alice_explore_1")
    assert names_offered(asked) == ["read_document"] and "Answer the question." not in heard(asked)
    assert {c.depth for c in record.calls if c.role == "explore"} == {1}


def test_at_depth_zero_an_expert_is_told_that_nobody_may_be_sent_out() -> None:
    acts = {"planner": [plan(step("a"))], "alice": [Say(calls=(EXPLORE,)), Say("A")], **EVALUATORS}
    record, model = team(acts, explorers=True, limits=Limits(max_depth=0))
    assert (record.run.depth_violations, record.run.answer) == (1, "A")
    assert "depth" in heard(model.of("alice")[1]) and {c.agent for c in record.calls} == {
        "planner",
        "alice",
        "evaluator",
    }


def test_without_explorers_nobody_can_send_one() -> None:
    acts = {"planner": [plan(step("a"))], "alice": [Say(calls=(EXPLORE,)), Say("A")], **EVALUATORS}
    record, model = team(acts)
    assert "dispatch_sub_agent" not in json.dumps([r.tools for r in model.requests])
    assert {c.depth for c in record.calls} == {0}
