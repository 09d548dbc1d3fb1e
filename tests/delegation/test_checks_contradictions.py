"""What is reported as a contradiction is one; the usual ones are found."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.delegation.checks.conformity import fits
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.registry import CHECKS, contradictions, parse
from harness.delegation.checks.result import entries
from harness.delegation.checks.schemas import check_schema, layout, normalised


def criteria(*raw: dict[str, Any]) -> list[Criterion]:
    made = [parse(r) for r in raw]
    return [c for c in made if isinstance(c, Criterion)]


def rows(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "array",
        "items": {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False},
        **more,
    }


COUNT5 = {"check": "count", "min": 5}
COVERAGE = {"check": "coverage", "field": "m", "values": ["a", "b", "c", "d", "e"]}
FIELD = {"field": "x"}


@pytest.mark.parametrize(
    ("raw", "schema", "says"),
    [
        ([COUNT5, {"check": "count", "max": 3}], None, "at least 5 entries"),
        ([COUNT5], {"type": "array", "maxItems": 3}, '"maxItems": 3 of the output schema allows at most 3'),
        ([{"check": "count", "max": 2}], {"type": "array", "minItems": 3}, '"minItems": 3 of the output schema needs'),
        ([COUNT5], {"type": "object", "properties": {"a": {"type": "string"}}}, "allows at most 1"),
        ([COUNT5], {"type": "string"}, "allows at most 1"),
        ([COVERAGE, {"check": "count", "max": 3}], None, "needs at least 5 entries"),
        (
            [COVERAGE, {"check": "coverage", "field": "m", "values": ["e", "f"]}, {"check": "count", "max": 5}],
            None,
            "needs at least 6 entries",
        ),
        (
            [{"check": "range", **FIELD, "min": 0, "max": 1}, {"check": "range", **FIELD, "min": 5, "max": 9}],
            None,
            "both",
        ),
        ([{"check": "decimals", **FIELD, "decimals": 2}, {"check": "decimals", **FIELD, "decimals": 0}], None, "both"),
        ([{"check": "unit", **FIELD, "unit": "元"}, {"check": "unit", **FIELD, "unit": "万元"}], None, "both"),
        ([{"check": "sum", **FIELD, "value": 1}, {"check": "sum", **FIELD, "value": 2}], None, "both"),
        (
            [{"check": "one_of", **FIELD, "values": ["a", "b"]}, {"check": "one_of", **FIELD, "values": ["c"]}],
            None,
            'asks for "a", which',
        ),
        ([{"check": "one_of", **FIELD, "values": ["a"]}, {"check": "range", **FIELD, "min": 0}], None, 'asks for "a"'),
        ([{"check": "one_of", **FIELD, "values": [7]}, {"check": "range", **FIELD, "max": 5}], None, "asks for 7"),
        ([COVERAGE, {"check": "one_of", "field": "m", "values": ["a", "b"]}], None, 'asks for "c"'),
        ([COVERAGE, {"check": "regex", "field": "m", "pattern": "[a-d]"}], None, 'asks for "e"'),
        ([COVERAGE, {"check": "unit", "field": "m", "unit": "kg"}], None, 'asks for "a"'),
        ([{"check": "coverage", **FIELD, "values": ["ab"]}, {"check": "max_chars", **FIELD, "max": 1}], None, '"ab"'),
        ([COVERAGE], rows({"m": {"enum": ["a", "b"]}}), 'asks for "c", which the output schema refuses'),
        ([{"check": "one_of", **FIELD, "values": ["a"]}], rows({"x": {"type": "number"}}), "schema refuses"),
        (
            [{"check": "required", "field": "y"}],
            rows({"x": {}}),
            'the field "y", which the output schema does not allow',
        ),
        ([{"check": "quote_in_source", **FIELD, "by": "y"}], rows({"x": {}}), 'the field "y"'),
        ([{"check": "required", "field": "y"}], {"type": "array", "items": {"type": "string"}}, "have no fields"),
        ([{"check": "range", "min": 0}], rows({"x": {}}), "names no field"),
        (
            [{"check": "unit", **FIELD, "unit": "kg"}],
            rows({"x": {"type": ["number", "null"]}}),
            "needs a text with a unit",
        ),
        ([{"check": "range", **FIELD, "min": 0}], rows({"x": {"type": "boolean"}}), "needs a text or number"),
    ],
)
def test_found(raw: list[dict[str, Any]], schema: dict[str, Any] | None, says: str) -> None:
    assert schema is None or check_schema(schema) is None
    found = contradictions(criteria(*raw), schema)
    assert len(found) >= 1
    assert says in found[0]


def test_a_sentence_names_both() -> None:
    assert contradictions(criteria(COUNT5, {"check": "count", "max": 3}), None) == [
        '{"check": "count", "min": 5} needs at least 5 entries, {"check": "count", "max": 3} allows at most 3.'
    ]


@pytest.mark.parametrize(
    ("raw", "schema"),
    [
        ([COUNT5, {"check": "count", "max": 5}], {"type": "array", "minItems": 5, "maxItems": 5}),
        ([COVERAGE, {"check": "count", "max": 5}, {"check": "unique", "field": "m"}], None),
        ([{"check": "range", **FIELD, "min": 0, "max": 1}, {"check": "range", "field": "y", "min": 5}], None),
        ([{"check": "range", **FIELD, "max": 1}, {"check": "range", **FIELD, "min": 1}], None),
        ([{"check": "one_of", **FIELD, "values": [1]}, {"check": "decimals", **FIELD, "decimals": 2}], None),  # 1.00
        ([{"check": "one_of", **FIELD, "values": [1]}, {"check": "regex", **FIELD, "pattern": "1.0"}], None),
        ([{"check": "coverage", **FIELD, "values": [1, "2"]}], rows({"x": {"type": "string"}})),
        ([{"check": "coverage", **FIELD, "values": [1, "2"]}], rows({"x": {"type": "integer"}})),
        ([{"check": "sum", **FIELD, "value": 1}, {"check": "sum", **FIELD, "by": "x"}], None),
        ([{"check": "sum", **FIELD, "by": "t"}], rows({"t": {}})),  # one entry with a total of 0: nothing is added
        ([{"check": "sum", **FIELD, "by": "t"}], rows({"x": {"type": "boolean"}, "t": {}})),
        ([{"check": "unit", **FIELD, "unit": "kg"}], rows({"x": {"type": ["string", "null"]}})),
        ([{"check": "required", "field": "y"}], {"type": "array", "items": {"type": "object"}}),
        ([COUNT5], None),
    ],
)
def test_what_can_be_satisfied_is_not_reported(raw: list[dict[str, Any]], schema: dict[str, Any] | None) -> None:
    assert contradictions(criteria(*raw), schema) == []


def test_checks_against_material_need_material() -> None:
    quote = criteria({"check": "quote_in_source", "field": "x"})
    assert contradictions(quote, None, ["a.txt"]) == []
    (sentence,) = contradictions(quote, None, [])
    assert "input_ref names none" in sentence


NUMBERS = st.sampled_from([-1, 0, 1, 2, 1.5])
VALUES = st.sampled_from([0, 1, 1.5, "0", "1", "a", "ab", "2 kg", True])
NAMES = st.sampled_from(["x", "y"])


def optional(**parts: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=parts)


def one(check: str, needed: dict[str, Any], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"check": st.just(check), **needed}, optional=more)


CRITERIA = (
    one("count", {}, min=st.integers(0, 3), max=st.integers(0, 3))
    | one("required", {"field": NAMES})
    | one("unique", {}, field=NAMES)
    | one("range", {}, field=NAMES, min=NUMBERS, max=NUMBERS)
    | one("decimals", {"decimals": st.integers(0, 1)}, field=NAMES)
    | one("unit", {"unit": st.sampled_from(["kg", "g"])}, field=NAMES)
    | one("regex", {"pattern": st.sampled_from(["a+b?", r"\d", "1.0", ".*"])}, field=NAMES)
    | one("one_of", {"values": st.lists(VALUES, min_size=1, max_size=3)}, field=NAMES)
    | one("coverage", {"values": st.lists(VALUES, min_size=1, max_size=3)}, field=NAMES)
    | one("max_chars", {"max": st.integers(0, 2)}, field=NAMES)
    | one("sum", {}, field=NAMES, value=NUMBERS, by=NAMES)
)
PARTS = st.sampled_from([
    {}, {"type": "string"}, {"type": "number"}, {"type": "integer"}, {"type": ["string", "number"]}, {"enum": ["a", 1]},
    {"type": "boolean"}, {"type": "string", "maxLength": 1}, {"type": "number", "maximum": 1},
])  # fmt: skip
ENTRIES = PARTS | st.builds(
    lambda fields, required, closed: {
        "type": "object", "properties": fields, "required": [n for n in required if n in fields],
        "additionalProperties": not closed,
    },
    st.dictionaries(NAMES, PARTS, max_size=2), st.lists(NAMES, max_size=2, unique=True), st.booleans(),
)  # fmt: skip
LISTS = st.builds(lambda entry, bounds: {"type": "array", "items": entry, **bounds}, ENTRIES,
                  optional(minItems=st.integers(0, 2), maxItems=st.integers(0, 2)))  # fmt: skip
SCHEMAS = st.none() | LISTS | ENTRIES | LISTS.map(lambda rows: {"type": "object", "properties": {"rows": rows}})
SPELLED = st.sampled_from(
    ["0", "1", "1.0", "1.00", "1.5", "2", "-1", '"0"', '"1"', '"1.0"', '"a"', '"ab"', '"2 kg"', "true", '""', '"3 g"']
)
ENTRY = SPELLED | st.dictionaries(NAMES, SPELLED, max_size=2).map(
    lambda fields: "{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}"
)
RESULTS = st.lists(ENTRY, min_size=1, max_size=3).flatmap(
    lambda found: st.sampled_from([f"[{', '.join(found)}]", f'{{"rows": [{", ".join(found)}]}}', found[0]])
)


def passes(found: list[Criterion], schema: dict[str, Any] | None, text: str) -> bool:
    if schema is not None and not fits(json.loads(text), schema):
        return False
    values = entries(json.loads(text, parse_float=Decimal), layout(schema))
    return bool(values) and not any(CHECKS[c.check].errors(c.parameters, values, {}) for c in found)


@settings(max_examples=400, deadline=None)  # of what the test below does not go through one by one
@given(st.lists(CRITERIA, min_size=1, max_size=3), SCHEMAS, st.lists(RESULTS, min_size=5, max_size=40))
def test_sound(raw: list[dict[str, Any]], schema: dict[str, Any] | None, results: list[str]) -> None:
    """No result without nulls and with an entry satisfies what is reported."""
    found = [
        Criterion(r["check"], given)
        for r in raw
        if CHECKS[r["check"]].refuse(given := {k: v for k, v in r.items() if k != "check"}) is None
    ]
    schema = None if schema is None else normalised(schema)
    if contradictions(found, schema):
        assert not any(passes(found, schema, text) for text in results)


def test_sound_over_all_pairs_of_small_criteria() -> None:
    """The same, exhaustively: every pair below, against every list of one or two of the values below."""
    values: list[Any] = [0, 1, 1.5, "1", "a", "ab", "2 kg"]
    small = criteria(
        *({"check": "range", "min": n} for n in (0, 1, 2)),
        *({"check": "range", "max": n} for n in (0, 1, 2)),
        *({"check": "decimals", "decimals": n} for n in (0, 1)),
        *({"check": "unit", "unit": u} for u in ("kg", "g")),
        *({"check": "one_of", "values": [a, b]} for a in values for b in values),
        *({"check": "coverage", "values": [a, b]} for a in values for b in values),
        *({"check": "regex", "pattern": p} for p in ("a+", r"\d", "1.0")),
        *({"check": "max_chars", "max": n} for n in (1, 2)),
        *({"check": "count", "min": n} for n in (1, 2, 3)),
        *({"check": "count", "max": n} for n in (1, 2)),
        *({"check": "sum", "value": n} for n in (1, 2)),
    )
    one = [json.loads(t, parse_float=Decimal) for t in ("0", "1", "1.0", "1.5", '"1"', '"a"', '"ab"', '"2 kg"')]
    results = [[a] for a in one] + [[a, b] for a in one for b in one]
    passed = {
        i: {n for n, r in enumerate(results) if not CHECKS[c.check].errors(c.parameters, r, {})}
        for i, c in enumerate(small)
    }
    reported = 0
    for i, a in enumerate(small):
        for j, b in enumerate(small[:i]):
            if contradictions([a, b], None):
                reported += 1
                assert not passed[i] & passed[j], (str(a), str(b))
    assert reported > 1_000
