"""Parts by their labels: how lines are found again, in answers and by the simulated model."""

from __future__ import annotations

import json

import pytest

from harness.models.oracle import Item
from tasks.common.labels import entries_by_label, label, place_of
from tasks.common.oracle import LabelOracle


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


def test_a_label_tells_its_place_and_nothing_else_has_one() -> None:
    assert all(place_of(label("b", s, p + 1), "b", 101, 12) == (s, p) for s in (0, 9, 10, 100) for p in (0, 9, 11))
    others = ("", "b", "b00-0", "b00-13", "b101-1", "c00-1", "b0-1", "b000-1", "b00-01", "b00-1 ", "b٠٠-1", "b00-1: x")
    assert not any(place_of(text, "b", 101, 12) for text in others)
    assert place_of(f"b{'1' * 5000}-1", "b", 101, 12) is None


def item(place: tuple[int, int]) -> Item:
    made.append(place)
    name = label("b", place[0], place[1] + 1)
    return Item(f"{name}: what?", (name,), {"line": name, "value": "x"}, ())


made: list[tuple[int, int]] = []


def oracle() -> LabelOracle[tuple[int, int]]:
    made.clear()
    return LabelOracle(lambda text: place_of(text, "b", 101, 2), item)


def test_an_item_is_made_when_a_line_names_it_and_once() -> None:
    known = oracle()
    for line, question in (
        ("b00-1: what?", "b00-1: what?"),
        ("3. b00-1: what? ", "b00-1: what?"),
        (" b00-1", "b00-1: what?"),
        ("- b00-2", "b00-2: what?"),
        ("b100-2: what?", "b100-2: what?"),
    ):
        found = known.lookup(line)
        assert found is not None and found.question == question
    assert made == [(0, 0), (0, 1), (100, 1)]


@pytest.mark.parametrize(
    "line", ["", "what?", "b00-3", "b00-1: which?", "b101-1: what?", "c00-1: what?", "b0-1: what?", "b000-1"]
)
def test_other_lines_are_nobodys(line: str) -> None:
    assert oracle().lookup(line) is None
