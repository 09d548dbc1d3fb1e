"""Hand-written transcripts, made from nothing but the prompts, drive every topology to the full score."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from bus.servers import redis_binaries

import results
from harness.accounting.tokens import count_tokens
from harness.models.scripted import load_script

from .commands import QUIET, each, inside, validate

TRANSCRIPTS = Path(__file__).parent / "transcripts"
MATERIAL = ("task=qa_corpus", "task.corpus=generated", "task.docs=3", "task.samples=1", "task.questions=1")
EMBEDDED = pytest.param(
    "embedded", marks=pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
)


def play(folder: Path, transcript: str, *words: str, material: Sequence[str] = MATERIAL) -> results.Results:
    path = TRANSCRIPTS / f"{transcript}.yaml"
    done = inside(folder, *material, "model=scripted", f"model.path={path}", *words, *QUIET)
    assert done.returncode == 0, done.stderr
    said = validate(folder / "runs")
    assert said.returncode == 0, said.stdout
    found = results.load(folder / "runs")
    assert found.runs.error.isna().all(), found.runs.error[0]
    assert (found.runs.status[0], found.runs.score[0]) == ("ok", 1.0)
    return found


def tries(found: results.Results) -> list[tuple[str, int, str, float]]:
    """Worker, try, status and seconds of each try, in order."""
    return list(zip(*(found.delegations[c] for c in ("worker", "try", "status", "seconds")), strict=True))


def errors(found: results.Results) -> list[list[str]]:
    """The errors of each try, in order."""
    return [json.loads(text) for text in found.delegations.validation_errors]


def tokens_written(found: results.Results) -> dict[tuple[str, str], int]:
    """Tokens of all completions by author and purpose."""
    written = found.shares[found.shares.direction == "completion"]
    return dict(written.groupby(["author", "purpose"]).tokens.sum())


def test_single(tmp_path: Path) -> None:
    found = play(tmp_path, "single", "topology=single")
    assert list(found.calls.activity) == ["answer", "answer"]
    assert found.runs.coordination_tokens[0] == 0
    assert found.runs.cost_usd.isna().all() and not found.runs.cost_complete[0], "unpriced is not free"
    assert found.runs.wall_s[0] == 2.0, "two steps of one second"


@pytest.mark.parametrize("bus", ["memory", EMBEDDED])
def test_bus_with_all_that_can_come_between(tmp_path: Path, bus: str) -> None:
    """A question back, a revision, a returned result, a refused order, a refused attempt to hand on, and a blocker."""
    price = "+model.price={input: 2.0, output: 8.0}"
    found = play(tmp_path, "bus", "topology=bus", f"bus={bus}", price)
    assert [(m.sender, m.recipient, m.type, m.sent_s) for m in each(found.messages)] == [
        ("lead", "bob", "task", 1.0),  # the order to alice in the same completion was refused
        ("lead", "alice", "task", 2.0),
        ("alice", "lead", "clarify", 3.0),
        ("bob", "lead", "result", 4.25),  # he read for 1.25 s, tried to hand on for 1.25 s, gave up in 0.75 s
        ("lead", "alice", "clarify_resp", 4.5),
        ("lead", "carol", "task", 5.5),
        ("alice", "lead", "progress", 5.75),
        ("alice", "lead", "result", 6.75),
        ("carol", "lead", "result", 8.5),  # her third step: the result of the second was returned at 7.5
        ("lead", "alice", "revision", 10.5),
        ("alice", "lead", "result", 11.5),
    ]
    lead = found.calls[found.calls.agent == "lead"]
    assert list(lead.started_s) == [0.0, 1.0, 3.0, 4.5, 8.5, 9.5, 11.5], "woken by a question and by the last result"
    assert set(found.messages.delivery) == {"read"}
    ids = dict(zip(found.messages.type + " " + found.messages.sender, found.messages.msg_id, strict=True))
    reply = {m.content[:9]: m.in_reply_to for m in each(found.messages) if m.type in ("clarify_resp", "result")}
    assert reply["Yes, firs"] == ids["clarify alice"]
    assert reply["[blocked]"] == found.messages.msg_id[0], "a blocked result answers the order"
    assert tries(found) == [
        ("bob", 1, "blocked", 3.25),
        ("alice", 1, "success", 4.75),  # the section is wrong, but the quote stands in the document
        ("carol", 1, "returned", 2.0),
        ("carol", 2, "success", 1.0),
        ("alice", 2, "success", 1.0),  # after the revision
    ]
    assert [len(e) for e in errors(found)] == [0, 0, 1, 0, 0]
    assert errors(found)[2][0].endswith('answer "EUR 714.750" does not stand in 00-0002-contract.txt')
    (agreed,) = set(found.delegations.unchecked[found.delegations.worker == "carol"])
    assert json.loads(agreed) == ["the price that holds in the end"]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.messages) == (12.5, 17, 11)
    assert (run.retries_validation, run.revisions, run.refused, run.depth_violations) == (1, 1, 2, 1)
    assert run.cost_pusd == 2_000_000 * run.prompt_tokens + 8_000_000 * run.completion_tokens
    assert {agent: list(calls.activity) for agent, calls in found.calls.groupby("agent")} == {
        "lead": ["dispatch", "dispatch", "sync", "dispatch", "answer", "feedback", "merge"],  # two entries of three
        "alice": ["sync", "sync", "answer", "rework"],
        "bob": ["answer", "dispatch", "answer"],
        "carol": ["answer", "answer", "rework"],
    }
    written = tokens_written(found)
    assert set(written) == {
        *(("lead", purpose) for purpose in ("plan", "dispatch", "answer", "sync", "feedback", "merge")),
        *(("alice", purpose) for purpose in ("sync", "answer", "rework")),
        *(("bob", purpose) for purpose in ("answer", "plan", "dispatch")),
        *(("carol", purpose) for purpose in ("answer", "rework")),
    }
    _, alice, _, carol = load_script(TRANSCRIPTS / "bus.yaml")
    assert written["alice", "rework"] == count_tokens(alice.steps[3].text)
    assert written["carol", "rework"] == count_tokens(carol.steps[2].text)


def test_sync_with_all_that_can_come_between(tmp_path: Path) -> None:
    """A returned result, a refused order, one over the cap, a blocker, and a timeout whose finished steps are used."""
    small = ("topology.max_dispatches=3", "topology.worker_timeout_s=5", "topology.delegation.validate=true")
    found = play(tmp_path, "sync", "topology=sync", *small)
    told = [(c.agent, c.started_s, c.ended_s, c.activity) for c in each(found.calls)]
    assert told == [
        ("lead", 0.0, 1.0, "dispatch"),  # the first of two orders is refused
        ("research_1", 1.0, 2.0, "answer"),
        ("research_1", 2.0, 3.0, "answer"),  # blocked
        ("lead", 3.0, 4.5, "dispatch"),  # three orders, one after another; the third is one too many
        ("research_2", 4.5, 5.5, "answer"),
        ("research_2", 5.5, 6.5, "answer"),  # returned
        ("research_2", 6.5, 7.25, "rework"),
        ("explore_3", 7.25, 8.0, "answer"),
        ("explore_3", 8.0, 8.75, "answer"),
        ("lead", 12.25, 13.25, "answer"),  # 5 s after the dispatch at 7.25; reads the contract
        ("lead", 13.25, 14.25, "answer"),  # one entry restates a result, two are the lead's
        ("explore_3", 8.75, 18.75, "answer"),
    ]
    assert list(found.calls.late) == [False] * 11 + [True] and list(found.calls.used) == [True] * 11 + [False]
    assert tries(found) == [
        ("research_1", 1, "blocked", 2.0),
        ("research_2", 1, "returned", 2.0),
        ("research_2", 2, "success", 0.75),
        ("explore_3", 1, "partial_success", 5.0),
    ]
    assert [len(e) for e in errors(found)] == [0, 1, 0, 1]
    assert errors(found)[1][0].startswith("The result must be one JSON value and nothing else")
    assert errors(found)[3] == ["worker_timeout_s: not done after 5 s"]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.messages) == (14.25, 12, 0), "the answer does not wait for the late call"
    assert (run.retries_validation, run.revisions, run.refused, run.depth_violations) == (1, 0, 2, 0)
    assert run.completion_tokens == found.calls.completion_tokens.sum(), "late tokens are in the run"
    written = tokens_written(found)
    assert set(written) == {
        *(("lead", purpose) for purpose in ("plan", "dispatch", "answer", "merge")),
        *((worker, "answer") for worker in ("research_1", "research_2", "explore_3")),
        ("research_2", "rework"),
    }
    _, _, inspector, _ = load_script(TRANSCRIPTS / "sync.yaml")
    assert written["research_2", "rework"] == count_tokens(inspector.steps[2].text)


def test_a_member_that_left_while_waiting_goes_on_in_its_own_session(tmp_path: Path) -> None:
    found = play(tmp_path, "late_answer", "topology=bus", "topology.workers=1", "bus=memory")
    alice = found.events[found.events.agent == "alice"]
    loads = alice[alice.type.isin(["as", "ax"])]
    assert list(loads.type) == ["as", "ax", "as", "ax"]
    assert list(loads.at_s) == [1.0, 62.0, 102.0, 104.0], "asked at 2, left 60 s later, was loaded again by the answer"
    exits = [json.loads(data)["reason"] for data in loads.data[loads.type == "ax"]]
    assert exits == ["idle_timeout", "completed"]
    assert tries(found) == [("alice", 1, "failed", 61.0), ("alice", 2, "success", 2.0)], "the same order goes on"
    assert errors(found) == [["idle_timeout_s: no message in 60 s; write again to go on"], []]
    sessions = {json.loads(data)["session_id"] for data in loads.data[loads.type == "as"]}
    calls = found.calls[found.calls.agent == "alice"]
    assert sessions == set(calls.session_id) and len(sessions) == 1
    assert list(calls.prompt_tokens) == sorted(calls.prompt_tokens), "its memory is kept and grows"
    lead = found.calls[found.calls.agent == "lead"]
    assert list(lead.started_s) == [0.0, 1.0, 101.0, 104.0], "parked without a call until the member has answered"
