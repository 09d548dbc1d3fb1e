"""A hand-written transcript drives an expert team to the full score, through a refused plan, revisions by both kinds of
evaluator, a message between generators, and two tiers of escalation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from results import Results

from .commands import each
from .test_transcripts import play, tries
from .test_transcripts_rivals import calls_of


def told(found: Results, *types: str) -> list[tuple[Any, ...]]:
    """Type, step and verdict or tier of each event of these types, in order."""
    rows = ((e.type, json.loads(e.data)) for e in each(found.events) if e.type in types)
    return [(type, data["step"], data.get("verdict", data.get("tier"))) for type, data in rows]


def test_expert_team_with_all_that_can_come_between(tmp_path: Path) -> None:
    found = play(tmp_path, "expert", "topology=expert", "topology.max_feedback_rounds=1", "bus=memory")
    assert calls_of(found) == [
        ("planner", 0.0, "plan"),  # refused
        ("planner", 1.0, "plan"),
        ("alice", 2.0, "sync"),  # reads, and writes to bob
        ("bob", 2.0, "answer"),  # independent steps overlap
        ("alice", 3.0, "answer"),
        ("bob", 3.0, "answer"),
        ("evaluator", 4.0, "answer"),  # looks it up
        ("evaluator", 5.0, "review"),  # answers in words
        ("evaluator", 6.0, "review"),
        ("alice", 7.0, "rework"),
        ("bob", 7.0, "rework"),  # by the checks of the order, without a call
        ("evaluator_2", 8.0, "review"),
        ("carol", 9.0, "answer"),  # the dependent step
        ("carol", 10.0, "answer"),
        ("evaluator_3", 11.0, "review"),
        ("carol", 12.0, "rework"),
        ("evaluator_4", 13.0, "review"),
        ("carol_2", 14.0, "rework"),  # of somebody else's try, by the strong model
        ("evaluator_5", 16.0, "review"),
        ("architect", 17.0, "review"),
        ("carol_3", 18.0, "answer"),
        ("carol_3", 19.0, "rework"),
        ("evaluator_6", 20.0, "review"),
        ("planner", 21.0, "merge"),
    ]
    assert told(found, "EVALUATION_RESULT", "ESCALATION") == [
        ("EVALUATION_RESULT", "inspector", "REVISE"),
        ("EVALUATION_RESULT", "wall", "REVISE"),
        ("EVALUATION_RESULT", "inspector", "PASS"),
        ("EVALUATION_RESULT", "wall", "PASS"),
        ("EVALUATION_RESULT", "price", "REVISE"),
        ("EVALUATION_RESULT", "price", "REVIEW_EXCEEDED"),
        ("ESCALATION", "price", 1),
        ("EVALUATION_RESULT", "price", "REVIEW_EXCEEDED"),
        ("ESCALATION", "price", 2),  # entered
        ("ESCALATION", "price", 2),  # ruled
        ("EVALUATION_RESULT", "price", "PASS"),
    ]
    assert [(worker, number, status) for worker, number, status, _ in tries(found)] == [
        ("alice", 1, "revise"), ("bob", 1, "revise"), ("alice", 2, "success"), ("bob", 2, "success"),
        ("carol", 1, "revise"), ("carol", 2, "needs_person"), ("carol_2", 1, "needs_person"),
        ("carol_3", 1, "success"),
    ]  # fmt: skip
    assert [(m.sender, m.recipient, m.type) for m in each(found.messages)] == [("alice", "bob", "progress")]
    assert set(found.calls.model[found.calls.agent == "carol_2"]) == {"scripted-strong"}
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.refused, run.revisions, run.escalations) == (22.0, 24, 1, 3, 2)
    (ended,) = [json.loads(e.data) for e in each(found.events) if e.type == "TEAM_COMPLETED"]
    assert ended == {"state": "COMPLETED", "degraded": [], "caveats": {}}
