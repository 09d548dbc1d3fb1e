"""From what a model wrote to parts: byte for byte, whatever its JSON looks like, and each with its purpose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.parts import joined
from harness.accounting.purposes import Purpose
from harness.accounting.restating import Reading
from harness.agents.completions import CallParts, call_parts, parse_arguments, text_parts
from harness.models.protocol import ToolCall
from harness.team.roster import TYPE_PURPOSE

FRESH = Reading((), (), Purpose.ANSWER)


def purpose_of(arguments: Any) -> Purpose:
    return TYPE_PURPOSE.get(str(arguments.get("type")), Purpose.SYNC)


def parts_of(raw: str, reading: Reading = FRESH) -> CallParts:
    return call_parts(ToolCall("c1", "send_message", raw), "alice", purpose_of, reading)


@st.composite
def spellings(draw: st.DrawFn, text: str) -> str:
    """A JSON string literal for ``text``, each character spelt in any way that JSON allows."""
    out = []
    for character in text:
        units = character.encode("utf-16-be", "surrogatepass")
        escaped = [int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2)]
        case = draw(st.sampled_from(["04x", "04X"]))
        spelt = "".join("\\u" + format(unit, case) for unit in escaped)
        ways = [spelt]
        short = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\n": "\\n", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\r": "\\r"}
        if character in short:
            ways.append(short[character])
        if character not in '"\\' and ord(character) >= 0x20:
            ways.append(character)
        out.append(draw(st.sampled_from(ways)))
    return f'"{"".join(out)}"'


TEXT = st.text(st.characters() | st.sampled_from('"\\/\n\t😀中文é'), max_size=30)
SPACE = st.text(st.sampled_from(" \n\t\r"), max_size=3)


@st.composite
def messages(draw: st.DrawFn) -> tuple[str, str]:
    """(raw arguments, content) of a message, with any spacing, order, nesting and repetition of its fields."""
    content = draw(TEXT)
    fields = [("type", draw(st.sampled_from(["task", "result", "progress"]))), ("to", "lead"), ("context", draw(TEXT))]
    fields.append(("content", content))
    fields = draw(st.permutations(fields))
    if draw(st.booleans()):  # the last of repeated fields counts
        fields.insert(0, ("content", draw(TEXT)))
    rows = [
        f"{draw(SPACE)}{json.dumps(name)}{draw(SPACE)}:{draw(SPACE)}{draw(spellings(value))}{draw(SPACE)}"
        for name, value in fields
    ]
    if draw(st.booleans()):
        nested = json.dumps({"content": draw(TEXT)})
        rows.insert(draw(st.integers(0, len(rows))), f'"extra": {nested}')
    return f"{draw(SPACE)}{{{','.join(rows)}}}{draw(SPACE)}", content


@given(messages())
def test_any_spelling_is_rebuilt_and_its_payload_is_what_it_says(message: tuple[str, str]) -> None:
    raw, content = message
    call = parts_of(raw, Reading(["some words that a peer wrote"], ["own words"], Purpose.ANSWER))
    assert joined(call.arguments) == raw
    assert call.parsed is not None
    assert call.parsed["content"] == content
    assert joined(call.parsed.payload) == content
    inner = [p for p in call.arguments if p.origin is not None]
    assert [p.key for p in inner] == [p.key for p in call.parsed.payload]  # the payload is found again by re-reading
    assert [p.purpose for p in inner] == [p.purpose for p in call.parsed.payload]


@given(st.text())
def test_anything_at_all_is_rebuilt(raw: str) -> None:
    assert joined(parts_of(raw).arguments) == raw


@pytest.mark.parametrize(
    "raw",
    ["", "{", '{"content": "a', "[]", '"text"', "null", '{"content": 5}', '{"content": "\x01"}', "[" * 9999],
)
def test_broken_json_is_kept_and_has_no_payload(raw: str) -> None:
    call = parts_of(raw)
    assert joined(call.arguments) == raw
    assert call.parsed is None or not call.parsed.payload


@pytest.mark.parametrize(
    ("raw", "purpose"),
    [
        ("{", "sync"),
        ("[1]", "sync"),
        ("nonsense", "sync"),
        ('{"to": "bob", "type": "task", "order": {"objective": "Read', "dispatch"),
        ('{"to": "bob", "type" : "revision", "content": "No', "feedback"),
    ],
)
def test_unparsable_arguments_have_the_purpose_of_their_tool(raw: str, purpose: str) -> None:
    """A broken order is an order all the same; what cannot be told of a message makes it talk."""
    call = parts_of(raw)
    assert call.parsed is None
    assert {str(p.purpose) for p in (call.name, *call.arguments)} == {purpose}


def test_an_unparsable_call_to_a_task_tool_is_answer() -> None:
    call = call_parts(ToolCall("c", "read_document", '{"document": "a'), "alice", None, FRESH)
    assert {p.purpose for p in (call.name, *call.arguments)} == {Purpose.ANSWER}


def test_no_arguments_are_an_empty_object() -> None:
    assert parse_arguments("") == {}


@pytest.mark.parametrize(
    ("type", "purpose"),
    [
        ("task", "dispatch"),
        ("progress", "sync"),
        ("clarify", "sync"),
        ("clarify_resp", "sync"),
        ("revision", "feedback"),
        ("shutdown", "scaffold"),
        ("result", "report"),
        ("nonsense", "sync"),
    ],
)
def test_a_message_call_has_the_purpose_of_its_type(type: str, purpose: str) -> None:
    call = parts_of(json.dumps({"to": "bob", "type": type, "content": "some words", "context": "more"}))
    around = {str(p.purpose) for p in (call.name, *call.arguments) if p.origin is None}
    assert around == {purpose}
    payload = {str(p.purpose) for p in call.arguments if p.origin is not None}
    assert payload == ({"answer"} if type == "result" else {purpose})


def test_a_result_s_payload_is_told_apart_and_its_envelope_is_report() -> None:
    reading = Reading(
        ["the blue whale weighs one hundred and forty tonnes"], ["i counted all of it twice"], Purpose.REWORK
    )
    content = "The blue whale weighs one hundred and forty tonnes. I counted all of it twice. Nothing is missing here."
    raw = json.dumps({"to": "lead", "type": "result", "content": content, "inReplyTo": "msg_1", "context": "see above"})
    call = parts_of(raw, reading)
    assert [(p.text.strip(), str(p.purpose)) for p in call.arguments] == [
        ('{"to": "lead", "type": "result", "content": "', "report"),
        ("The blue whale weighs one hundred and forty tonnes.", "merge"),
        ("I counted all of it twice.", "report"),
        ("Nothing is missing here.", "rework"),
        ('", "inReplyTo": "msg_1", "context": "see above"}', "report"),
    ]


def test_a_task_tool_s_call_is_answer_even_when_it_has_a_content() -> None:
    raw = '{"content": "x", "type": "result"}'
    call = call_parts(ToolCall("c", "write", raw), "alice", None, FRESH)
    assert [(p.text, p.purpose) for p in (call.name, *call.arguments)] == [
        ("write", Purpose.ANSWER),
        (raw, Purpose.ANSWER),
    ]


def test_no_text_has_no_parts() -> None:
    assert text_parts("", "alice", Purpose.ANSWER) == ()
    assert text_parts("", "alice", FRESH) == ()
