"""Hand-written transcripts drive the rivals of a team to the full score, with what may come between."""

from __future__ import annotations

import json
from pathlib import Path

from harness.accounting.tokens import count_tokens
from harness.models.scripted import load_script

from .commands import each
from .test_transcripts import TRANSCRIPTS, play, tokens_written


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
