"""A model's response as a chat completion, whole or in chunks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from harness.accounting.usage import Usage
from harness.models.protocol import Response

PIECE = 24
"""Characters of text or arguments in one chunk of a stream."""


def completion(response: Response, head: dict[str, Any]) -> dict[str, Any]:
    """The whole answer. ``head``: what all chunks repeat (id, created, model, fingerprint)."""
    calls = [
        {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
        for c in response.tool_calls
    ]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": response.text or (None if calls else ""),
        "refusal": None,
    }
    if calls:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": response.finish_reason}
    return {**head, "object": "chat.completion", "choices": [choice], "usage": usage(response.usage)}


def events(response: Response, head: dict[str, Any], include_usage: bool) -> Iterator[bytes]:
    """The same as server-sent events: role, pieces of the text, of each call's arguments, reason, usage, ``[DONE]``."""
    head = {**head, "object": "chat.completion.chunk"}
    rest: dict[str, Any] = {"usage": None} if include_usage else {}
    for delta in _deltas(response):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        yield _event({**head, "choices": [choice], **rest})
    choice = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": response.finish_reason}
    yield _event({**head, "choices": [choice], **rest})
    if include_usage:
        yield _event({**head, "choices": [], "usage": usage(response.usage)})
    yield b"data: [DONE]\n\n"


def usage(counted: Usage) -> dict[str, Any]:
    """Usage as OpenAI reports it; cache writes, where there are any, under the name that gateways use."""
    written = {"cache_write_tokens": counted.cache_write_tokens} if counted.cache_write_tokens else {}
    return {
        "prompt_tokens": counted.prompt_tokens,
        "completion_tokens": counted.completion_tokens,
        "total_tokens": counted.prompt_tokens + counted.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": counted.cached_tokens, **written},
        "completion_tokens_details": {"reasoning_tokens": counted.reasoning_tokens},
    }


def _deltas(response: Response) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": None if response.tool_calls and not response.text else ""}
    for piece in _pieces(response.text):
        yield {"content": piece}
    for i, call in enumerate(response.tool_calls):
        function = {"name": call.name, "arguments": ""}
        yield {"tool_calls": [{"index": i, "id": call.id, "type": "function", "function": function}]}
        for piece in _pieces(call.arguments):
            yield {"tool_calls": [{"index": i, "function": {"arguments": piece}}]}


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def _event(payload: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(payload).encode() + b"\n\n"
