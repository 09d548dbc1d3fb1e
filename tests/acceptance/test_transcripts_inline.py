"""Hand-written transcripts of the rival topologies, each made from its page of prompts alone."""

from __future__ import annotations

import json
from pathlib import Path

from .commands import each
from .test_transcripts import errors, play, tokens_written, tries


def test_inline_with_all_that_can_come_between(tmp_path: Path) -> None:
    """A malformed tag, two workers that start together, one that tries to hand on, and an order over the cap."""
    found = play(tmp_path, "inline", "topology=inline", "topology.max_delegations=2")
    assert [(c.agent, c.started_s, c.ended_s, c.activity) for c in each(found.calls)] == [
        ("lead", 0.0, 1.0, "dispatch"),
        ("worker_1", 1.0, 2.0, "dispatch"),  # tries to hand on
        ("worker_2", 1.0, 2.0, "answer"),
        ("worker_2", 2.0, 2.75, "answer"),
        ("worker_1", 2.0, 3.0, "answer"),
        ("worker_1", 3.0, 4.0, "answer"),
        ("lead", 4.0, 5.0, "dispatch"),  # over the cap
        ("lead", 5.0, 6.0, "answer"),
        ("lead", 6.0, 7.0, "merge"),  # two entries of three
    ]
    assert tries(found) == [("worker_1", 1, "success", 3.0), ("worker_2", 1, "success", 1.75)]
    assert errors(found) == [[], []]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.messages) == (7.0, 9, 0)
    assert (run.parse_failures, run.refused, run.depth_violations, run.left_out) == (1, 2, 1, 0)
    (failure,) = each(found.events[found.events.type == "parse_failure"])
    assert (failure.agent, failure.at_s) == ("lead", 1.0)
    assert json.loads(failure.data)["text"] == "tag 1 is opened and not closed"
    assert set(tokens_written(found)) == {
        *(("lead", purpose) for purpose in ("plan", "dispatch", "answer", "merge")),
        *(("worker_1", purpose) for purpose in ("plan", "dispatch", "answer")),
        ("worker_2", "answer"),
    }


def test_taskboard_with_all_that_can_come_between(tmp_path: Path) -> None:
    """An empty task that is refused, an attempt to hand on, a task that takes too long and is posted again."""
    small = ("topology.members=2", "topology.member_timeout_s=5")
    found = play(tmp_path, "taskboard", "topology=taskboard", *small)
    assert sorted((c.started_s, c.agent, c.ended_s, c.activity) for c in each(found.calls)) == [
        (0.0, "coordinator", 1.0, "dispatch"),
        (1.0, "alice", 2.0, "answer"),
        (1.0, "bob", 2.0, "dispatch"),  # tries to hand on
        (2.0, "alice", 3.0, "answer"),
        (2.0, "bob", 6.0, "answer"),  # interrupted 5 s after he took the task
        (3.0, "alice", 4.0, "answer"),
        (4.0, "alice", 5.0, "answer"),
        (6.0, "coordinator", 7.0, "dispatch"),
        (7.0, "alice", 8.0, "answer"),
        (8.0, "alice", 9.0, "answer"),
        (9.0, "coordinator", 10.0, "merge"),
    ]
    assert tries(found) == [
        ("alice", 1, "success", 2.0), ("bob", 1, "failed", 5.0), ("alice", 1, "success", 2.0),
        ("alice", 1, "success", 2.0),
    ]  # fmt: skip
    assert errors(found)[1] == ["member_timeout_s: not done after 5 s"]
    assert list(found.delegations.subtask_id) == [f"subtask_{n}" for n in (1, 2, 3, 4)]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.messages) == (10.0, 11, 0)
    assert (run.parse_failures, run.refused, run.depth_violations, run.left_out) == (0, 2, 1, 1)
    alice = found.calls[found.calls.agent == "alice"]
    assert list(alice.prompt_tokens) == sorted(alice.prompt_tokens), "its memory is kept and grows"
    assert list(found.calls.status[found.calls.agent == "bob"]) == ["ok", "cancelled"]
    assert set(tokens_written(found)) == {
        *(("coordinator", purpose) for purpose in ("plan", "dispatch", "merge")),
        ("alice", "answer"), ("bob", "dispatch"),
    }  # fmt: skip
