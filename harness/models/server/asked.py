"""A chat-completion request as it comes in: checked, and turned into the request that a model gets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.models.protocol import Request
from harness.models.server.refusal import Refusal

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_SEEDS = 1 << 63


@dataclass(frozen=True, slots=True)
class Asked:
    """``stream``: the answer is wanted in chunks; ``include_usage``: with a last chunk for the usage."""

    request: Request
    stream: bool
    include_usage: bool


def asked(raw: bytes) -> Asked:
    """Parse a request's body. Raises Refusal (400) that names the parameter for anything malformed.

    Read: model, messages, tools, tool_choice (``auto`` and ``none``), response_format, seed, max_tokens,
    max_completion_tokens, stream, stream_options, n (1). Other parameters change nothing, as they do not change what a
    simulated model does.
    """
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        raise Refusal(400, "the body is not JSON") from None
    if not isinstance(data, dict):
        raise Refusal(400, "the body is not a JSON object")
    model = data.get("model")
    if not isinstance(model, str) or not model:
        raise _wrong("model", "must be the name of a model")
    for name, supported in (("n", (None, 1)), ("tool_choice", (None, "auto", "none"))):
        if data.get(name) not in supported:
            raise _wrong(name, f"this server knows only {' and '.join(str(s) for s in supported if s is not None)}")
    tools = () if data.get("tool_choice") == "none" else tuple(_list(data, "tools"))
    for i, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise _wrong(f"tools[{i}]", "must be a function tool with a name")
    stream, options = data.get("stream") or False, data.get("stream_options") or {}
    if not isinstance(stream, bool):
        raise _wrong("stream", "must be true or false")
    if not isinstance(options, Mapping) or (options and not stream):
        raise _wrong("stream_options", "must be an object, and goes with stream only")
    form = data.get("response_format")
    if form is not None and not isinstance(form, Mapping):
        raise _wrong("response_format", "must be an object")
    longest = _whole(data, "max_completion_tokens", 1) or _whole(data, "max_tokens", 1)
    seed = _whole(data, "seed", -_SEEDS) or 0
    if seed >= _SEEDS:
        raise _wrong("seed", "must be below 2^63")
    request = Request(model, tuple(_messages(data)), tools, form, seed % _SEEDS, longest)
    return Asked(request, stream, options.get("include_usage") is True)


def _messages(data: Mapping[str, Any]) -> list[Any]:
    messages = _list(data, "messages")
    if not messages:
        raise _wrong("messages", "must be a list with at least one message")
    for i, message in enumerate(messages):
        if not isinstance(message, Mapping) or message.get("role") not in ROLES:
            raise _wrong(f"messages[{i}]", f"must be an object whose role is one of {', '.join(ROLES)}")
        content, calls = message.get("content"), message.get("tool_calls")
        if not isinstance(content, str | list | None) or (content is None and not calls):
            raise _wrong(f"messages[{i}].content", "must be text or a list of parts")
        if not isinstance(calls, list | None):
            raise _wrong(f"messages[{i}].tool_calls", "must be a list")
        if message["role"] == "tool" and not isinstance(message.get("tool_call_id"), str):
            raise _wrong(f"messages[{i}].tool_call_id", "must name the call that this message answers")
    return messages


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = data.get(name)
    if value is not None and not isinstance(value, list):
        raise _wrong(name, "must be a list")
    return value or []


def _whole(data: Mapping[str, Any], name: str, low: int) -> int | None:
    value = data.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise _wrong(name, f"must be a whole number of at least {low}")
    return value


def _wrong(name: str, what: str) -> Refusal:
    return Refusal(400, f"{name}: {what}", param=name)
