"""Where answers agree: what comes out of a vote, stated from first principles."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agreement import agreed, ballots, closest, normal, voted

SCHEMA = {"type": "array", "items": {"type": "object", "required": ["question", "answer"]}}


def rows(**answers: Any) -> str:
    return json.dumps([{"question": q, "answer": a} for q, a in answers.items()])


def vote(*texts: str, schema: dict[str, Any] | None = None) -> str:
    return voted(ballots(texts, schema))


@pytest.mark.parametrize(
    "text",
    [
        "Paris, as note [1] says.",
        '{"items": [{"id": 1}, {"id": 1}]}',
        '[{"a": 1}, {"a": 1}]',
        "[]",
        "",
        "```json\n[1, 2]\n```",
        '"quoted"',
        "[" * 5_000,
        "\ud800",
    ],
)
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_what_all_say_comes_out_as_they_said_it(text: str, schema: dict[str, Any] | None) -> None:
    found = ballots([text] * 3, schema)
    assert voted(found) == text and agreed(found) and closest(found) == 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
)


@given(JSON)
def test_any_json_that_all_say_comes_out_as_it_was(value: Any) -> None:
    text = json.dumps(value)
    assert vote(text, text) == text


def test_the_majority_is_taken_entry_by_entry() -> None:
    """Each of the three is wrong about one other question."""
    result = vote(rows(a="1", b="2", c="x"), rows(a="1", b="x", c="3"), rows(a="x", b="2", c="3"))
    assert json.loads(result) == json.loads(rows(a="1", b="2", c="3"))


def test_case_blanks_and_width_do_not_matter_and_ties_go_to_the_first() -> None:
    assert vote("Yes", "no", " NO\n") == "no"
    assert vote("Yes", "no") == "Yes"
    assert json.loads(vote(rows(a="x"), rows(a="ｙ  z"), rows(a="Y Z"))) == json.loads(rows(a="ｙ  z"))


def test_whoever_says_nothing_abstains() -> None:
    one = rows(a="1", b="2")
    assert vote("[]", one) == vote(one, "[]", "[]") == one
    assert json.loads(vote(rows(a="1"), rows(b="2"), rows(b="3"))) == json.loads(rows(a="1", b="2"))
    assert vote("[]", "[]") == "[]"


def test_other_kinds_are_not_counted() -> None:
    assert vote("I do not know.", rows(a="1"), rows(a="1"), schema=SCHEMA) == rows(a="1")
    assert vote("I do not know.", "I do not know.", rows(a="1")) == "I do not know."


def test_entries_are_told_apart_by_one_field_for_all() -> None:
    """The schema's first required field, or the first field of the first entry, in whatever order others write."""
    turned = json.dumps([{"answer": "1", "question": "a"}, {"answer": "2", "question": "b"}])
    plain = rows(a="1", b="2")
    for schema in (None, SCHEMA):
        found = ballots([plain, turned], schema)
        assert agreed(found) and voted(found) == plain
    found = ballots([turned, plain], SCHEMA)
    assert agreed(found) and voted(found) == turned


def test_items_of_a_list_are_in_if_more_than_half_have_them() -> None:
    assert json.loads(vote('["a", "b"]', '["b", "c"]', '["B", "d"]', '["c"]')) == ["b"]


def test_fields_of_one_object_are_voted_one_by_one() -> None:
    result = vote('{"x": 1, "y": 2}', '{"x": 1, "y": 3}', '{"x": 4, "y": 3}')
    assert json.loads(result) == {"x": 1, "y": 3}


@pytest.mark.parametrize("around", ["Here it is: {} That is all.", "```json\n{}\n```", '{{"entries": {}}}'])
def test_a_wanted_list_is_found_whatever_stands_around_it(around: str) -> None:
    text = around.format(rows(a="1"))
    found = ballots([text, rows(a="1")], SCHEMA)
    assert agreed(found) and voted(found) == text


def test_the_closest_shares_most_opinions_with_the_others() -> None:
    texts = [rows(a="1", b="x", c="y"), rows(a="1", b="2", c="z"), rows(a="0", b="2", c="3"), rows(a="1", b="2", c="3")]
    assert closest(ballots(texts)) == 3, "it shares a with two, b with two and c with one"


def test_deep_and_long_answers_take_no_time() -> None:
    deep: Any = []
    for _ in range(200):
        deep = [deep]
    text = json.dumps([{"q": deep}])
    assert vote(text, text) == text and len(normal(deep)) < 1_000
    assert vote("[" * 900 + "0," * 90_000, "x", "x", schema=SCHEMA) == "x"
