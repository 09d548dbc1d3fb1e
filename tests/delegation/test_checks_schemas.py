"""What is an output schema, its short form, and where it says that entries are."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from harness.delegation.checks.conformity import fits, schema_errors
from harness.delegation.checks.schemas import check_schema, depth, layout, normalised

from .json_values import JSON

STRING = {"type": "string"}
MAYBE = {"type": ["string", "null"]}
ENTRY = {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False}


def short(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            {"type": "array", "items": {"month": "string", "amount": "number"}},
            {"type": "array", "items": short(month=MAYBE, amount={"type": ["number", "null"]})},
        ),
        ({"month": "string"}, short(month=MAYBE)),
        ({"title": "string"}, short(title=MAYBE)),
        ({"type": "object", "month": "string|null"}, short(month=MAYBE)),
        ({"month": "string?"}, short(month=MAYBE)),
        ({"x": "string | integer"}, short(x={"type": ["string", "integer", "null"]})),
        ([{"q": "string"}], {"type": "array", "items": short(q=MAYBE)}),
        (["string"], {"type": "array", "items": STRING}),
        ("string", STRING),
        ({"rows": [{"a": "string"}]}, short(rows={"type": "array", "items": short(a=MAYBE)})),
        ({"a": STRING, "b": "string"}, short(a=STRING, b=MAYBE)),
        ({"type": "object", "properties": {"a": "string"}}, {"type": "object", "properties": {"a": MAYBE}}),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "$id": "x", **ENTRY}, ENTRY),
    ],
)
def test_the_short_form_is_written_out(written: Any, meant: dict[str, Any]) -> None:
    assert normalised(written) == meant
    assert normalised(meant) == meant
    assert check_schema(written) is None


@pytest.mark.parametrize(
    "schema",
    [
        {},
        STRING,
        {"type": "string", "title": "string"},
        {"type": "array", "items": ENTRY, "minItems": 1, "maxItems": 12, "uniqueItems": True},
        {"anyOf": [STRING, {"type": "null"}]},
        {"type": "object", "properties": {"pattern": STRING, "$ref": STRING}},
        {"type": "array", "items": {"$ref": "#/$defs/entry"}, "$defs": {"entry": ENTRY}},
        {"enum": ["a", 1, None]},
    ],
)
def test_a_schema_stays_as_it_is(schema: dict[str, Any]) -> None:
    assert normalised(schema) == schema
    assert check_schema(schema) is None


def chain(n: int) -> dict[str, Any]:
    """Each definition refers to the next one twice: 2^n schemas."""
    pair = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(n)}
    return {"$ref": "#/$defs/d0", "$defs": {**pair, f"d{n}": STRING}}


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = STRING
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (5, "5 is no JSON schema"),
        (None, "null is no JSON schema"),
        ([STRING, STRING], "is no JSON schema"),
        ("words", '"words" is no JSON schema'),
        ({"type": "strin"}, "type: 'strin' is not valid"),
        ({"type": "array", "items": "things"}, "items: 'things' is not of type"),
        ({"type": "array", "minItems": -1}, "minItems: -1 is less than the minimum"),
        ({"type": "object", "requried": ["a"]}, "unknown keyword 'requried'"),
        ({"type": "object", "properties": {"a": {"typ": "string", "minLength": 1}}}, "unknown keyword 'typ'"),
        ({"type": "string", "nullable": True}, "unknown keyword 'nullable'"),
        ({"type": "object", "patternProperties": {"a": STRING}}, "unknown keyword 'patternProperties'"),
        ({"$ref": "https://example.org/schema.json"}, "leads nowhere"),
        ({"$ref": "#"}, "leads nowhere"),
        ({"$ref": "#/$defs/a"}, "leads nowhere"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "leads back to itself"),
        (chain(12), "too many others"),
        ({"allOf": [chain(0)["$defs"]["d0"]] * 600, "$defs": {}}, "characters"),
        ({"type": "string", "pattern": "(a"}, "does not compile"),
        ({"type": "string", "pattern": r"(a)\1"}, "back-references"),
        ({"type": "string", "pattern": 5}, "pattern: 5 is not of type 'string'"),
        (nested(40), "30 levels deep"),
        (nested(4_000), "30 levels deep"),
        ({"type": "number", "minimum": float("nan")}, "is not JSON"),
        ({"description": "x" * 9_000}, "characters, the most is 8,000"),
    ],
)
def test_what_is_no_schema(schema: Any, says: str) -> None:
    fault = check_schema(schema)
    assert fault is not None
    assert says in fault
    assert len(fault) < 500


def test_references_are_counted_as_often_as_they_lead() -> None:
    assert check_schema(chain(3)) is None
    wide = {"allOf": [{"$ref": "#/$defs/a"}] * 40, "$defs": {"a": {"allOf": [{"type": "string"}] * 40}}}
    assert "more than 1,000 schemas" in str(check_schema(wide))


@settings(deadline=None)
@given(JSON | st.dictionaries(st.sampled_from(["type", "items", "properties", "$ref", "enum", "pattern"]), JSON))
def test_any_value_is_a_schema_or_has_a_fault(value: Any) -> None:
    made = normalised(value)
    if check_schema(value) is None:
        Draft202012Validator.check_schema(made)
        assert normalised(made) == made
        layout(made)


@settings(deadline=None)
@given(JSON, st.sampled_from([STRING, ENTRY, {"type": "array", "items": ENTRY}, {"multipleOf": 0.1}, {"enum": [1]}]))
def test_errors_are_those_of_the_draft(value: Any, schema: dict[str, Any]) -> None:
    assert fits(value, schema) == Draft202012Validator(schema).is_valid(value)


def test_errors_name_the_entry() -> None:
    schema = {"type": "array", "items": {**ENTRY, "required": ["a", "clause_ref"], "additionalProperties": True}}
    assert schema_errors([{"a": "x", "clause_ref": "y"}, {"a": 5}], schema) == [
        "entry 2, a: 5 is not of type 'string'",
        "entry 2: 'clause_ref' is a required property",
    ]
    assert schema_errors({}, schema) == ["{} is not of type 'array'"]


def test_errors_are_cut_and_counted() -> None:
    found = schema_errors(["x" * 9_000] * 50, {"type": "array", "items": {"type": "number"}})
    assert len(found) == 21
    assert found[-1] == "… and 30 more"
    assert found[0].endswith("is not of type 'number'")
    assert all(len(e) < 320 for e in found)


def test_patterns_of_a_schema_cannot_blow_up() -> None:
    schema = {"type": "string", "pattern": "^(a+)+$"}
    assert fits("a" * 900, schema)
    assert not fits("a" * 900 + "b", schema)
    assert "too many to match a pattern" in schema_errors("a" * 1_001, schema)[0]
    assert fits(5, {"pattern": "a"})


@pytest.mark.parametrize(
    ("schema", "kind", "member", "entry"),
    [
        (None, "unknown", None, {}),
        ({}, "unknown", None, {}),
        ({"type": ["array", "object"]}, "unknown", None, {}),
        ({"type": "array"}, "list", None, {}),
        ({"type": "array", "items": ENTRY}, "list", None, ENTRY),
        ({"type": "array", "prefixItems": [STRING], "items": ENTRY}, "list", None, {}),
        ({"type": "array", "items": {"$ref": "#/$defs/e"}, "$defs": {"e": ENTRY}}, "list", None, ENTRY),
        ({"type": "string"}, "one", None, STRING),
        (ENTRY, "one", None, ENTRY),
        (short(title=STRING, rows={"type": "array", "items": ENTRY}), "list", "rows", ENTRY),
    ],
)
def test_where_the_entries_are(schema: Any, kind: str, member: str | None, entry: dict[str, Any]) -> None:
    found = layout(schema)
    assert (found.kind, found.member, found.entry) == (kind, member, entry)


def test_two_lists_of_objects_make_one_entry() -> None:
    rows = {"type": "array", "items": ENTRY}
    assert layout(short(rows=rows, more=rows)).kind == "one"


@pytest.mark.parametrize(("value", "levels"), [(1, 0), ([], 1), ({"a": [[]]}, 3), ([1, {"a": 2}], 2)])
def test_depth(value: Any, levels: int) -> None:
    assert depth(value) == levels
