"""The JSON of the chat protocol: shapes from OpenAI's API reference, usages as providers really report them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.usage import MISSING, Usage
from harness.models.chat.wire import body, response, usage
from harness.models.protocol import Request, Response, ToolCall, TransportError
from harness.models.server.answers import completion, events

from .chat_servers import assembled, chunks, question, saying

TOOL = {"type": "function", "function": {"name": "look", "description": "", "parameters": {"type": "object"}}}


def test_a_body_leaves_out_what_is_empty() -> None:
    assert body(question()) == {"model": "m", "messages": [{"role": "user", "content": "Is it?"}], "seed": 0}


def test_a_body_has_everything_that_is_asked_for() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
    sent = body(question(tools=(TOOL,), response_format=form, seed=2**63 - 1, max_tokens=7), stream=True)
    assert json.loads(json.dumps(sent)) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Is it?"}],
        "tools": [TOOL],
        "response_format": form,
        "max_tokens": 7,
        "seed": 9223372036854775807,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_response() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "a.txt"'}}
    payload = saying()
    payload["choices"][0] = {"message": {"content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}
    assert response(payload) == Response("", (ToolCall("c1", "look", '{"at": "a.txt"'),), Usage(9, 2), "tool_calls")


def test_an_answer_that_says_it_is_simulated() -> None:
    assert not response(saying()).simulated
    assert response({**saying(), "system_fingerprint": "simulated"}).simulated


def test_absent_usage_is_missing_and_not_zero() -> None:
    payload = saying()
    del payload["usage"]
    assert response(payload).usage is MISSING


@pytest.mark.parametrize(
    ("message", "text", "calls"),
    [
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}, "ab", ()),
        ({"content": ""}, "", ()),
        ({}, "", ()),
        (
            {"tool_calls": [{"function": {"name": "f", "arguments": {"a": "é"}}}, {"function": {"name": "g"}}]},
            "",
            (ToolCall("chatcmpl-1_0", "f", '{"a": "é"}'), ToolCall("chatcmpl-1_1", "g", "")),
        ),
        ({"content": "x", "tool_calls": None}, "x", ()),
    ],
    ids=["a list of parts", "empty text", "nothing", "calls without ids or text", "no calls"],
)  # fmt: skip
def test_what_some_servers_do(message: dict[str, Any], text: str, calls: tuple[ToolCall, ...]) -> None:
    payload = saying()
    payload["choices"][0] = {"message": message, "finish_reason": None}
    read = response(payload)
    assert (read.text, read.tool_calls) == (text, calls)
    assert read.finish_reason == ("tool_calls" if calls else "stop")


@pytest.mark.parametrize(
    "payload",
    [
        None,
        [],
        {},
        {"choices": []},
        {"choices": "x"},
        {"choices": [{"message": None}]},
        {"choices": [{"message": {"content": 5}}]},
        {"choices": [{"message": {"content": "", "tool_calls": "x"}}]},
        {"choices": [{"message": {"content": "", "tool_calls": [{"function": {}}]}}]},
    ],
)
def test_no_completion_is_a_bad_response(payload: Any) -> None:
    with pytest.raises(TransportError) as fault:
        response(payload)
    assert (fault.value.kind, fault.value.retryable, fault.value.usage) == ("bad_response", True, MISSING)


def test_an_error_with_status_200_is_that_error() -> None:
    with pytest.raises(TransportError) as fault:
        response({"error": {"message": "Provider is busy", "code": 429}})
    assert (fault.value.kind, str(fault.value)) == ("rate_limited", "HTTP 429: Provider is busy")


USAGES: dict[str, tuple[Any, Usage | None]] = {
    "OpenAI": (
        {
            "prompt_tokens": 2006, "completion_tokens": 300, "total_tokens": 2306,
            "prompt_tokens_details": {"cached_tokens": 1920, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 192, "audio_tokens": 0},
        },
        Usage(2006, 300, cached_tokens=1920, reasoning_tokens=192),
    ),
    "vLLM": (
        {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8, "prompt_tokens_details": None},
        Usage(5, 3),
    ),
    "DeepSeek": (
        {
            "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36,
            "completion_tokens_details": {"reasoning_tokens": 15},
        },
        Usage(100, 20, cached_tokens=64, reasoning_tokens=15),
    ),
    "xAI: reasoning beside the completion": (
        {
            "prompt_tokens": 32, "completion_tokens": 9, "total_tokens": 135,
            "prompt_tokens_details": {"cached_tokens": 6}, "completion_tokens_details": {"reasoning_tokens": 94},
        },
        Usage(32, 103, cached_tokens=6, reasoning_tokens=94),
    ),
    "reasoning beside a longer completion": (
        {
            "prompt_tokens": 32, "completion_tokens": 100, "total_tokens": 172,
            "completion_tokens_details": {"reasoning_tokens": 40},
        },
        Usage(32, 140, reasoning_tokens=40),
    ),
    "Gemini: thoughts in the total only": (
        {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 60},
        Usage(10, 50, reasoning_tokens=45),
    ),
    "OpenRouter with cache writes": (
        {
            "prompt_tokens": 10339, "completion_tokens": 60, "total_tokens": 10399, "cost": 0.03,
            "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 10318},
        },
        Usage(10339, 60, cache_write_tokens=10318),
    ),
    "Anthropic behind a gateway that adds nothing up": (
        {
            "prompt_tokens": 21, "completion_tokens": 393, "total_tokens": 414,
            "cache_creation_input_tokens": 1000, "cache_read_input_tokens": 188,
            "cache_creation": {"ephemeral_5m_input_tokens": 544, "ephemeral_1h_input_tokens": 456},
        },
        Usage(1209, 393, cached_tokens=188, cache_write_tokens=1000, cache_write_long_tokens=456),
    ),
    "cached beside the prompt, counted in the total": (
        {
            "prompt_tokens": 900, "completion_tokens": 10, "total_tokens": 1110,
            "prompt_tokens_details": {"cached_tokens": 200},
        },
        Usage(1100, 10, cached_tokens=200),
    ),
    "both beside": (
        {
            "prompt_tokens": 900, "completion_tokens": 10, "total_tokens": 1160,
            "prompt_tokens_details": {"cached_tokens": 200}, "completion_tokens_details": {"reasoning_tokens": 50},
        },
        Usage(1100, 60, cached_tokens=200, reasoning_tokens=50),
    ),
    "none": (None, None),
    "an empty object": ({}, None),
    "zeros of a server that does not count": ({"prompt_tokens": 0, "completion_tokens": 0}, None),
    "a negative count": ({"prompt_tokens": -1, "completion_tokens": 1}, None),
    "a fraction": ({"prompt_tokens": 1.5, "completion_tokens": 1}, None),
    "a whole number written as a fraction": ({"prompt_tokens": 3.0, "completion_tokens": 1}, Usage(3, 1)),
}  # fmt: skip


@pytest.mark.parametrize(("reported", "expected"), USAGES.values(), ids=USAGES.keys())
def test_usage(reported: Any, expected: Usage | None) -> None:
    read = usage(reported)
    assert read == expected
    if read is not None:
        read.check()


COUNTS = st.integers(0, 10**6)


@given(prompt=st.integers(1, 10**6), completion=COUNTS, read=COUNTS, written=COUNTS, reasoning=COUNTS)
def test_a_usage_in_our_convention_is_read_as_it_is(
    prompt: int, completion: int, read: int, written: int, reasoning: int
) -> None:
    reported = {
        "prompt_tokens": prompt + read + written,
        "completion_tokens": completion + reasoning,
        "total_tokens": prompt + read + written + completion + reasoning,
        "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": written},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }
    assert usage(reported) == Usage(
        prompt + read + written, completion + reasoning, read, written, reasoning_tokens=reasoning
    )


TEXTS = st.text(max_size=80)
CALLS = st.lists(st.tuples(st.text(min_size=1, max_size=5), TEXTS, TEXTS), max_size=3)


@given(text=TEXTS, calls=CALLS, reason=st.sampled_from(["stop", "length", "tool_calls"]), include=st.booleans())
def test_what_the_stand_in_writes_is_read_back_whole_and_in_chunks(
    text: str, calls: list[tuple[str, str, str]], reason: str, include: bool
) -> None:
    said = Response(text, tuple(ToolCall(*c) for c in calls), Usage(50, 9, 20, 10, reasoning_tokens=4), reason)
    head = {"id": "1", "created": 0, "model": "m"}
    assert response(json.loads(json.dumps(completion(said, head)))) == said
    streamed = response(assembled(chunks(b"".join(events(said, head, include)))))
    assert streamed == (said if include else Response(text, said.tool_calls, MISSING, reason))


def test_a_request_keeps_its_order() -> None:
    request = Request("m", ({"role": "system", "content": "a"}, {"role": "user", "content": "b"}), (TOOL,))
    assert list(body(request)) == ["model", "messages", "tools", "seed"]
