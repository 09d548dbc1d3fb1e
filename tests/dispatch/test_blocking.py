"""A dispatch blocks its lead: who works when, second by second."""

from __future__ import annotations

import random

import pytest
from support.models import Say, turn
from support.runs import check_invariants

from harness.models.protocol import Request
from harness.records import RunRecord

from .stage import DONE, READ, dispatch, order, ran, read_back, spans, task_text

TWO = Say("", [dispatch(order("one")), dispatch(order("two"))])
WORKERS = {"one": [Say("", [READ]), Say("First.", latency_s=5)], "two": [Say("Second.", latency_s=3)]}


def overlaps(record: RunRecord) -> list[tuple[str, str]]:
    """Pairs of a lead's and a worker's call that were under way at the same time, late ones left out."""
    lead = [c for c in record.calls if c.depth == 0]
    workers = [c for c in record.calls if c.depth == 1 and not c.late]
    return [
        (a.operation_id, b.operation_id)
        for a in lead
        for b in workers
        if a.started_s < b.ended_s and b.started_s < a.ended_s
    ]


def test_the_lead_waits_for_each_result() -> None:
    lead = [Say("", [dispatch(order("one"))]), Say("", [dispatch(order("two"))]), DONE]
    record, model = ran(lead, WORKERS)
    assert spans(record, "lead") == [(0, 1), (7, 8), (11, 12)]
    assert spans(record, "research_1") == [(1, 2), (2, 7)]
    assert spans(record, "research_2") == [(8, 11)]
    assert read_back(model) == [
        "[SUCCESS] subtask_1 by research_1\nFirst.",
        "[SUCCESS] subtask_2 by research_2\nSecond.",
    ]
    assert overlaps(record) == []
    assert [d.seconds for d in record.delegations] == [6, 3]
    check_invariants(record)


def test_dispatches_of_one_completion_go_one_after_another() -> None:
    record, _ = ran([TWO, DONE], WORKERS)
    assert (spans(record, "research_1"), spans(record, "research_2")) == ([(1, 2), (2, 7)], [(7, 10)])
    assert record.run.wall_s == 11
    assert overlaps(record) == []


def test_in_parallel_they_run_at_once() -> None:
    record, model = ran([TWO, DONE], WORKERS, parallel=True)
    assert (spans(record, "research_1"), spans(record, "research_2")) == ([(1, 2), (2, 7)], [(1, 4)])
    assert record.run.wall_s == 8
    assert [text.split("\n")[1] for text in read_back(model)] == ["First.", "Second."], "results in the calls' order"
    assert overlaps(record) == []


@pytest.mark.parametrize("parallel", [False, True])
def test_a_task_tool_beside_a_dispatch(parallel: bool) -> None:
    record, model = ran([Say("", [READ, dispatch(order("one"))]), DONE], WORKERS, parallel=parallel)
    assert read_back(model)[0] == "The fee is 340 yuan."
    assert record.run.wall_s == 8


def test_random_teams_never_overlap_with_their_lead() -> None:
    """Latencies of half seconds, up to three dispatches a turn, some too slow for their lead's patience."""
    late = 0
    for seed in range(30):
        draw = random.Random(seed)
        jobs = [[f"job {n} {m}" for m in range(draw.randint(1, 3))] for n in range(4)]
        turns = [Say("", [dispatch(order(job)) for job in some]) for some in jobs]

        def worker(request: Request, seed: int = seed) -> Say:
            own = random.Random(f"{seed}|{task_text(request)}|{turn(request)}")
            return Say("R.", [READ] if own.random() < 0.6 else [], own.choice([0.5, 1, 2.5, 4]))

        patience = 3.0 + seed % 3
        record, _ = ran([*turns, DONE], worker, worker_timeout_s=patience, parallel=seed % 2 == 0, max_dispatches=20)
        assert overlaps(record) == []
        check_invariants(record)
        late += sum(c.late for c in record.calls)
    assert late, "so that leaving them out means something"


def test_what_is_on_offer() -> None:
    """The lead has its task's tools and the dispatch; a sub-agent has no dispatch, whatever its type."""
    for type in ("research", "explore", "plan", "coder", "reviewer", "general_purpose"):
        _, model = ran([Say("", [dispatch(type=type)]), DONE], [Say("Result.")])
        names = [[t["function"]["name"] for t in r.tools] for r in (model.led()[0], model.worked()[0])]
        assert names == [["read_document", "dispatch_sub_agent"], ["read_document"]]


def test_each_sub_agent_is_a_new_one() -> None:
    """Two orders to the same type: two agents, two sessions below the lead's, no memory of each other."""
    lead = [Say("", [dispatch(order("one"))]), Say("", [dispatch(order("two"))]), DONE]
    record, model = ran(lead, WORKERS)
    calls = {c.agent: c for c in record.calls if c.depth}
    run_id = record.run.run_id
    assert {(c.session_id, c.parent_session_id, c.role) for c in calls.values()} == {
        (f"{run_id}/research_1", run_id, "research"),
        (f"{run_id}/research_2", run_id, "research"),
    }
    assert [m["role"] for m in model.worked("two")[0].messages] == ["system", "user"]
