"""Hand-written transcripts drive the rivals too, on the material of ``test_transcripts.py``."""

from __future__ import annotations

from pathlib import Path

from .commands import each
from .test_transcripts import play, tokens_written, tries


def test_nested_with_all_that_can_come_between(tmp_path: Path) -> None:
    """Three layers: a refused order, a refused attempt to go deeper, and a blocker."""
    found = play(tmp_path, "nested", "topology=nested", "limits.max_depth=2")
    told = sorted((c.started_s, c.agent, c.depth, c.activity) for c in each(found.calls))
    assert told == [
        (0.0, "lead", 0, "answer"),
        (1.0, "lead", 0, "dispatch"),  # the second of two orders is refused
        (2.0, "middle_1", 1, "dispatch"),
        (3.0, "bottom_1_1", 2, "answer"),
        (3.0, "bottom_1_2", 2, "answer"),  # blocked
        (4.0, "bottom_1_1", 2, "dispatch"),  # refused: depth 3
        (5.0, "bottom_1_1", 2, "answer"),
        (6.0, "middle_1", 1, "answer"),  # one entry restates a result, the other is its own, and longer
        (7.0, "lead", 0, "dispatch"),
        (8.0, "middle_2", 1, "dispatch"),
        (9.0, "bottom_2_1", 2, "answer"),
        (10.0, "middle_2", 1, "merge"),
        (11.0, "lead", 0, "merge"),
    ]
    assert tries(found) == [
        ("middle_1", 1, "success", 5.0),
        ("bottom_1_1", 1, "success", 3.0),
        ("bottom_1_2", 1, "blocked", 1.0),
        ("middle_2", 1, "success", 3.0),
        ("bottom_2_1", 1, "success", 1.0),
    ]
    run = found.runs.iloc[0]
    assert (run.wall_s, run.calls, run.messages) == (12.0, 13, 0)
    assert (run.refused, run.depth_violations, run.retries_validation) == (2, 1, 0)
    assert ("bottom_1_1", "dispatch") in tokens_written(found), "the refused order was written and paid for"
