"""Leads and workers that do anything they can at random: every run ends, and its rows hold every invariant."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from dispatch.stage import ReferenceSuite, dispatch, order, send_order, sub_type, task_text
from support.models import ActingModel, Call, Say, send, turn, who

from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import RunRecord
from harness.team.roster import Member
from harness.testing.runs import cell, faults, records
from topologies.bus import Bus
from topologies.inline import Inline
from topologies.sync import Sync
from topologies.taskboard import Taskboard

MEMBERS = ("alice", "bob", "zoe")  # before and after "lead" in the order of an instant
READ = Call("read_document", {"name": "a.txt"})
SECONDS = [0.5, 1, 1.5, 2, 2.5, 3]
RESULTS = ["[]", "[1]", "[1, 2]", "prose", "", "BLOCKED: no.", '{"a": 1}', "\ud800"]


def written(draw: random.Random) -> dict[str, Any]:
    """An order, now and then one that is refused."""
    return order(
        draw.choice(["Find it.", "找到它。", "", "Find \udc00."]),
        input_ref=draw.choice([[], ["a.txt"], ["nowhere"]]) if draw.random() < 0.5 else [],
        acceptance_criteria=draw.choice([[], [{"check": "count", "min": 2}], [{"check": "text", "text": "Be kind."}]]),
        max_retries=draw.choice([0, 1, 2, 2, 3]),
        forbidden_actions=draw.choice([["delegate"], [], ["read"], ["do not guess"]]),
    )


def bus_agents(seed: int) -> ActingModel:
    def lead(request: Request, draw: random.Random) -> Say:
        if turn(request) >= 8:
            return Say("Over.", latency_s=0.5)  # final as soon as nothing is awaited
        ids = [w.rstrip(",:") for m in request.messages for w in str(m["content"]).split() if w.startswith("msg_")]
        calls: list[Call] = []
        for _ in range(draw.randint(0, 3)):
            to, kind = (
                draw.choice(MEMBERS),
                draw.choice(["task", "task", "task", "revision", "clarify_resp", "shutdown"]),
            )
            named = {"inReplyTo": draw.choice(ids)} if ids and draw.random() < 0.5 else {}
            calls.append(send_order(to, written(draw)) if kind == "task" else send(to, kind, "So.", **named))
        if not calls or draw.random() < 0.5:
            calls.append(READ)
        return Say("", calls, draw.choice(SECONDS))

    def member(request: Request, draw: random.Random, name: str) -> Say:
        peer = draw.choice([n for n in MEMBERS if n != name])
        ids = [w.rstrip(",:") for m in request.messages for w in str(m["content"]).split() if w.startswith("msg_")]
        named = {"inReplyTo": draw.choice(ids)} if ids and draw.random() < 0.5 else {}
        result = draw.choice(RESULTS)
        choices: list[list[Call]] = [
            [],
            [],
            [],
            [send("lead", "result", result, **named)],
            [send("lead", "clarify", "?")],
            [send(peer, draw.choice(["progress", "clarify", "result", "task"]), "hello")],
            [READ],
            [Call("spawn_agent")],
            [send("lead", "result", result), send("lead", "result", "[1, 2]"), READ],
        ]
        return Say(result, draw.choice(choices), draw.choice(SECONDS))

    def any_agent(request: Request) -> Say:
        name = who(request)
        draw = random.Random(f"{seed}|{name}|{turn(request)}")
        return lead(request, draw) if name == "lead" else member(request, draw, name)

    return ActingModel(any_agent)


def sync_agents(seed: int) -> ActingModel:
    def any_agent(request: Request) -> Say:
        is_worker = sub_type(request)
        draw = random.Random(f"{seed}|{ascii(task_text(request)) if is_worker else 'lead'}|{turn(request)}")
        if is_worker:
            calls = draw.choice(
                [[], [], [], [READ], [READ, READ], [Call("spawn_agent")], [dispatch()], [Call("read_document")]]
            )
            return Say(draw.choice(RESULTS), calls, draw.choice(SECONDS))
        if turn(request) >= 5:
            return Say('["over"]', latency_s=0.5)
        types = ("research", "coder", "plan", "reviewer")
        calls = [dispatch(written(draw), draw.choice(types)) for _ in range(draw.randint(0, 4))]
        return Say("", calls or [READ], draw.choice(SECONDS))

    return ActingModel(any_agent)


TAGGED = ["", "I look.", "<delegate>{}</delegate>", "<delegate>{}", "</delegate>", "<delegate/>", "<delegate>"]


def inline_agents(seed: int) -> ActingModel:
    def any_agent(request: Request) -> Say:
        worker = "You are a sub-agent." in str(request.messages[0]["content"])
        draw = random.Random(f"{seed}|{ascii(task_text(request)) if worker else 'lead'}|{turn(request)}")
        if not worker and turn(request) >= 6:
            return Say('["over"]', latency_s=0.5)
        text = "\n".join(draw.choice(TAGGED).format(f"Task {draw.random()}") for _ in range(draw.randint(0, 5)))
        if worker and draw.random() < 0.7:
            text = draw.choice(RESULTS)
        calls = draw.choice([[], [], [], [READ], [READ, Call("spawn_agent")], [Call("read_document", "{")]])
        if not worker and not calls and "delegate" not in text:
            calls = [READ]
        return Say(text, calls, draw.choice(SECONDS))

    return ActingModel(any_agent)


def board_agents(seed: int) -> ActingModel:
    def any_agent(request: Request) -> Say:
        name = who(request)
        draw = random.Random(f"{seed}|{name}|{turn(request)}")
        if name == "lead":
            if turn(request) >= 6:
                return Say('["over"]', latency_s=0.5)
            tasks = [{"task": f"Task {draw.random()}"}, {"task": f"Task {draw.random()}"}, {"task": ""}, "{"]
            calls = [Call("post_task", draw.choice(tasks)) for _ in range(draw.randint(0, 5))]
            return Say("", calls or [Call("spawn_agent")], draw.choice(SECONDS))
        calls = draw.choice([[], [], [], [READ], [READ, READ], [Call("post_task", {"task": "You."})]])
        return Say(draw.choice(RESULTS), calls, draw.choice(SECONDS))

    return ActingModel(any_agent)


def check(found: list[RunRecord], folder: Path) -> None:
    assert {(r.run.status, r.run.error) for r in found} == {("ok", None)}
    assert faults(found, folder) == []
    for r in found:
        assert r.run.retries_validation == sum(d.status == "returned" for d in r.delegations)
        assert r.run.depth_violations == sum(e.type == "depth_violation" for e in r.events)
        assert r.run.refused == sum(e.type == "refused" for e in r.events)
        assert not [e for e in r.events if e.type == "leftover"]


@pytest.mark.parametrize("first", [0, 100])
def test_teams_on_the_bus(first: int, tmp_path: Path) -> None:
    limits = Limits(run_calls=2_000, run_wall_s=5_000)
    for rules in (Delegation(), Delegation(feedback="vague", max_retries=2)):
        topology = Bus(roster=[Member(m) for m in MEMBERS], lead_steps=500, idle_timeout_s=2.0, delegation=rules)
        found = [
            records(
                cell(topology, bus_agents(seed), suite=ReferenceSuite(ids=(f"s{seed}",)), limits=limits, seed=seed)
            )[0]
            for seed in range(first, first + 100)
        ]
        check(found, tmp_path / rules.feedback)
        statuses = {d.status for r in found for d in r.delegations}
        assert statuses >= {"success", "returned", "needs_person", "forbidden", "blocked", "failed", "unanswered"}


@pytest.mark.parametrize("parallel", [False, True])
def test_sub_agents(parallel: bool, tmp_path: Path) -> None:
    topology = Sync(parallel=parallel, delegation=Delegation(), worker_timeout_s=4.0, max_dispatches=6, worker_steps=4)
    found = [
        records(cell(topology, sync_agents(seed), suite=ReferenceSuite(ids=(f"s{seed}",)), seed=seed))[0]
        for seed in range(150)
    ]
    check(found, tmp_path)
    statuses = {d.status for r in found for d in r.delegations}
    assert statuses >= {"success", "returned", "needs_person", "forbidden", "blocked", "failed", "partial_success"}
    assert any(c.late for r in found for c in r.calls)


def test_tags(tmp_path: Path) -> None:
    topology = Inline(worker_timeout_s=4.0, max_delegations=6, worker_steps=4)
    found = [
        records(cell(topology, inline_agents(seed), suite=ReferenceSuite(ids=(f"s{seed}",)), seed=seed))[0]
        for seed in range(150)
    ]
    check(found, tmp_path)
    assert {d.status for r in found for d in r.delegations} == {"success", "blocked", "failed"}
    for r in found:
        assert r.run.parse_failures == sum(e.type == "parse_failure" for e in r.events)
        assert r.run.left_out == len({d.worker for d in r.delegations if d.status == "failed"})
        assert not any(c.late for c in r.calls)


def test_boards(tmp_path: Path) -> None:
    topology = Taskboard(members=2, member_timeout_s=4.0, max_tasks=9, member_steps=3)
    found = [
        records(cell(topology, board_agents(seed), suite=ReferenceSuite(ids=(f"s{seed}",)), seed=seed))[0]
        for seed in range(150)
    ]
    check(found, tmp_path)
    assert {d.status for r in found for d in r.delegations} == {"success", "blocked", "failed"}
    for r in found:
        assert r.run.left_out == len({d.worker for d in r.delegations if d.status == "failed"})
        assert {d.worker for d in r.delegations} <= {"alice", "bob"}
        assert not any(c.late for c in r.calls)
