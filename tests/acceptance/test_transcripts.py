"""Hand-written transcripts, made from nothing but the prompts, drive both topologies to the full score."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bus.servers import redis_binaries

import results

from .commands import QUIET, call, each, validate

TRANSCRIPTS = Path(__file__).parent / "transcripts"
MATERIAL = ("task=qa_corpus", "task.corpus=generated", "task.docs=3", "task.samples=1", "task.questions=1")
EMBEDDED = pytest.param(
    "embedded", marks=pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
)


def play(folder: Path, transcript: str, *words: str) -> results.Results:
    path = TRANSCRIPTS / f"{transcript}.yaml"
    done = call(folder, *MATERIAL, "model=scripted", f"model.path={path}", *words, *QUIET)
    assert done.returncode == 0, done.stderr
    said = validate(folder / "runs")
    assert said.returncode == 0, said.stdout
    found = results.load(folder / "runs")
    assert found.runs.error.isna().all(), found.runs.error[0]
    assert (found.runs.status[0], found.runs.score[0]) == ("ok", 1.0)
    return found


def test_single(tmp_path: Path) -> None:
    found = play(tmp_path, "single", "topology=single")
    assert list(found.calls.activity) == ["answer", "answer"]
    assert found.runs.coordination_tokens[0] == 0
    assert found.runs.cost_usd.isna().all() and not found.runs.cost_complete[0], "unpriced is not free"
    assert found.runs.wall_s[0] == 2.0, "two steps of one second"


@pytest.mark.parametrize("bus", ["memory", EMBEDDED])
def test_bus_with_a_question_back_and_a_revision(tmp_path: Path, bus: str) -> None:
    price = "+model.price={input: 2.0, output: 8.0}"
    found = play(tmp_path, "bus", "topology=bus", "topology.workers=2", "topology.wake=each", f"bus={bus}", price)
    sent = [(m.sender, m.type, m.sent_s) for m in each(found.messages)]
    assert sent == [
        ("lead", "task", 1.0), ("lead", "task", 1.0), ("alice", "clarify", 2.5), ("bob", "progress", 2.75),
        ("bob", "result", 3.75), ("lead", "clarify_resp", 4.0), ("alice", "result", 6.0), ("lead", "revision", 7.0),
        ("alice", "result", 8.0),
    ]  # fmt: skip
    ids = dict(zip(found.messages.type + " " + found.messages.sender, found.messages.msg_id, strict=True))
    replies = {m.type: m.in_reply_to for m in each(found.messages) if m.sender == "lead"}
    assert replies["clarify_resp"] == ids["clarify alice"] and ids["result alice"] != replies["revision"]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.revisions, run.messages, run.refused) == (9.0, 1, 9, 0)
    assert run.cost_pusd == 2_000_000 * run.prompt_tokens + 8_000_000 * run.completion_tokens
    written = found.shares[found.shares.direction == "completion"].groupby(["author", "purpose"]).tokens.sum()
    assert {"plan", "dispatch", "sync", "feedback", "merge"} <= set(written["lead"].index)
    assert {"sync", "answer", "rework"} <= set(written["alice"].index)
    assert run.verification_tokens > 0


def test_a_member_that_left_while_waiting_goes_on_in_its_own_session(tmp_path: Path) -> None:
    found = play(tmp_path, "late_answer", "topology=bus", "topology.workers=1", "bus=memory")
    alice = found.events[found.events.agent == "alice"]
    loads = alice[alice.type.isin(["as", "ax"])]
    assert list(loads.type) == ["as", "ax", "as", "ax"]
    assert list(loads.at_s) == [1.0, 62.0, 102.0, 104.0], "asked at 2, left 60 s later, was loaded again by the answer"
    exits = [json.loads(data)["reason"] for data in loads.data[loads.type == "ax"]]
    assert exits == ["idle_timeout", "completed"]
    sessions = {json.loads(data)["session_id"] for data in loads.data[loads.type == "as"]}
    calls = found.calls[found.calls.agent == "alice"]
    assert sessions == set(calls.session_id) and len(sessions) == 1
    assert list(calls.prompt_tokens) == sorted(calls.prompt_tokens), "its memory is kept and grows"
    lead = found.calls[found.calls.agent == "lead"]
    assert list(lead.started_s) == [0.0, 1.0, 101.0, 104.0], "parked without a call until the member has answered"
