"""Agents of every layer that do anything they can at random: every run ends, and its rows hold every invariant."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from dispatch.stage import READ, ReferenceSuite, order
from support.models import ActingModel, Call, Say, turn

from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.models.protocol import Request, TransportError
from harness.records import RunRecord
from harness.testing.runs import cell, faults, records
from topologies.nested import Nested

SECONDS = [0.5, 1, 1.5, 2, 2.5, 3]
RESULTS = ["[]", "[1]", "[1, 2]", "prose", "", "BLOCKED: no.", '{"a": 1}', "\ud800"]
RULES = {
    "history": Delegation(context="history", validate=False),
    "ring": Delegation(),
    "sentences": Delegation(order="sentence", context="history"),
}


def random_agents(seed: int, rules: Delegation) -> ActingModel:
    def hand_on(draw: random.Random, kinds: list[str]) -> Call:
        kind = draw.choice(kinds)
        if rules.order == "sentence":
            return Call("dispatch_sub_agent", {"type": kind, "task": draw.choice(["Find it.", "找到它。", " "])})
        made = order(
            draw.choice(["Find it.", "找到它。", "Find \udc00.", "找.", "Look.", ""]),
            input_ref=draw.choice([[], [], ["a.txt"], ["a.txt"], ["a.txt", "b.txt"], ["nowhere"]]),
            acceptance_criteria=draw.choice([[], [{"check": "count", "min": 2}]]),
            forbidden_actions=draw.choice([[], [], [], ["delegate"], ["read"]]),
        )
        if rules.context == "history":
            del made["context_card"]
        return Call("dispatch_sub_agent", {"type": kind, "order": made})

    def any_agent(request: Request) -> Say:
        draw = random.Random(f"{seed}|{request.seed >> 12}|{turn(request)}")
        if draw.random() < 0.02:
            return Say(fault=TransportError("gave out", kind="server_error", retryable=False, latency_s=0.5))
        if turn(request) >= 3:
            return Say(draw.choice(RESULTS), latency_s=draw.choice(SECONDS))
        kind = "bottom" if "sub-agent of the type" in str(request.messages[0]["content"]) else "middle"
        one, two = (hand_on(draw, [kind, kind, kind, kind, "nobody"]) for _ in range(2))
        work: list[list[Call]] = [[READ], [READ, one], [one], [one, two]]
        if kind == "bottom":
            work += [[], [], [], [Call("spawn_agent")]]
        calls = draw.choice(work)
        return Say(draw.choice(RESULTS), calls, draw.choice(SECONDS))

    return ActingModel(any_agent)


def played(rules: Delegation, depth: int | None, parallel: bool, patience: float | None) -> list[RunRecord]:
    topology = Nested(worker_timeout_s=patience, parallel=parallel, worker_steps=4, delegation=rules)
    limits = Limits(max_depth=depth, run_calls=16, run_wall_s=60, workers_running=2)
    return [
        records(
            cell(
                topology, random_agents(seed, rules), suite=ReferenceSuite(ids=(f"s{seed}",)), limits=limits, seed=seed
            )
        )[0]
        for seed in range(36)
    ]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(("depth", "parallel", "patience"), [(2, True, 6.0), (None, True, 9.0), (None, False, None)])
def test_layers(name: str, depth: int | None, parallel: bool, patience: float | None, tmp_path: Path) -> None:
    found = played(RULES[name], depth, parallel, patience)
    assert faults(found, tmp_path) == []
    for r in found:
        assert r.run.status in ("ok", "limit", "timeout", "error"), r.run.error
        assert r.run.status != "error" or "gave out" in (r.run.error or ""), r.run.error  # the lead's own provider
        assert r.run.depth_violations == sum(e.type == "depth_violation" for e in r.events)
        assert r.run.refused == sum(e.type == "refused" for e in r.events)
        assert not [e for e in r.events if e.type == "leftover"]
        gone = {e.agent: e.at_s for e in r.events if e.type == "abandoned"}
        ids = {c.session_id: c.agent for c in r.calls}
        for c in r.calls:
            above = [agent for session, agent in ids.items() if c.session_id.startswith(f"{session}/")]
            if any(agent in gone and c.ended_s > gone[agent] for agent in above):
                assert c.late and not c.used, "nobody waits for those who work for somebody nobody waits for"
    assert depth is None or max(c.depth for r in found for c in r.calls) == depth


def test_the_draws_cover_what_may_come() -> None:
    """So the test above tests something."""
    everything = [
        r
        for name in ("history", "ring")
        for depth, parallel, patience in ((2, True, 6.0), (None, True, 9.0))
        for r in played(RULES[name], depth, parallel, patience)
    ]
    assert {r.run.status for r in everything} >= {"ok", "limit"}
    statuses = {d.status for r in everything for d in r.delegations}
    assert statuses >= {"success", "forbidden", "failed", "partial_success", "blocked", "unanswered", "returned"}
    assert max(c.depth for r in everything for c in r.calls) >= 4
    assert sum(len([e for e in r.events if e.type == "abandoned"]) for r in everything) > 10
    assert any(c.late and c.depth > 1 for r in everything for c in r.calls)
