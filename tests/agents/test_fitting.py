"""The quick check of arguments never says yes where a full validator says no."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from harness.agents.fitting import surely_fits

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(-2, 2) | st.sampled_from(["", "a", "b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=6,
)
KINDS = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def schemas(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": KINDS | st.lists(KINDS, min_size=1, max_size=2, unique=True),
            "description": st.just("anything"),
            "enum": st.lists(VALUES, min_size=1, max_size=3),
            "required": st.lists(st.sampled_from("xyz"), max_size=2, unique=True),
            "properties": st.dictionaries(st.sampled_from("xyz"), inner, max_size=2),
            "additionalProperties": st.booleans() | inner,
            "items": inner | st.booleans(),
            "minimum": st.integers(-1, 1),
            "maxItems": st.integers(0, 2),
        },
    )


@given(st.recursive(st.just({}), schemas, max_leaves=4), VALUES)
def test_what_surely_fits_is_valid(schema: dict[str, Any], value: Any) -> None:
    if surely_fits(value, schema):
        assert Draft202012Validator(schema).is_valid(value)


MESSAGE = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "type": {"type": "string", "enum": ["task", "result"]}},
    "required": ["to", "type"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({"to": "bob", "type": "task"}, True),
        ({"to": "bob"}, False),
        ({"to": 1, "type": "task"}, False),
        ({"to": "bob", "type": "order"}, False),
        ({"to": "bob", "type": "task", "cc": "eve"}, False),
        (["bob", "task"], False),
    ],
)
def test_the_usual_schema_needs_no_full_validator(arguments: Any, fits: bool) -> None:
    assert surely_fits(arguments, MESSAGE) is fits
