"""A worker's answer as JSON, strictly, and the entries in it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.delegation.checks.result import NoJson, Result, entries
from harness.delegation.checks.schemas import layout

from .json_values import JSON

ONE = {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}]',
        ' \n[{"a": 1}]\n',
        '```json\n[{"a": 1}]\n```',
        '```\n[{"a": 1}]\n```',
        '\n```JSON \n[{"a": 1}]\n ```\n',
    ],
)
def test_json_and_a_fence_around_it(text: str) -> None:
    assert Result.of(text).plain == [{"a": 1}]


def test_numbers_keep_their_spelling() -> None:
    found = Result.of('{"a": 12.50, "b": 3, "c": 1.5e3}')
    assert str(found.exact["a"]) == "12.50"
    assert found.exact == {"a": Decimal("12.50"), "b": 3, "c": Decimal(1500)}
    assert found.plain == {"a": 12.5, "b": 3, "c": 1500.0}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is empty"),
        ("```json\n```", "JSON value and nothing else"),
        ("Here is the result:\n[1]", "there is other text before it"),
        ("[1]\nI hope this helps.", "there is more after its end, at line 2 column 1"),
        ("[1] [2]", "there is more after its end"),
        ("```json\n[1]\n``` Done.", "nothing else"),
        ("no JSON at all", "Expecting value at line 1 column 1"),
        ("[1, 2", "Expecting ',' delimiter at line 1 column 6"),
        ("{'a': 1}", "Expecting property name"),
        ("[NaN]", "NaN is no JSON value"),
        ("[-Infinity]", "-Infinity is no JSON value"),
        ("1e999", "than numbers can be"),
        ("1e-999", "than numbers can be"),
        ("0." + "1" * 500, "than numbers can be"),
        ("9" * 5_000, "longer than numbers can be"),
        ("[" * 60 + "]" * 60, "50 levels deep"),
        ("[" * 100_000, "50 levels deep"),
        ('"' + "a" * 200_001 + '"', "the most is 200,000"),
    ],
)
def test_what_is_refused_and_why(text: str, says: str) -> None:
    with pytest.raises(NoJson) as refused:
        Result.of(text)
    assert says in str(refused.value)
    assert len(str(refused.value)) < 250


@settings(deadline=None)
@given(JSON)
def test_any_json_is_read(value: Any) -> None:
    assert Result.of(json.dumps(value)).plain == value
    assert Result.of(f"```json\n{json.dumps(value, ensure_ascii=False)}\n```").plain == value


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        Result.of(text)
    except NoJson as refused:
        assert str(refused)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([ONE, ONE], [ONE, ONE]),
        ([1, "a"], [1, "a"]),
        ([], []),
        (ONE, [ONE]),
        ("text", ["text"]),
        (None, [None]),
        ({"title": "t", "rows": [ONE, ONE]}, [ONE, ONE]),
        ({"rows": []}, []),
        ({"rows": [1, 2]}, [1, 2]),
        ({"a": "x", "tags": ["t"]}, [{"a": "x", "tags": ["t"]}]),
        ({"a": "x", "tags": []}, [{"a": "x", "tags": []}]),
        ({"rows": [ONE], "more": [ONE]}, [{"rows": [ONE], "more": [ONE]}]),
    ],
)
def test_entries_without_a_schema(value: Any, expected: list[Any]) -> None:
    assert entries(value, layout(None)) == expected


def test_a_schema_decides_where_entries_are() -> None:
    entry = {"type": "object"}
    holder = {"type": "object", "properties": {"t": {"type": "string"}, "rows": {"type": "array", "items": entry}}}
    assert entries({"t": "x", "rows": []}, layout(holder)) == []
    assert entries({"t": "x"}, layout(holder)) == []
    assert entries({"t": "x", "rows": [ONE], "other": [ONE]}, layout(holder)) == [ONE]
    assert entries({"tags": [ONE]}, layout(entry)) == [{"tags": [ONE]}]
    assert entries([], layout({"type": "array"})) == []
