"""Hand-written transcripts drive both shipped workflow scripts to the full score, with what may come between."""

from __future__ import annotations

import json
from pathlib import Path

from .commands import each
from .test_transcripts import errors, play, tokens_written, tries
from .test_transcripts_rivals import calls_of

REVIEW = ("task=review", "task.drafts=4", "task.samples=1")


def test_research_with_a_route_that_is_blocked_and_a_claim_that_is_refuted(tmp_path: Path) -> None:
    found = play(tmp_path, "workflow_research", "topology=workflow", "topology.script=research")
    assert calls_of(found) == [
        *((f"route_{n}", 0.0, "answer") for n in (1, 2, 3)),
        ("route_1", 1.0, "answer"),
        ("route_2", 1.5, "answer"),
        *((f"check_{n}", 2.5, "answer") for n in (1, 2)),  # looks the price up
        *((f"check_{n}", 3.5, "review") for n in (1, 2)),  # in words, and so returned
        *((f"check_{n}", 4.5, "review") for n in (1, 2)),
        ("combine", 5.0, "merge"),
    ]
    told = {(worker, number): status for worker, number, status, _ in tries(found)}
    assert told == {
        ("route_1", 1): "success", ("route_2", 1): "success", ("route_3", 1): "blocked",
        ("check_1", 1): "returned", ("check_1", 2): "success",
        ("check_2", 1): "returned", ("check_2", 2): "success", ("combine", 1): "success",
    }  # fmt: skip
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.left_out, run.retries_validation) == (6.0, 12, 1, 2)
    assert set(found.calls.depth) == {0}, "placed by code"
    phases = [json.loads(e.data)["phase"] for e in each(found.events) if e.type == "phase"]
    assert phases == ["Search", "Check", "Combine"]
    written = tokens_written(found)
    assert {purpose for agent, purpose in written if agent == "combine"} <= {"merge", "answer"}
    assert written["combine", "merge"] > written.get(("combine", "answer"), 0), "it restates what others found"


def test_review_with_a_finding_that_is_refuted_and_one_that_two_have_made(tmp_path: Path) -> None:
    words = ("topology=workflow", "topology.script=review")
    found = play(tmp_path, "workflow_review", *words, material=REVIEW)
    assert sorted((c.agent, c.started_s, c.ended_s) for c in each(found.calls)) == [
        ("review_agreements", 0.0, 1.0),
        ("review_agreements", 1.0, 2.0),
        ("review_edges", 0.0, 4.0),
        ("review_values", 0.0, 1.0),
        ("verify_edges", 4.0, 5.0),
        ("verify_values", 1.0, 3.0),  # without waiting for the other dimensions
        ("verify_values", 3.0, 4.0),
    ]
    (again,) = [e for e in errors(found) if e]
    assert "verdict" in again[0]
    answer = json.loads(found.runs.answer[0])
    assert [(e["draft"], e["verdict"], e["where"]) for e in answer if e["verdict"] == "defect"] == [
        ("D00-03", "defect", "def ranking(points, best_first=False):"),
        ("D00-04", "defect", "folder = tempfile.mkdtemp()"),
    ], "what was refuted is clean, and what two have found is one"
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.left_out, run.retries_validation) == (5.0, 7, 0, 1)
    assert found.events.type.tolist().count("agent_returned") == 5
