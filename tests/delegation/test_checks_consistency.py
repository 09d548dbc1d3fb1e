"""Checks within a result: right values stated by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from harness.delegation.checks.check import MOST_ERRORS
from harness.delegation.checks.registry import CHECKS


def errors(check: str, entries: Sequence[Any], **parameters: Any) -> list[str]:
    """The entries go through JSON text, as a worker's do."""
    assert CHECKS[check].refuse(parameters) is None
    return CHECKS[check].errors(parameters, json.loads(json.dumps(entries), parse_float=Decimal), {})


def written(text: str) -> Any:
    return json.loads(text, parse_float=Decimal)


MONTHS = [{"month": "1", "amount": 10}, {"month": "2", "amount": None}, {"month": "3", "amount": 30}]


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ({"min": 3}, []),
        ({"max": 3}, []),
        ({"min": 4}, ["entries: 3, at least 4 are asked for"]),
        ({"max": 2}, ["entries: 3, at most 2 are asked for"]),
    ],
)
def test_count(bounds: dict[str, int], expected: list[str]) -> None:
    assert errors("count", MONTHS, **bounds) == expected


def test_required_takes_null_and_not_nothing() -> None:
    entries = [{"q": "Who?", "ref": "§3"}, {"q": "When?", "ref": None}, {"q": "Where?", "ref": "  "}, {"q": "Why?"}]
    assert errors("required", entries, field="ref") == [
        'entry 3 ("Where?"): ref "" is empty: give a value, or null if there is none',
        'entry 4 ("Why?"): there is no field "ref"',
    ]


def test_unique_does_not_compare_nulls() -> None:
    entries = [{"id": 1}, {"id": None}, {"id": None}, {"id": 2}, {"id": 1.0}]
    assert errors("unique", entries, field="id") == ["entry 5: id 1.0 stands in entry 1 already"]
    assert errors("unique", ["a", "b", "a"]) == ['entry 3 ("a"): "a" stands in entry 1 already']
    assert errors("unique", [{"a": 1, "b": 2}, {"b": 2, "a": 1}]) == [
        'entry 2: {"b": 2, "a": 1} stands in entry 1 already'
    ]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (0, None),
        (1, None),
        ("0.5 kg", None),
        (None, None),
        (-0.001, "is below 0"),
        (1.0001, "is above 1"),
        ("1,200 元", "is above 1"),
        ("much", "is not one number"),
        (True, "is not one number"),
        ([1], "is not one number"),
    ],
)
def test_range(value: Any, says: str | None) -> None:
    found = errors("range", [{"x": value}], field="x", min=0, max=1)
    assert [says in e for e in found] == ([True] if says else [])


def test_a_tenth_is_not_above_a_tenth() -> None:
    assert CHECKS["range"].errors({"max": 0.1}, [Decimal("0.1")], {}) == []


@pytest.mark.parametrize(
    ("text", "places", "right"),
    [
        ("12.50", 2, True),
        ("12.5", 2, False),
        ("12", 0, True),
        ("12", 2, False),
        ('"12.50 EUR"', 2, True),
        ('"340.00万元"', 2, True),
        ('"340 万元"', 2, False),
        ("null", 2, True),
        ('"none"', 2, False),
        ("1.50e3", 0, True),
    ],
)
def test_decimals_count_places_as_written(text: str, places: int, right: bool) -> None:
    assert (CHECKS["decimals"].errors({"decimals": places}, [written(text)], {}) == []) is right


def test_decimals_say_what_is_there() -> None:
    entries = [{"month": "5", "amount": written("12.5")}]
    assert CHECKS["decimals"].errors({"field": "amount", "decimals": 2}, entries, {}) == [
        'entry 1 ("5"): amount 12.5 has 1 decimal places, not 2'
    ]


@pytest.mark.parametrize(
    ("value", "unit", "right"),
    [
        ("340 万元", "万元", True),
        ("340万元。", "万元", True),
        ("３４０　万元", "万元", True),
        ("340 元", "万元", False),
        ("340 万元", "元", False),
        ("12.50 EUR", "EUR", True),
        ("EUR 12.50", "EUR", True),
        ("5 km", "m", False),
        ("5 mW", "MW", False),
        ("5％", "%", True),
        ("12 m2", "m2", True),
        ("EUR", "EUR", False),
        (340, "万元", False),
        (None, "万元", True),
        (True, "万元", False),
    ],
)
def test_unit(value: Any, unit: str, right: bool) -> None:
    assert (errors("unit", [value], unit=unit) == []) is right


def test_regex_is_a_full_match() -> None:
    entries = [{"ref": "notes.txt §3"}, {"ref": "see notes.txt §3"}, {"ref": None}, {"ref": 3}, {"ref": ["§3"]}]
    found = errors("regex", entries, field="ref", pattern=r"[a-z]+\.txt §\d+|\d")
    assert found == [
        'entry 2 ("see notes.txt §3"): ref "see notes.txt §3" does not match [a-z]+\\.txt §\\d+|\\d',
        'entry 5: ref ["§3"] is not a text',
    ]
    (long,) = errors("regex", ["a" * 1001], pattern="a*")
    assert "1,001 characters, too many" in long


def test_one_of() -> None:
    assert errors("one_of", ["yes", "no", None], values=["yes", "no"]) == []
    assert errors("one_of", [{"m": 1}, {"m": "2"}], field="m", values=["1", 2]) == []
    assert errors("one_of", ["Yes"], values=["yes", "no"]) == ['entry 1 ("Yes"): "Yes" is none of "yes", "no"']


def test_max_chars_counts_characters() -> None:
    assert errors("max_chars", ["付款条款", None, "abcd", 1234], max=4) == []
    assert errors("max_chars", ["付款条款。"], max=4) == [
        'entry 1 ("付款条款。"): "付款条款。" has 5 characters, at most 4 are allowed'
    ]


def test_coverage_names_what_is_missing_and_takes_a_null_for_an_answer() -> None:
    assert errors("coverage", MONTHS, field="month", values=[1, 2, 3]) == []
    assert errors("coverage", MONTHS, field="month", values=["1", "4"]) == [
        'no entry has the month "4": add one, with null for what is not known'
    ]
    assert errors("coverage", ["a"], values=["a", "b"]) == [
        'there is no entry "b": add one, with null for what is not known'
    ]
    many = errors("coverage", [], field="m", values=list(range(50)))
    assert len(many) == 21
    assert many[-1] == "… and 1 more"


def test_sum_to_a_value() -> None:
    entries = [{"x": 0.1}, {"x": 0.2}, {"x": "1,000 EUR"}]
    assert errors("sum", entries, field="x", value=1000.3) == []
    assert errors("sum", entries, field="x", value=1000) == ["the sum of x is 1000.3, the value asked for is 1000"]
    assert errors("sum", [1, 2, 3], value=6) == []
    assert errors("sum", [], field="x", value=0) == []


def test_sum_to_the_total_in_the_last_entry() -> None:
    rows = [{"m": "1", "x": 10}, {"m": "2", "x": 20}]
    assert errors("sum", [*rows, {"m": "total", "x": 30}], field="x", by="x") == []
    assert errors("sum", [*rows, {"m": "total", "all": 30}], field="x", by="all") == []
    assert errors("sum", [*rows, {"m": "total", "x": 31}], field="x", by="x") == [
        "the sum of x is 30, the total in the last entry's x is 31"
    ]
    assert errors("sum", rows, field="x", by="all") == ['entry 2 ("2"): there is no field "all"']
    assert errors("sum", [], field="x", by="all") == ['there is no last entry to hold the total in "all"']


def test_nothing_is_known_of_a_sum_with_a_null_in_it() -> None:
    assert errors("sum", [{"x": 1}, {"x": None}], field="x", value=5) == []
    assert errors("sum", [{"x": 1}, {"x": None}], field="x", by="x") == []
    assert errors("sum", [{"x": 1}, {}], field="x", value=5) == ['entry 2: there is no field "x"']
    assert errors("sum", [{"x": "a lot"}], field="x", value=5) == ['entry 1 ("a lot"): x "a lot" is not one number']


@pytest.mark.parametrize(
    ("check", "parameters"),
    [
        ("unique", {}),
        ("range", {"min": 0}),
        ("decimals", {"decimals": 0}),
        ("unit", {"unit": "EUR"}),
        ("regex", {"pattern": ".*"}),
        ("one_of", {"values": ["a"]}),
        ("max_chars", {"max": 9}),
        ("required", {}),
    ],
)
def test_a_field_that_is_not_there_passes_no_check(check: str, parameters: dict[str, Any]) -> None:
    """Otherwise a misspelt field name would pass everything."""
    for entry in ({"other": 1}, "text", None):
        (error,) = errors(check, [entry], field="x", **parameters)
        assert error.endswith('there is no field "x"')


def test_errors_are_cut_and_counted() -> None:
    found = errors("max_chars", ["x" * 5_000] * 25, max=1)
    assert len(found) == MOST_ERRORS + 1
    assert found[-1] == "… and 5 more"
    assert all(len(e) < 600 for e in found)
