"""The validation ring: three steps, each taken only when the one before passed, and errors that say what to mend."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.agents.tools import Arguments, Tool, ToolFailed
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.registry import parse
from harness.delegation.materials import Materials
from harness.delegation.order import TaskOrder
from harness.delegation.ring import MOST_FEEDBACK, Verdict, bounded, judge
from harness.errors import ConfigError

from .json_values import JSON

TEXTS = {"names.txt": "Names are bound by PEP 484.\nThe fee is 340.00 万元.", "合同.md": "第3条 付款条款：30日内付款。"}
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "answer": {"type": ["string", "null"]},
            "clause_ref": {"type": ["string", "null"]},
        },
        "required": ["question", "answer", "clause_ref"],
        "additionalProperties": False,
    },
}
COUNT: dict[str, Any] = {"check": "count", "min": 2}
SHORT: dict[str, Any] = {"check": "max_chars", "field": "answer", "max": 20}
QUOTE: dict[str, Any] = {"check": "quote_in_source", "field": "answer", "by": "clause_ref"}


def materials() -> Materials:
    async def read(arguments: Arguments) -> str:
        name = arguments["name"]
        if name not in TEXTS:
            raise ToolFailed(f"there is no {name}.")
        return TEXTS[name]

    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return Materials([Tool("read", "Reads.", schema, frozenset({"read"}), read, reference="name")])


def verdict(text: str, *raw: dict[str, Any], schema: Any = None, refs: tuple[str, ...] = tuple(TEXTS)) -> Verdict:
    criteria = tuple(c for c in map(parse, raw) if isinstance(c, Criterion))
    order = TaskOrder("s1", "Find the answers.", refs, output_schema=schema, acceptance_criteria=criteria)
    return asyncio.run(judge(order, text, materials()))


def entry(question: str, answer: str | None, clause_ref: str | None) -> dict[str, Any]:
    return {"question": question, "answer": answer, "clause_ref": clause_ref}


RIGHT = [entry("Which PEP?", "PEP 484", "names.txt §1"), entry("何时付款？", "30日内付款", "合同.md §1")]


def test_what_is_right_passes_all_steps() -> None:
    for text in (json.dumps(RIGHT), f"```json\n{json.dumps(RIGHT, ensure_ascii=False, indent=1)}\n```"):
        found = verdict(text, COUNT, SHORT, QUOTE, schema=SCHEMA)
        assert found == Verdict((), None)
        assert found.passed


def test_null_instead_of_a_guess_passes() -> None:
    assert verdict(json.dumps([entry("Q", None, None)] * 2), COUNT, SHORT, QUOTE, schema=SCHEMA).passed


def test_the_schema_comes_first() -> None:
    """The answer is too long, and in no material either: neither is looked at yet."""
    text = json.dumps([{"question": "Q", "answer": "x" * 30}])
    assert verdict(text, COUNT, SHORT, QUOTE, schema=SCHEMA).errors == ("entry 1: 'clause_ref' is a required property",)


def test_then_the_checks_within_the_result_all_of_them() -> None:
    found = verdict(json.dumps([entry("Q", "x" * 30, "names.txt")]), COUNT, SHORT, QUOTE, schema=SCHEMA)
    assert found.errors == (
        "entries: 1, at least 2 are asked for",
        f'entry 1 ("Q"): answer "{"x" * 30}" has 30 characters, at most 20 are allowed',
    )


def test_then_the_material() -> None:
    swapped = [entry("Which PEP?", "PEP 484", "合同.md §1"), entry("何时付款？", "60日内付款", "合同.md §1")]
    assert verdict(json.dumps(swapped), COUNT, SHORT, QUOTE, schema=SCHEMA).errors == (
        'entry 1 ("Which PEP?"): answer "PEP 484" does not stand in 合同.md',
        'entry 2 ("何时付款？"): answer "60日内付款" does not stand in 合同.md',
    )


def test_the_example_of_the_seed_document() -> None:
    """003, sections 2.1 and 2.3: two months missing, and one amount without two decimals, said just so."""
    schema = {"type": "array", "items": {"month": "string", "amount": "string"}}
    rows = [{"month": str(n), "amount": "10.00 万元"} for n in range(1, 13) if n not in (3, 4)]
    rows[2]["amount"] = "10.5 万元"
    criteria: list[dict[str, Any]] = [
        {"check": "coverage", "field": "month", "values": [str(n) for n in range(1, 13)]},
        {"check": "decimals", "field": "amount", "decimals": 2},
        {"check": "unit", "field": "amount", "unit": "万元"},
    ]
    assert verdict(json.dumps(rows), *criteria, schema=schema).errors == (
        'no entry has the month "3": add one, with null for what is not known',
        'no entry has the month "4": add one, with null for what is not known',
        'entry 3 ("5"): amount "10.5 万元" has 1 decimal places, not 2',
    )
    rows[2]["amount"] = "10.50 万元"
    missing: list[dict[str, Any]] = [{"month": n, "amount": None} for n in ("3", "4")]
    assert verdict(json.dumps([*rows, *missing]), *criteria, schema=schema).passed


def test_decimals_of_json_numbers_are_those_written() -> None:
    two = {"check": "decimals", "field": "x", "decimals": 2}
    assert verdict('[{"x": 12.50}]', two).passed
    assert verdict('[{"x": 12.5}]', two).errors == ("entry 1: x 12.5 has 1 decimal places, not 2",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("BLOCKED: names.txt is empty", "names.txt is empty"), (" \nBLOCKED:\n no such file ", "no such file")],
)
def test_a_blocker_is_no_error(text: str, reason: str) -> None:
    found = verdict(text, COUNT, QUOTE, schema=SCHEMA)
    assert found == Verdict((), reason)
    assert not found.passed


def test_prose_around_json_is_an_error_that_says_so() -> None:
    (error,) = verdict(f"Here you are:\n{json.dumps(RIGHT)}", schema=SCHEMA).errors
    assert "one JSON value and nothing else" in error
    assert "other text before it" in error
    (error,) = verdict(f"{json.dumps(RIGHT)}\nI hope this helps.", schema=SCHEMA).errors
    assert "more after its end" in error


def test_without_a_schema_prose_is_looked_at_as_a_whole() -> None:
    assert verdict("PEP 484").passed
    assert verdict("PEP 484", {"check": "quote_in_source"}, {"check": "max_chars", "max": 10}).passed
    assert verdict("PEP 484 it is", {"check": "max_chars", "max": 10}).errors == (
        'entry 1 ("PEP 484 it is"): "PEP 484 it is" has 13 characters, at most 10 are allowed',
    )
    assert verdict("5", {"check": "range", "max": 4}).errors == ("entry 1: 5 is above 4",)


@pytest.mark.parametrize(
    ("text", "passed"), [("PEP 484", True), ('"PEP 484"', True), ("1984", True), ("PEP 4840", False), ("null", False)]
)
def test_a_schema_of_a_text_takes_prose(text: str, passed: bool) -> None:
    """A worker that is asked for a text need not put it in quotation marks."""
    pattern = {"check": "regex", "pattern": r"(PEP )?\d{3,4}"}
    short = {"check": "max_chars", "max": 7}
    assert verdict(text, pattern, short, schema={"type": "string"}).passed is passed


def test_a_list_of_texts_takes_none() -> None:
    assert not verdict("PEP 484", schema={"type": "array", "items": {"type": "string"}}).passed
    assert verdict("null", schema={"type": ["string", "null"]}).passed


@pytest.mark.parametrize("criterion", [COUNT, SHORT, {"check": "coverage", "values": ["a"]}, {"check": "unique"}])
def test_without_a_schema_entries_and_fields_need_json(criterion: dict[str, Any]) -> None:
    (error,) = verdict("There are two.", criterion).errors
    assert "one JSON value" in error


def test_material_that_cannot_be_read_is_said_to_be_so() -> None:
    text = json.dumps([entry("Q", "PEP 484", "lost.txt")])
    (error,) = verdict(text, QUOTE, schema=SCHEMA, refs=("lost.txt",)).errors
    assert error.endswith("cannot be looked up: lost.txt cannot be read")
    (error,) = verdict("PEP 484", {"check": "quote_in_source"}, refs=()).errors
    assert error.endswith("cannot be looked up: (no material) cannot be read")


def test_only_named_material_counts() -> None:
    """PEP 484 stands in names.txt, which the order does not name."""
    (error,) = verdict("PEP 484", {"check": "quote_in_source"}, refs=("合同.md",)).errors
    assert error.endswith("does not stand in 合同.md")


def test_an_error_is_told_once() -> None:
    """Two checks of one field that is not there."""
    found = verdict(
        '[{"a": 1}]', {"check": "range", "field": "x", "min": 0}, {"check": "max_chars", "field": "x", "max": 9}
    )
    assert found.errors == ('entry 1: there is no field "x"',)


def test_feedback_is_bounded() -> None:
    many = verdict(json.dumps(["y" * 300 + str(n) for n in range(500)]), {"check": "max_chars", "max": 1})
    assert sum(map(len, many.errors)) <= MOST_FEEDBACK
    assert many.errors[-1].startswith("… and ")


@settings(deadline=None)
@given(st.lists(st.text(max_size=300), max_size=60))
def test_bounded_keeps_the_first_errors_and_counts_the_rest(errors: list[str]) -> None:
    distinct = list(dict.fromkeys(errors))
    kept = bounded(errors)
    assert sum(map(len, kept)) <= MOST_FEEDBACK
    if list(kept) != distinct:
        assert list(kept[:-1]) == distinct[: len(kept) - 1]
        assert kept[-1] == f"… and {len(distinct) - len(kept) + 1} more errors"


def test_one_endless_error_is_cut() -> None:
    assert sum(map(len, bounded(["x" * 9_000]))) == MOST_FEEDBACK


def test_a_check_outside_the_registry_is_a_fault_of_the_code_that_made_it() -> None:
    order = TaskOrder("s1", "Do.", acceptance_criteria=(Criterion("spelling", {}),))
    with pytest.raises(ConfigError, match="unknown check 'spelling'"):
        asyncio.run(judge(order, "text", materials()))


SOME = [COUNT, SHORT, QUOTE, {"check": "unique", "field": "answer"}, {"check": "sum", "field": "a", "by": "b"}]


@settings(deadline=None)
@given(JSON.map(json.dumps) | st.text(max_size=40), st.sampled_from([None, SCHEMA, {"type": "object"}]))
def test_any_text_has_a_verdict(text: str, schema: Any) -> None:
    found = verdict(text, *SOME, schema=schema)
    assert all(found.errors)
    assert sum(map(len, found.errors)) <= MOST_FEEDBACK


def test_null_marks_a_gap_whatever_the_schema_says_of_a_field() -> None:
    """003, section 2.1: null instead of a guess. A lead that writes {"type": "string"} has not thought of gaps."""
    text = {"type": "string"}
    fields = {"question": text, "answer": {"type": "string", "minLength": 1}, "kind": {"enum": ["a", "b"]}}
    entry = {"type": "object", "properties": fields, "required": ["question", "answer"], "additionalProperties": False}
    asked = TaskOrder("s", "o", output_schema={"type": "array", "items": entry})
    gap = '[{"question": "Q", "answer": null, "kind": null}]'
    assert asyncio.run(judge(asked, gap, Materials(()))).errors == ()
    for wrong in ("null", "[null]", '[{"question": "Q"}]', '[{"question": 1, "answer": null}]'):
        assert asyncio.run(judge(asked, wrong, Materials(()))).errors, wrong
