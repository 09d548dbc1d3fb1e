"""A board of tasks: who takes what when, what a failed task does, and that nobody reviews anything."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from support.models import Act, ActingModel, Call, Say, news, text_of, who
from support.runs import check_invariants, events, purposes, run_once, shares

from harness.errors import ConfigError
from harness.limits import Limits
from harness.models.protocol import TransportError
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from topologies.taskboard import Taskboard

READ = Call("read_document", {"name": "a.txt"})
DONE = Say('["done"]')
FAULT = TransportError("overloaded", kind="server_error", retryable=False)


def post(*tasks: str) -> Say:
    return Say("", [Call("post_task", {"task": task}) for task in tasks])


def ran(
    coordinator: Sequence[Say], crew: Mapping[str, Act] | None = None, *, limits: Limits | None = None,
    status: str = "ok", **taskboard: Any,
) -> tuple[RunRecord, ActingModel]:  # fmt: skip
    model = ActingModel({"lead": coordinator, **(crew or {})})
    record = run_once(Taskboard(**taskboard), model, limits=limits)
    assert record.run.status == status, record.run.error
    check_invariants(record)
    return record, model


def spans(record: RunRecord, agent: str) -> list[tuple[float, float]]:
    return [(c.started_s, c.ended_s) for c in record.calls if c.agent == agent]


def read(model: ActingModel, agent: str = "lead") -> list[str]:
    """The last message of each of an agent's requests."""
    return [text_of(r.messages[-1]) for r in model.of(agent)]


def test_free_members_take_tasks_in_order_and_results_come_in_the_order_of_the_board() -> None:
    record, model = ran(
        [post("A.", "B.", "C.", "D."), DONE],
        {"alice": [Say("a", latency_s=5)], "bob": [Say("b", latency_s=2), Say("d")], "carol": [Say("c", latency_s=2)]},
    )
    assert [(d.subtask_id, d.worker, d.type, d.status, d.seconds) for d in record.delegations] == [
        ("subtask_1", "alice", "member", "success", 5.0),
        ("subtask_2", "bob", "member", "success", 2.0),
        ("subtask_3", "carol", "member", "success", 2.0),
        ("subtask_4", "bob", "member", "success", 1.0),  # free at the same instant as carol, and before her
    ]
    assert spans(record, "bob") == [(1, 3), (3, 4)]
    assert spans(record, "coordinator") == [(0, 1), (6, 7)], "parked until the last is done"
    assert read(model)[1] == "\n\n".join(
        f"[DONE] subtask_{n} by {who}\n{said}"
        for n, who, said in ((1, "alice", "a"), (2, "bob", "b"), (3, "carol", "c"), (4, "bob", "d"))
    )
    assert [text_of(m) for m in model.of("lead")[1].messages[3:7]] == [f"posted subtask_{n}" for n in (1, 2, 3, 4)]
    assert record.run.answer == '["done"]' and record.run.messages == 0


def test_a_member_keeps_its_memory_over_its_tasks_and_knows_nobody_else_s() -> None:
    record, model = ran(
        [post("A.", "B.", "C."), DONE],
        {"alice": [Say("", [READ]), Say("a"), Say("c")], "bob": [Say("b", latency_s=9)]},
        members=2,
    )
    last = [text_of(m) for m in model.of("alice")[-1].messages[1:]]
    assert last == [
        "[board] task subtask_1 from coordinator:\nA.",
        'read_document{"name": "a.txt"}', "alpha", "a",
        "[board] task subtask_3 from coordinator:\nC.",
    ]  # fmt: skip
    assert {(c.agent, c.depth) for c in record.calls} == {("coordinator", 0), ("alice", 1), ("bob", 1)}
    parents = {c.agent: c.parent_session_id for c in record.calls}
    assert parents["alice"] == parents["bob"] == next(c.session_id for c in record.calls if c.agent == "coordinator")


def test_members_have_the_task_s_tools_and_the_coordinator_only_its_own() -> None:
    _, model = ran([post("A."), DONE], {"alice": [Say("a")]})
    tools = {who(r): [t["function"]["name"] for t in r.tools] for r in model.requests}
    assert tools == {"lead": ["post_task"], "alice": ["read_document"]}
    _, model = ran([Say("", [READ]), DONE], coordinator_works=True)
    assert [t["function"]["name"] for t in model.requests[0].tools] == ["read_document", "post_task"]
    assert "You have the tools too" in str(model.requests[0].messages[0]["content"])


def test_what_each_token_counts_as() -> None:
    record, _ = ran([post("Read both documents."), DONE], {"alice": [Say("alpha")]})
    assert set(purposes(shares(record, operation="coordinator#1", direction="completion"))) == {"dispatch"}
    ordered = [s for s in shares(record, agent="alice", direction="prompt") if s.purpose == "dispatch"]
    assert {s.author for s in ordered} == {"coordinator", "engine"}, "the task, and the line above it"
    merged = shares(record, operation="coordinator#2", direction="prompt")
    assert {(s.author, s.purpose) for s in merged} == {
        ("task", "task"), ("engine", "scaffold"), ("coordinator", "dispatch"),
        ("engine", "report"), ("alice", "merge"),
    }  # fmt: skip


def test_nobody_reviews() -> None:
    """What a member says last is the result, right or wrong, whatever it looks like."""
    for said in ("nonsense", "", "BLOCKED: I do not know."):
        record, model = ran([post("A."), DONE], {"alice": [Say(said)]})
        assert read(model)[1] == f"[DONE] subtask_1 by alice\n{said}"
        assert not {s.purpose for s in record.shares} & {"review", "feedback", "rework"}
        assert (record.run.left_out, record.run.retries_validation) == (0, 0)


def test_a_failed_task_is_done_all_the_same_and_the_coordinator_may_post_it_again() -> None:
    record, model = ran(
        [post("A.", "B."), post("A."), DONE],
        {
            "alice": lambda r: Say("a") if "subtask_3" in news(r) else Say(fault=FAULT),
            "bob": [Say("b", latency_s=2)],
        },
        members=2,
    )
    assert read(model)[1].split("\n\n[") == [
        "[FAILED] subtask_1 by alice: server_error: overloaded\n", "DONE] subtask_2 by bob\nb",
    ]  # fmt: skip
    assert read(model)[2] == "[DONE] subtask_3 by alice\na", "free again for the next round"
    assert [d.status for d in record.delegations] == ["failed", "success", "success"]
    assert record.run.left_out == 1
    assert [json.loads(e.data)["text"] for e in events(record, "left_out", "alice")] == ["server_error: overloaded"]


def test_a_member_that_fails_does_not_eat_up_the_board() -> None:
    record, _ = ran(
        [post("A.", "B.", "C."), DONE],
        {"alice": lambda _: Say(fault=FAULT), "bob": [Say("b", latency_s=4), Say("c")]},
        members=2,
    )
    assert [(d.worker, d.status) for d in record.delegations] == [
        ("alice", "failed"), ("bob", "success"), ("bob", "success"),
    ]  # fmt: skip
    assert record.run.left_out == 1


def test_what_nobody_is_left_to_take_has_failed() -> None:
    record, model = ran([post("A.", "B."), DONE], {"alice": lambda _: Say(fault=FAULT)}, members=1)
    assert read(model)[1].endswith("[FAILED] subtask_2 by nobody: no member is left to take it\n")
    assert len(record.delegations) == 1, "the second was never begun"


def test_a_task_that_takes_too_long_is_interrupted() -> None:
    record, model = ran([post("A."), DONE], {"alice": [Say("a", latency_s=9)]}, member_timeout_s=5.0)
    assert read(model)[1] == "[FAILED] subtask_1 by alice: member_timeout_s: not done after 5 s\n"
    assert spans(record, "coordinator") == [(0, 1), (6, 7)]
    assert (record.run.left_out, record.run.wall_s) == (1, 7)


def test_a_task_that_takes_too_many_steps_has_failed() -> None:
    _, model = ran([post("A."), DONE], {"alice": lambda _: Say("", [READ])}, member_steps=2)
    assert read(model)[1] == "[FAILED] subtask_1 by alice: max_steps: not done after 2 steps\n"


def test_tasks_beyond_the_cap_are_refused() -> None:
    record, model = ran([post("A.", "B."), post("C."), DONE], {"alice": [Say("a")]}, max_tasks=1)
    refusal = "REFUSED: the only task is used. Go on with what you have, or do the rest yourself."
    assert [text_of(m) for m in model.of("lead")[1].messages[3:]] == [
        "posted subtask_1", refusal, "[DONE] subtask_1 by alice\na",
    ]  # fmt: skip
    assert read(model)[2] == refusal
    assert record.run.refused == 2 and len(record.delegations) == 1


def test_a_task_that_cannot_be_read_is_refused_and_counted() -> None:
    calls = [Call("post_task", {"task": " "}), Call("post_task", '{"task": '), Call("post_task", {"to": "bob"})]
    record, _ = ran([Say("", calls), DONE])
    assert (record.run.refused, record.run.parse_failures, len(record.delegations)) == (1, 1, 0)
    assert spans(record, "coordinator") == [(0, 1), (1, 2)]


def test_a_member_that_hands_on_is_refused_by_depth_and_goes_on() -> None:
    for name in ("post_task", "dispatch_sub_agent"):
        record, model = ran([post("A."), DONE], {"alice": [Say("", [Call(name, {"task": "B."})]), Say("a")]})
        assert read(model, "alice")[1].startswith("Refused: you work at depth 1")
        assert (record.run.depth_violations, record.run.refused) == (1, 1)
        assert [d.status for d in record.delegations] == ["success"]


def test_without_depth_nothing_can_be_posted() -> None:
    record, model = ran([post("A.", "B."), DONE], limits=Limits(max_depth=0))
    assert (record.run.depth_violations, record.run.refused, len(record.delegations)) == (2, 2, 0)
    assert read(model)[1].startswith("Refused: you work at depth 0")


def test_no_more_members_work_at_once_than_the_limit_allows() -> None:
    record, _ = ran(
        [post("A.", "B.", "C."), DONE],
        {"alice": [Say("a"), Say("c")], "bob": [Say("b", latency_s=3)]},
        limits=Limits(workers_running=2),
    )
    assert {d.worker for d in record.delegations} == {"alice", "bob"}


def test_a_coordinator_that_only_posts_ends_at_its_steps() -> None:
    record, _ = ran([post("A."), post("B.")], {"alice": [Say("a"), Say("b")]}, lead_steps=2, status="limit")
    assert str(record.run.limit).startswith("lead_steps: ") and record.run.calls == 4


@pytest.mark.parametrize("name", ["max_tasks", "lead_steps", "member_steps", "member_timeout_s"])
def test_bad_parameters_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=f"topology.{name}=0: must be above 0"):
        Taskboard(**{name: 0})


@pytest.mark.parametrize("members", [0, 9])
def test_a_team_of_no_size_is_refused(members: int) -> None:
    with pytest.raises(ConfigError, match=f"topology.members={members}: a team has 1 to 8 members"):
        Taskboard(members=members)


# -- with the simulated model --------------------------------------------------------------------------------------


@pytest.mark.parametrize("topology", [Taskboard(), Taskboard(members=1), Taskboard(coordinator_works=True)])
@pytest.mark.parametrize("docs", [3, 7])
def test_a_faultless_model_solves_generated_material(topology: Taskboard, docs: int) -> None:
    suite = QaCorpus(corpus="generated", docs=docs, samples=2)
    suite.load()
    for record in records(cell(topology, faultless(suite.oracle()), suite=suite)):
        assert (record.run.score, record.run.left_out) == (1.0, 0)
        assert len(record.delegations) == -(-docs // 3), "three documents to a part"
        asked = [
            json.loads(e.data)["arguments"].get("document") for e in events(record, "tool") if "read_doc" in e.data
        ]
        assert len(asked) == len(set(asked)) == docs, "every document is read once, by whoever got it"
