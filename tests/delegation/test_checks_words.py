"""What a worker reads of a criterion, for every check of the registry."""

from __future__ import annotations

from typing import Any

import pytest

from harness.delegation.checks.registry import CHECKS, parse

WORDS: dict[str, tuple[dict[str, Any], str]] = {
    "count": ({"min": 2, "max": 5}, "the result: must have 2 to 5 entries"),
    "required": ({"field": "a"}, "a: must be there and not empty (null is allowed)"),
    "unique": ({"field": "问题"}, "问题: must not come twice"),
    "range": ({"field": "a", "max": 0.5}, "a: must be at most 0.5"),
    "decimals": ({"field": "a", "decimals": 2}, "a: must have exactly 2 decimal places"),
    "unit": ({"field": "a", "unit": "万元"}, "a: must carry the unit 万元"),
    "regex": ({"field": "a", "pattern": r"\d{4}"}, r"a: must match \d{4} as a whole"),
    "one_of": ({"field": "a", "values": ["x", "{y}"]}, "a: must be one of x, {y}"),
    "max_chars": ({"field": "a", "max": 9}, "a: must have at most 9 characters"),
    "coverage": ({"field": "month", "values": ["1", "2"]}, "month: must have an entry for each of 1, 2"),
    "sum": ({"field": "a", "by": "total"}, "a: must add up to the last entry's total"),
    "quote_in_source": (
        {"field": "a", "by": "ref"},
        "a: must stand word for word somewhere in the input that ref names",
    ),
    "names_source": ({"field": "ref"}, "ref: must name one of the inputs"),
}


def test_every_check_is_here() -> None:
    assert set(WORDS) == set(CHECKS)


@pytest.mark.parametrize("check", WORDS)
def test_in_words(check: str) -> None:
    parameters, words = WORDS[check]
    parse({"check": check, **parameters})
    assert CHECKS[check].words(parameters) == words


def test_without_a_field_the_entries_themselves_are_meant() -> None:
    assert CHECKS["range"].words({"min": 1}) == "each entry: must be at least 1"
    assert CHECKS["sum"].words({"value": 100}) == "the entries: must add up to 100"
