"""What the stored rows of delegation by tags prove by themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import results
from harness.accounting.tokens import count_tokens
from harness.models.protocol import Request
from harness.testing.models import Flaky, faultless
from harness.testing.runs import cell, faults, records
from topologies.inline import Inline

from .commands import GENERATED, each, here, validate

PLAIN = ("topology=inline", *GENERATED, "task.docs=8", "task.samples=6")
CLUMSY = (*PLAIN, "model.behaviour.malformed.tags=0.4", "model.behaviour.delegation.tendency=0.5", "epochs=2")
HASTY = (*PLAIN, "topology.worker_timeout_s=2", "epochs=2")
"""Workers need about two calls of a second or more: some are not done in time."""


def stored(folder: Path, *words: str) -> results.Results:
    here(folder / "runs", *words)
    said = validate(folder / "runs")
    assert said.returncode == 0, said.stdout
    return results.load(folder / "runs")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> results.Results:
    return stored(tmp_path_factory.mktemp("plain"), *PLAIN)


@pytest.fixture(scope="module")
def clumsy(tmp_path_factory: pytest.TempPathFactory) -> results.Results:
    return stored(tmp_path_factory.mktemp("clumsy"), *CLUMSY)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> results.Results:
    return stored(tmp_path_factory.mktemp("hasty"), *HASTY)


def of(table: pd.DataFrame, run: Any) -> pd.DataFrame:
    """The rows of one run."""
    return table[table.run_id == run.run_id]


@pytest.mark.parametrize("which", ["plain", "clumsy", "hasty"])
def test_workers_start_together_and_the_lead_resumes_after_the_last(which: str, request: pytest.FixtureRequest) -> None:
    found: results.Results = request.getfixturevalue(which)
    together = 0
    for run in each(found.runs):
        calls = of(found.calls, run)
        lead = calls[calls.agent == "lead"].sort_values("started_s")
        workers = calls[calls.role == "worker"].groupby("agent").agg({"started_s": "min", "ended_s": "max"})
        for before, after in zip(lead.ended_s, [*lead.started_s.iloc[1:], None], strict=True):
            crew = workers[workers.started_s == before]
            together += len(crew) > 1
            if len(crew):
                assert after == crew.ended_s.max(), "blocked until the last is done, and not a moment longer"
        assert set(workers.started_s) <= set(lead.ended_s), "every worker starts with a completion of its lead"
        inside = [((calls.started_s < c.ended_s) & (calls.ended_s > c.started_s)).sum() for c in each(lead)]
        assert inside == [1] * len(lead), "while the lead thinks nobody works"
        assert not calls.late.any(), "whoever is interrupted spends nothing later"
    assert together > 0, "there was something to see"


def test_a_worker_s_prompts_hold_nothing_by_its_lead_but_the_order(plain: results.Results) -> None:
    for run in each(plain.runs):
        calls, shares = of(plain.calls, run), of(plain.shares, run)
        for name in calls.agent[calls.role == "worker"].unique():
            own = shares[shares.operation_id.isin(calls.operation_id[calls.agent == name])]
            assert set(own.author) == {"task", "engine", "tool", "lead", name}, "and nothing by other workers"
            assert set(own.purpose[own.author == "lead"]) == {"dispatch"}


def test_all_that_a_worker_reads_of_its_lead_is_the_order_in_the_row(plain: results.Results) -> None:
    """By tokens: neither the tag around it nor the plan beside it. A few more for what stands around messages."""
    for order in each(plain.delegations):
        calls = of(plain.calls, order)
        first = calls[calls.agent == order.worker].sort_values("started_s").operation_id.iloc[0]
        shares = of(plain.shares, order)
        read = shares[(shares.operation_id == first) & (shares.author == "lead")].tokens.sum()
        written = count_tokens(json.loads(order.order)["objective"])
        assert written <= read <= 1.02 * written


def test_parse_failures_are_counted_and_listed(clumsy: results.Results) -> None:
    listed = clumsy.events[clumsy.events.type == "parse_failure"]
    assert len(listed) == clumsy.runs.parse_failures.sum() > 0
    assert set(listed.agent) == {"lead"}
    assert {json.loads(data)["text"].partition(" is ")[2] for data in listed.data} == {"opened and not closed"}
    assert (clumsy.runs.status == "ok").all()


def test_what_a_malformed_tag_costs(plain: results.Results, clumsy: results.Results) -> None:
    """A correction is read and the order written again: scaffold and dispatch grow, nothing else has to."""
    for purpose in ("scaffold", "dispatch"):
        mean = [
            found.shares[found.shares.purpose == purpose].tokens.sum() / len(found.runs) for found in (plain, clumsy)
        ]
        assert mean[1] > mean[0]


def test_attempts_to_hand_on_are_counted_and_the_work_is_done(clumsy: results.Results) -> None:
    tried = clumsy.events[clumsy.events.type == "depth_violation"]
    assert len(tried) == clumsy.runs.depth_violations.sum() > 0
    assert set(clumsy.delegations.status) == {"success"}
    assert clumsy.calls.depth.max() == 1


def test_who_is_not_done_in_time_is_left_out(hasty: results.Results) -> None:
    failed = hasty.delegations[hasty.delegations.status == "failed"]
    assert 0 < len(failed) == hasty.runs.left_out.sum()
    assert (failed.seconds == 2.0).all()
    assert {*failed.validation_errors} == {'["worker_timeout_s: not done after 2 s"]'}
    assert (hasty.runs.status == "ok").all(), "the lead does it itself"


def test_a_worker_that_dies_is_left_out_and_its_part_handed_out_once_more(tmp_path: Path) -> None:
    def first_worker(n: int, request: Request) -> bool:
        return n == 2  # the lead's request is the first of a run

    found = records(cell(Inline(), Flaky(faultless(), first_worker)))
    assert faults(found, tmp_path) == []
    for record in found:
        assert (record.run.status, record.run.score, record.run.left_out) == ("ok", 1.0, 1)
        assert [d.status for d in record.delegations] == ["failed", "success", "success"]
        assert [e.agent for e in record.events if e.type == "left_out"] == ["worker_1"]
        first, second, again = (json.loads(d.order)["objective"] for d in record.delegations)
        assert first == again != second
