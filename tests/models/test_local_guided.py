"""Tools in words, for a model whose chat template knows none, and the calls read back."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.usage import Usage
from harness.models.local.guided import CALLS_AT_ONCE, guided, understood
from harness.models.local.native import parsable
from harness.models.protocol import Json, Request, Response


def tool(name: str, *needed: str) -> Json:
    properties = {n: {"type": "string"} for n in needed}
    schema = {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}
    return {"type": "function", "function": {"name": name, "description": f"Does {name}.", "parameters": schema}}


READ, LIST = tool("read", "document"), tool("list")
CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"document": "a.txt"}'}}
BROKEN = {"id": "c2", "type": "function", "function": {"name": "read", "arguments": '{"document": "a'}}
SYSTEM, USER = {"role": "system", "content": "You read."}, {"role": "user", "content": "Who wrote a.txt?"}


def request(*messages: Json, **more: Any) -> Request:
    return Request("m", messages or (SYSTEM, USER), (READ, LIST), **more)


def written(text: str, finish: str = "stop") -> Response:
    return Response(text, (), Usage(10, 5), finish)


def allowed(asked: Request, reply: object) -> bool:
    assert asked.response_format is not None
    schema = asked.response_format["json_schema"]["schema"]
    return bool(jsonschema.Draft202012Validator(schema).is_valid(reply))


def test_the_tools_stand_in_the_system_message_and_in_the_grammar() -> None:
    asked = guided(request())
    assert asked.tools == () and asked.messages[1] == USER
    for function in (READ["function"], LIST["function"]):
        assert json.dumps(function) in asked.messages[0]["content"]
    assert asked.messages[0]["content"].startswith("You read.\n\n")
    read = {"name": "read", "arguments": {"document": "a.txt"}}
    assert allowed(asked, {"tool_calls": [read, {"name": "list", "arguments": {}}]})
    assert allowed(asked, {"response": "Ann"}) and allowed(asked, {"response": [{"answer": None}]})
    refused: list[Json] = [
        {"tool_calls": []}, {"tool_calls": [read] * (CALLS_AT_ONCE + 1)}, {"tool_calls": [{"name": "write"}]},
        {"tool_calls": [{"name": "read", "arguments": {}}]}, {"response": 3}, {"response": "", "tool_calls": [read]},
        {},
    ]  # fmt: skip
    for wrong in refused:
        assert not allowed(asked, wrong), wrong


def test_without_a_system_message_there_is_one() -> None:
    assert [m["role"] for m in guided(request(USER)).messages] == ["system", "user"]


def test_a_wanted_format_holds_for_the_answer_only() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    asked = guided(request(response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}))
    assert allowed(asked, {"response": {"n": 1}}) and not allowed(asked, {"response": {"n": "1"}})
    assert allowed(asked, {"tool_calls": [{"name": "list", "arguments": {}}]})


def test_a_conversation_without_tools_stays_as_it_is() -> None:
    plain = Request("m", (SYSTEM, USER), response_format={"type": "json_object"})
    assert guided(plain) is plain
    assert understood(plain, written('{"response": "x"}')).text == '{"response": "x"}'


def test_earlier_calls_and_results_are_told_in_words() -> None:
    asked = guided(
        request(
            SYSTEM,
            USER,
            {"role": "assistant", "content": None, "tool_calls": [CALL, BROKEN]},
            {"role": "tool", "content": "By Ann.", "tool_call_id": "c1"},
            {"role": "tool", "content": "error: no JSON", "tool_call_id": "c2"},
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": '[{"answer": "Ann"}]'},
        )
    )
    assert [m["role"] for m in asked.messages] == ["system", "user", "assistant", "user", "assistant"]
    assert json.loads(asked.messages[2]["content"]) == {
        "tool_calls": [
            {"name": "read", "arguments": {"document": "a.txt"}},
            {"name": "read", "arguments": '{"document": "a'},
        ]
    }
    assert asked.messages[3]["content"] == "[result of read]\nBy Ann.\n\n[result of read]\nerror: no JSON\n\nGo on."
    assert json.loads(asked.messages[4]["content"]) == {"response": [{"answer": "Ann"}]}
    assert all(set(m) == {"role", "content"} for m in asked.messages)


def test_used_tools_are_told_even_when_none_is_offered_any_more() -> None:
    spent = Request("m", (SYSTEM, USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}))
    asked = guided(spent)
    assert asked.response_format is None and asked.messages[0] == SYSTEM
    assert json.loads(asked.messages[2]["content"])["tool_calls"][0]["name"] == "read"


def test_calls_are_read_and_numbered_through_the_conversation() -> None:
    asked = request(SYSTEM, USER, {"role": "assistant", "content": "", "tool_calls": [CALL]})
    answer = understood(asked, written('{"tool_calls": [{"name": "list", "arguments": {}}, {"name": "read"}]}'))
    assert [(c.id, c.name, c.arguments) for c in answer.tool_calls] == [
        ("call_2", "list", "{}"),
        ("call_3", "read", "{}"),
    ]
    assert answer.text == "" and answer.finish_reason == "tool_calls" and answer.usage == Usage(10, 5)


@pytest.mark.parametrize(
    ("text", "shown"),
    [('{"response": "Ann"}', "Ann"), ('{"response": ["安"]}', '["安"]'), ('{"response": null}', "null")],
)
def test_an_answer_is_unpacked(text: str, shown: str) -> None:
    answer = understood(request(), written(text))
    assert (answer.text, answer.tool_calls) == (shown, ())


@pytest.mark.parametrize(
    "text",
    ['{"response": "An', "Hello", "", "[]", "{}", '{"tool_calls": []}', '{"tool_calls": [1]}',
     '{"a": 1, "response": 2}',
     '{"tool_calls": {"name": "read"}}', '{"tool_calls": [{"name": 3}]}', "[" * 100_000],
)  # fmt: skip
def test_what_is_not_in_the_form_is_text(text: str) -> None:
    answer = understood(request(), written(text, "length"))
    assert (answer.text, answer.tool_calls, answer.finish_reason) == (text, (), "length")


_JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x), max_leaves=5)


@given(st.lists(st.tuples(st.text(min_size=1), st.dictionaries(st.text(), _JSON)), min_size=1, max_size=4))
def test_what_the_model_called_is_told_back_as_it_wrote_it(calls: list[tuple[str, dict[str, Any]]]) -> None:
    wrote = json.dumps({"tool_calls": [{"name": n, "arguments": a} for n, a in calls]}, ensure_ascii=False)
    answer = understood(request(), written(wrote))
    assert [(c.name, json.loads(c.arguments)) for c in answer.tool_calls] == calls
    turn = {
        "role": "assistant", "content": answer.text,
        "tool_calls": [{"id": c.id, "function": {"name": c.name, "arguments": c.arguments}} for c in answer.tool_calls],
    }  # fmt: skip
    assert guided(request(SYSTEM, USER, turn)).messages[-1]["content"] == wrote


def test_a_server_that_reads_calls_itself_gets_only_arguments_that_parse() -> None:
    asked = parsable(request(USER, {"role": "assistant", "content": None, "tool_calls": [CALL, BROKEN]}))
    first, second = asked.messages[1]["tool_calls"]
    assert first == CALL and asked.messages[0] == USER and asked.tools == (READ, LIST)
    assert json.loads(second["function"]["arguments"]) == {"unparsable": '{"document": "a'}
