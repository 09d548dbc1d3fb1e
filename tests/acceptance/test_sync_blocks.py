"""What the stored rows of synchronous dispatch prove by themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import results

from .commands import GENERATED, each, here, validate

PLAIN = ("topology=sync", *GENERATED, "task.docs=6", "task.samples=6")
SLOW = (*PLAIN, "topology.worker_timeout_s=2", "model.latency.ttft_s=1.2", "epochs=3")
"""Sub-agents need about three calls of more than a second: some are abandoned after their first step, some before."""


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> results.Results:
    store = tmp_path_factory.mktemp("plain") / "runs"
    here(store, *PLAIN)
    assert validate(store).returncode == 0
    return results.load(store)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> results.Results:
    store = tmp_path_factory.mktemp("slow") / "runs"
    here(store, *SLOW)
    said = validate(store)
    assert said.returncode == 0, said.stdout
    return results.load(store)


def by_run(found: results.Results) -> list[tuple[Any, pd.DataFrame, pd.DataFrame]]:
    """(row, calls, shares) of each run."""
    return [
        (row, found.calls[found.calls.run_id == row.run_id], found.shares[found.shares.run_id == row.run_id])
        for row in each(found.runs)
    ]


@pytest.mark.parametrize("which", ["plain", "slow"])
def test_lead_and_workers_never_overlap_late_calls_aside(which: str, request: pytest.FixtureRequest) -> None:
    found: results.Results = request.getfixturevalue(which)
    assert {"lead", "research"} == set(found.calls[~found.calls.late].role)
    for row, calls, _ in by_run(found):
        in_time = calls[~calls.late].sort_values("started_s")
        ends = in_time.ended_s.cummax().shift(fill_value=0.0)
        assert (in_time.started_s >= ends).all(), f"{row.run_id}: at any moment at most one call is waited for"


def test_a_worker_s_prompts_hold_nothing_by_its_lead_but_the_order(plain: results.Results) -> None:
    for row, calls, shares in by_run(plain):
        statement = shares[(shares.author == "task") & (shares.direction == "prompt")]
        for worker in each(calls[calls.role == "research"].drop_duplicates("agent")):  # its first call
            read = shares[(shares.operation_id == worker.operation_id) & (shares.direction == "prompt")]
            assert set(read.author) == {"task", "engine", "lead"}
            assert set(read[read.author == "lead"].purpose) == {"dispatch"}
            assert set(read[read.author == "task"].purpose) == {"task"}
            lead_first = statement[statement.operation_id == calls.operation_id.iloc[0]].tokens.sum()
            assert read[read.author == "task"].tokens.sum() < lead_first, "the brief and the tools, not the statement"
        workers = calls[calls.role == "research"].agent.unique()
        for name in workers:
            own = shares[shares.operation_id.isin(calls.operation_id[calls.agent == name])]
            assert set(own.author) <= {"task", "engine", "tool", "lead", name}, "and nothing by other workers"
        assert row.wall_s == pytest.approx((calls.ended_s - calls.started_s).sum()), "every second is somebody's call"


def test_the_order_in_the_row_is_what_the_lead_wrote(plain: results.Results) -> None:
    orders = {(d.run_id, d.worker): json.loads(d.order) for d in each(plain.delegations)}
    steps = plain.events[(plain.events.type == "tool") & plain.events.data.str.contains("dispatch_sub_agent")]
    assert len(steps) == len(orders)
    written = [json.loads(e.data)["arguments"]["order"] for e in each(steps)]
    assert sorted(o["objective"] for o in written) == sorted(o["objective"] for o in orders.values())


def test_what_an_abandoned_worker_still_spends_is_late_and_in_the_run(slow: results.Results) -> None:
    late_tokens = 0
    for row, calls, _ in by_run(slow):
        late = calls[calls.late]
        late_tokens += (late.prompt_tokens + late.completion_tokens).sum()
        assert not late.used.any()
        assert set(late.role) <= {"research"}
        assert row.prompt_tokens + row.completion_tokens == (calls.prompt_tokens + calls.completion_tokens).sum()
        assert row.wall_s == pytest.approx(calls[calls.agent == "lead"].ended_s.max()), "nobody waited for them"
        gone = slow.events[(slow.events.run_id == row.run_id) & (slow.events.type == "abandoned")]
        left = {e.agent: e.at_s for e in each(gone)}
        assert all(c.ended_s > left[c.agent] for c in each(late))
    assert late_tokens > 0
    status = set(slow.delegations.status)
    assert "partial_success" in status
    harvested = slow.delegations[slow.delegations.status == "partial_success"]
    assert harvested.raw_output.str.startswith("1. read_document(").all()


def test_a_harvest_is_not_a_model_call(slow: results.Results) -> None:
    """Each abandoned worker's finished steps reach the lead in the instant of the timeout, 2 s after the dispatch."""
    for d in each(slow.delegations[slow.delegations.status == "partial_success"]):
        assert d.seconds == 2.0
        errors = json.loads(d.validation_errors)
        assert errors == ["worker_timeout_s: not done after 2 s"]


def test_every_dispatch_is_a_step_with_its_sub_steps(slow: results.Results, tmp_path: Path) -> None:
    steps = [json.loads(e.data) for e in each(slow.events[slow.events.type == "step"])]
    tries = slow.delegations
    assert len(steps) == len(tries)
    assert {s["outcome"] for s in steps} <= {"SUCCESS", "PARTIAL_SUCCESS", "FAILED"}
    assert {s["status"] for s in steps if s["outcome"] == "SUCCESS"} <= {"done"}
    assert {s["status"] for s in steps if s["outcome"] != "SUCCESS"} == {"error"}
    progress = slow.events[slow.events.type == "sub_progress"]
    assert len(progress) >= sum(len(s["sub_steps"]) for s in steps), "a late step still makes itself heard"
    for step in steps:
        for sub in step["sub_steps"]:
            assert sub["status"] in ("done", "error") and len(sub["input"]) <= 200 and len(sub["output"]) <= 200
