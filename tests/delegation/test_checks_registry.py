"""The registry is closed, and what a lead writes is a criterion, free text, or refused in one sentence."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.accounting.purposes import Purpose
from harness.accounting.tokens import count_tokens
from harness.agents.offer import Offer
from harness.agents.rendering import render_tool
from harness.agents.tools import Arguments, Tool
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.registry import CHECKS, CriterionRefused, criteria_schema, parse

from .json_values import JSON

NAMES = [
    "count", "required", "unique", "range", "decimals", "unit", "regex", "one_of", "max_chars", "coverage", "sum",
    "quote_in_source", "names_source",
]  # fmt: skip
RIGHT: list[dict[str, Any]] = [
    {"check": "count", "min": 1, "max": 5},
    {"check": "count", "min": 2.0},
    {"check": "required", "field": "a"},
    {"check": "unique"},
    {"check": "unique", "field": "a"},
    {"check": "range", "field": "a", "min": -1.5},
    {"check": "range", "max": 0},
    {"check": "decimals", "field": "a", "decimals": 2},
    {"check": "unit", "field": "a", "unit": "万元"},
    {"check": "regex", "field": "a", "pattern": r"PEP \d+"},
    {"check": "one_of", "field": "a", "values": ["x", 1, True]},
    {"check": "max_chars", "field": "a", "max": 120},
    {"check": "coverage", "field": "a", "values": [str(n) for n in range(1, 13)]},
    {"check": "sum", "field": "a", "value": 100},
    {"check": "sum", "field": "a", "by": "b"},
    {"check": "quote_in_source", "field": "a", "by": "b"},
    {"check": "quote_in_source"},
    {"check": "names_source", "field": "a"},
]


def test_the_registry_is_closed() -> None:
    assert list(CHECKS) == NAMES
    with pytest.raises(TypeError):
        CHECKS["more"] = CHECKS["count"]  # type: ignore[index]


@pytest.mark.parametrize("raw", RIGHT)
def test_a_criterion_comes_back_as_it_was_written(raw: dict[str, Any]) -> None:
    made = parse(raw)
    assert isinstance(made, Criterion)
    assert made.as_json() == raw
    assert json.loads(str(made)) == raw


def test_a_null_parameter_is_as_good_as_not_there() -> None:
    assert parse({"check": "count", "min": 1, "max": None, "field": None}) == Criterion("count", {"min": 1})


@pytest.mark.parametrize(
    "raw", ["be brief", " be brief ", {"check": "text", "text": "be brief"}, {"text": "be brief", "field": None}]
)
def test_free_text(raw: Any) -> None:
    assert parse(raw) == "be brief"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (5, "must be an object with a check"),
        ("  ", "must be an object with a check"),
        ({}, "unknown check 'None'"),
        ({"check": "lenght"}, "unknown check 'lenght'"),
        ({"check": "counts"}, "Did you mean 'count'?"),
        ({"check": ["count"]}, "unknown check"),
        ({"check": "text"}, "free text is"),
        ({"check": "text", "text": "x", "min": 1}, "free text is"),
        ({"check": "count"}, "count: 'min or max' is missing. count takes min, max."),
        ({"check": "count", "min": 5, "max": 3}, "count: min 5 is above max 3."),
        ({"check": "count", "min": -1}, "count: min -1 must be a whole number from 0."),
        ({"check": "count", "min": 1.5}, "must be a whole number from 0"),
        ({"check": "count", "min": True}, "count: min true: must be a number."),
        ({"check": "count", "min": "5"}, 'count: min "5": must be a number.'),
        ({"check": "count", "min": 1, "field": "a"}, "count: unknown parameter 'field'. count takes min, max."),
        ({"check": "required"}, "required: 'field' is missing"),
        ({"check": "required", "field": " "}, "must be a text that is not empty"),
        ({"check": "range", "field": "a", "min": float("nan")}, "must be a number"),
        ({"check": "range", "field": "a", "max": float("inf")}, "must be a number"),
        ({"check": "range", "field": "a", "max": 10**400}, "must be a number"),
        ({"check": "decimals", "field": "a", "decimals": -1}, "must be a whole number from 0 to 20"),
        ({"check": "decimals", "field": "a", "decimals": 1.5}, "must be a whole number from 0 to 20"),
        ({"check": "decimals", "field": "a", "decimals": 99}, "must be a whole number from 0 to 20"),
        ({"check": "regex", "field": "a", "pattern": "(a"}, "does not compile"),
        ({"check": "regex", "field": "a", "pattern": r"(a)\1"}, "back-references"),
        ({"check": "regex", "field": "a"}, "'pattern' is missing"),
        ({"check": "one_of", "field": "a", "values": []}, "must be a list of 1 to 1,000 texts or numbers"),
        ({"check": "one_of", "field": "a", "values": "ab"}, "must be a list"),
        ({"check": "coverage", "field": "a", "values": [["a"]]}, "must hold texts or numbers only"),
        ({"check": "coverage", "field": "a", "values": [None]}, "must hold texts or numbers only"),
        ({"check": "max_chars", "max": -5}, "must be a whole number from 0"),
        ({"check": "sum", "field": "a"}, "'value or by' is missing"),
        ({"check": "sum", "field": "a", "value": 1, "by": "b"}, "either value or by, not both"),
        ({"check": "sum", "by": "b"}, "'by' needs a 'field'"),
        ({"check": "quote_in_source", "field": "a", "by": 3}, "must be a text"),
    ],
)
def test_refused_in_one_sentence(raw: Any, says: str) -> None:
    with pytest.raises(CriterionRefused) as refused:
        parse(raw)
    assert says in str(refused.value)


def test_an_unknown_check_lists_the_valid_ones() -> None:
    with pytest.raises(CriterionRefused) as refused:
        parse({"check": "spelling"})
    assert all(name in str(refused.value) for name in (*NAMES, "text"))


@settings(deadline=None)
@given(JSON | st.dictionaries(st.sampled_from(["check", "field", "min", "max", "values", "pattern", "by"]), JSON))
def test_parse_raises_nothing_else(raw: Any) -> None:
    try:
        parse(raw)
    except CriterionRefused as refused:
        assert str(refused)


async def nothing(_: Arguments) -> str:
    return ""


def tool(criterion: dict[str, Any]) -> Tool:
    return Tool("x", "", {"type": "object", "properties": {"c": criterion}}, frozenset(), nothing)


def test_the_schema_is_small() -> None:
    """It is paid for in every call of a lead."""
    with_it, without = (count_tokens(render_tool(tool(c).schema())) for c in (criteria_schema(), {"type": "object"}))
    assert with_it - without <= 220


@pytest.mark.parametrize("raw", [*RIGHT, {"check": "text", "text": "be brief"}])
def test_what_is_right_fits_the_schema_of_the_tool(raw: dict[str, Any]) -> None:
    """Values are texts there: a number is the same as the text that spells it."""
    sent = {**raw, "values": [str(v) for v in raw["values"]]} if "values" in raw else raw
    assert Offer.of([], Purpose.TASK, "engine").fault(tool(criteria_schema()), {"c": sent}) is None


@pytest.mark.parametrize("raw", RIGHT)
@settings(deadline=None)
@given(result=JSON)
def test_no_check_raises_on_any_result(raw: dict[str, Any], result: Any) -> None:
    criterion = parse(raw)
    assert isinstance(criterion, Criterion)
    sources = {"names.txt": "PEP 484, 2.50 EUR", "lost.txt": None}
    entries = json.loads(json.dumps(result if isinstance(result, list) else [result]), parse_float=Decimal)
    for error in CHECKS[criterion.check].errors(criterion.parameters, entries, sources):
        assert error
        assert "\n" not in error
