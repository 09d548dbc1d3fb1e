"""What the decision tree and the cost equation say of returns: figures worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_builder import Call, Read, record

from harness.records import RunRecord
from results.claims.picture import CellRows, Picture
from results.claims.returns import elsewhere, first_question, too_small
from results.frames import load

ONCE = [Call("solver", [Read("task", 80)], [("answer", 20, 0)])]


def run(cell: str, sample: str = "a", **values: Any) -> RunRecord:
    made = record(ONCE, topology="single", cell=cell, sample=sample, params=f'{{"cell": "{cell}"}}', simulated=True)
    for name, value in values.items():
        setattr(made.run, name, value)
    return made


def cells(root: Path, *names: str) -> dict[str, CellRows]:
    picture = Picture(load(root))
    found = {name: picture.find({"cell": name}) for name in names}
    return {name: rows for name, rows in found.items() if rows is not None}


def test_a_task_fits_if_its_material_and_its_longest_output_do(fill: Any) -> None:
    """100 tokens of window: material of 80 and an output of 20 fit, of 81 do not; nor does what the window ended."""
    window = {"window_tokens": 100}
    root = fill(
        run("x/single", "a", material_tokens=80, **window),
        run("x/single", "b", material_tokens=81, **window),
        run("y/single", "c", material_tokens=10, status="limit", limit="window_tokens: 120 is 20 over", **window),
        run("y/single", "d", material_tokens=10, status="limit", limit="run_calls: 3 is 1 over", **window),
    )
    found = first_question(cells(root, "x/single", "y/single"))
    assert (found.value, found.parts) == (50.0, {"x": 25.0, "y": 25.0})
    assert found.ledger == "2 of 4 samples of 2 suites; the largest needs 101 of 100 tokens"


ALONE = {"single": 0.5, "strong": 0.6, "resample": 0.55}


@pytest.mark.parametrize(
    ("suite", "score", "wall", "window", "value", "case"),
    [
        ("qa", 0.66, 10.0, 1_000, 1, "none of the three: bus on qa"),
        ("qa", 0.65, 10.0, 1_000, 0, "none of the three: no pair"),
        ("qa", 0.60, 5.0, 1_000, 0, "time saved: bus on qa"),
        ("qa", 0.54, 5.0, 1_000, 0, "time saved: no pair"),
        ("qa", 0.60, 5.1, 1_000, 0, "time saved: no pair"),
        ("qa", 0.90, 10.0, 50, 0, "window: bus on qa"),
        ("review", 0.90, 10.0, 1_000, 0, "risk avoided: bus on review"),
    ],
)
def test_where_a_team_pays(
    fill: Any, suite: str, score: float, wall: float, window: int, value: float, case: str
) -> None:
    same = {"material_tokens": 60, "window_tokens": window}
    root = fill(
        *(run(f"{suite}/{name}", score=s, wall_s=10.0, **same) for name, s in ALONE.items()),
        run(f"{suite}/bus", score=score, wall_s=wall, **same),
    )
    found = elsewhere(("bus",))(cells(root, *(f"{suite}/{name}" for name in (*ALONE, "bus"))))
    assert found is not None and found.value == value
    assert found.ledger.startswith("of 1 pairs pay by window: ") and case in found.ledger


def test_a_window_that_is_too_small(fill: Any) -> None:
    same = {"material_tokens": 60, "window_tokens": 50}
    scores = {**ALONE, "bus": 0.75, "sync": 0.7}
    root = fill(*(run(name, score=s, **same) for name, s in scores.items()))
    found = too_small(("bus", "sync"), tuple(ALONE))(cells(root, *scores))
    assert found is not None and found.value == pytest.approx(15.0)
    assert found.ledger == (
        "material of 60 tokens for a window of 50; scores: single 50, strong 60, resample 55, bus 75, sync 70"
    )
