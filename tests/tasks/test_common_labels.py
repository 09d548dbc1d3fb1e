"""Parts by their labels: how lines are found again, in answers and by the simulated model."""

from __future__ import annotations

import json

import pytest

from harness.models.oracle import Item
from tasks.common.labels import LabelOracle, entries_by_label, label


def test_a_label_names_suite_sample_and_part() -> None:
    assert label("b", 3, 2) == "b03-2" and label("b", 1234, 10) == "b1234-10"


def test_entries_are_found_by_label_or_line_and_all_are_counted() -> None:
    answer = [
        {"line": "b03-2", "value": 1},
        {"line": " - B03-2: what?", "value": 2},
        {"line": "b03-20", "value": 3},
        {"line": 7},
        {"value": 4},
    ]
    found, count = entries_by_label(f"Here: {json.dumps(answer)}", "line", ["b03-1", "b03-2"])
    assert count == 5
    assert {k: [e["value"] for e in v] for k, v in found.items() if k in ("b03-1", "b03-2")} == {
        "b03-1": [],
        "b03-2": [1, 2],
    }


def items(number: int) -> list[Item]:
    made.append(number)
    lines = [f"{label('b', number, part)}: what?" for part in (1, 2)]
    return [Item(line, (line,), {"line": line.partition(":")[0], "value": "x"}, ()) for line in lines]


made: list[int] = []


def test_items_are_made_for_the_sample_that_a_line_names_and_once() -> None:
    made.clear()
    oracle = LabelOracle("b", 101, items)
    for line in ("b00-1: what?", "3. b00-1: what?", "b00-1", "- b00-2"):
        found = oracle.lookup(line)
        assert found is not None and found.question in ("b00-1: what?", "b00-2: what?")
    assert oracle.lookup("b100-2: what?") is not None
    assert made == [0, 100]


@pytest.mark.parametrize(
    "line", ["", "what?", "b00-3", "b00-1: which?", "b101-1: what?", "c00-1: what?", "b0-1: what?"]
)
def test_other_lines_are_nobodys(line: str) -> None:
    assert LabelOracle("b", 101, items).lookup(line) is None
