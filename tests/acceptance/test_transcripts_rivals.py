"""Hand-written transcripts drive the rivals of a team to the full score, with what may come between."""

from __future__ import annotations

import json
from pathlib import Path

from harness.accounting.tokens import count_tokens
from harness.models.scripted import load_script
from results import Results

from .commands import each
from .test_transcripts import TRANSCRIPTS, play, tokens_written


def calls_of(found: Results) -> list[tuple[str, float, str]]:
    """Agent, start and activity of each call, by start and name."""
    return sorted(((c.agent, c.started_s, c.activity) for c in each(found.calls)), key=lambda c: (c[1], c[0]))


def test_vote(tmp_path: Path) -> None:
    """Tool calls that fail, in the same words as for a single agent; not one token of coordination comes of it."""
    found = play(tmp_path, "vote", "topology=vote")
    voters = ("voter_1", "voter_2", "voter_3")
    assert calls_of(found) == [(voter, at, "answer") for at in (0.0, 1.0, 2.0) for voter in voters]
    run = found.runs.iloc[0]
    assert (run.family, run.wall_s, run.refused, run.left_out) == ("team", 3.0, 3, 0), "one wrong tool each"
    assert run.coordination_tokens == run.verification_tokens == 0
    assert run.work_tokens == run.prompt_tokens + run.completion_tokens


def test_moa_in_two_layers(tmp_path: Path) -> None:
    """Two layers and an aggregator that asks for a tool it does not have."""
    found = play(tmp_path, "moa", "topology=moa", "topology.layers=2")
    first, second = ([f"proposer_{n}{layer}" for n in (1, 2, 3)] for layer in ("", "_layer_2"))
    assert calls_of(found) == [
        *((agent, at, "answer") for at in (0.0, 1.0) for agent in first),
        *((agent, 2.0, "answer") for agent in second),  # looks the price up
        *((agent, 3.0, "merge") for agent in second),  # all of it restates a proposal but the price
        ("aggregator", 4.0, "plan"),  # a call to no tool of its own
        ("aggregator", 5.0, "merge"),
    ]
    assert found.runs.refused[0] == 1 and found.runs.wall_s[0] == 6.0
    written = tokens_written(found)
    aggregator, *_ = load_script(TRANSCRIPTS / "moa.yaml")
    assert written["aggregator", "merge"] == count_tokens(aggregator.steps[1].text), "nothing in it is its own"
    for agent in second:
        price = written[agent, "answer"]
        assert 0 < price < written[agent, "merge"], "the call that reads, and one price that is not in the proposals"


def test_debate_of_three_rounds(tmp_path: Path) -> None:
    """All agree from the start, on a wrong price; a second look at the document mends it, not the others' answers."""
    found = play(tmp_path, "debate", "topology=debate", "topology.rounds=3", "topology.stop_on_agreement=false")
    names = ["debater_1", "debater_2", "debater_3"]
    rounds = [json.loads(e.data) for e in each(found.events) if e.type == "round"]
    assert rounds == [{"round": n, "answered": names, "agreed": True} for n in (1, 2, 3)]
    assert [(at, activity) for agent, at, activity in calls_of(found) if agent == "debater_1"] == [
        (0.0, "answer"),
        (1.0, "answer"),
        (2.0, "answer"),  # reads the contract
        (3.0, "merge"),  # what the others say as well; the price is new, from the document
        (4.0, "merge"),  # now the price is in the others' answers too: all restates
    ]
    assert found.runs.wall_s[0] == 5.0


def test_strong_with_a_review_that_mends(tmp_path: Path) -> None:
    found = play(tmp_path, "strong", "topology=strong", "topology.reviews=1")
    assert list(found.calls.activity) == ["answer", "answer", "answer", "rework"]
    assert set(found.calls.model) == {"scripted-strong"} and found.runs.model[0] == "scripted"
    (conversation,) = load_script(TRANSCRIPTS / "strong.yaml")
    assert tokens_written(found)["solver", "rework"] == count_tokens(conversation.steps[3].text)
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.coordination_tokens, run.family) == (4.0, 4, 0, "single")


def test_resample_with_a_judge_that_answers_in_words_first(tmp_path: Path) -> None:
    found = play(tmp_path, "resample", "topology=resample", "topology.choose=judge", "topology.judge_reads=true")
    told = [(c.agent, c.started_s, c.ended_s, c.activity) for c in each(found.calls)]
    attempts = [(f"solver_{i}", start, end, "answer") for start, end in ((0.0, 2.0), (2.0, 3.0)) for i in (1, 2, 3)]
    assert sorted(told[:6]) == sorted(attempts), "all at once"
    assert told[6:] == [
        ("judge", 3.0, 4.0, "answer"),  # a look into the contract
        ("judge", 4.0, 5.0, "review"),  # no number
        ("judge", 5.0, 5.5, "review"),
    ]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.parse_failures, run.left_out) == (5.5, 9, 1, 0)
    judged = found.shares[found.shares.operation_id.str.startswith("judge#")]
    read = judged[judged.direction == "prompt"]
    assert set(read.purpose) == {"review", "answer"} and set(read[read.purpose == "answer"].author) == {"judge"}
    assert {f"solver_{i}" for i in (1, 2, 3)} <= set(read.author)
    assert run.coordination_tokens == 0 and run.verification_tokens == judged[judged.purpose == "review"].tokens.sum()


def test_escalate_after_failures_that_anybody_can_see(tmp_path: Path) -> None:
    found = play(tmp_path, "escalate", "topology=escalate")
    told = [(c.agent, c.role, c.model, c.started_s) for c in each(found.calls)]
    assert told == [
        *(("solver_1", "single", "scripted", at) for at in (0.0, 1.0)),
        *(("strong", "strong", "scripted-strong", at) for at in (2.0, 5.0)),
    ]
    (event,) = found.events[found.events.type == "escalated"].data
    section, price = json.loads(event)["failures"]
    assert section.startswith("the answer 'Helen Baptiste' does not stand in '00-0000-inspection.txt §4'")
    assert price.startswith("no entry: 'In the 2020 supply contract")
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.escalations, run.left_out) == (8.0, 4, 1, 0)
    assert run.coordination_tokens == run.verification_tokens == 0
