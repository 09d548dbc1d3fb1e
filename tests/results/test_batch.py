"""Small parts are checked together, and what is found is the same as part by part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_builder import single, team

from results import validate
from results.batch import batches
from results.snapshot import take
from results.validate import check


@pytest.mark.parametrize(
    ("most_rows", "sizes"), [(1, [1, 1, 1]), (39, [1, 1, 1]), (40, [2, 1]), (59, [2, 1]), (60, [3])]
)
def test_parts_are_taken_together_up_to_the_bound_and_none_is_cut(fill: Any, most_rows: int, sizes: list[int]) -> None:
    for n in range(3):
        root = fill(team(sample=f"s{n}"))
    parts = take(root).parts
    (rows,) = {p.rows() for p in parts}
    found = list(batches(parts, most_rows * rows // 20))
    assert [len(b.parts) for b in found] == sizes
    assert [p for b in found for p in b.parts] == list(parts)


def wrong(root: Path) -> list[tuple[str, int, list[str]]]:
    return [(f.name, f.count, [str(v) for v in f.first]) for f in check(root).faults]


def test_parts_in_one_batch_are_as_far_apart_as_in_two(fill: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run stored in two parts is named twice, not added up; a row whose run is in another part has none."""
    lost = team(sample="b")
    lost.calls[0].run_id = lost.events[0].run_id = team(sample="a").run.run_id
    for made in (team(sample="a"), single(), lost, team(sample="a"), single(score=2.0)):
        root = fill(made)
    fill(team(sample="c", score=2.0), closed=False)
    report, together = check(root), wrong(root)
    assert (report.parts, report.runs) == (6, 4)
    monkeypatch.setattr(validate, "TOGETHER", 1)
    assert together == wrong(root)
    count = {name: n for name, n, _ in together}
    assert (count["call_has_run"], count["event_has_run"], count[validate.UNIQUE[0]]) == (1, 1, 2)
    assert "attempt_is_unique" not in count
    scores = next(first for name, _, first in together if name == "run_score")
    assert [text.partition(": ")[0].rpartition("/")[2] for text in scores] == [
        "exp-single-cell-00001.parquet",
        "exp-bus-cell-00003.jsonl",
    ]
