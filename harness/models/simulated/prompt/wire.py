"""Messages of the chat protocol as plain values: hashable, and never malformed, whatever came in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from harness.accounting.tokens import count_tokens
from harness.agents.rendering import render_tool
from harness.models.protocol import Json, Request

PER_MESSAGE = 4
"""Tokens of the chat template around each message: role, separators (the usual figure for OpenAI's chat models)."""
PER_REPLY = 3
"""Tokens that prime the reply."""
PER_CALL = 3
"""Tokens of the completion around one tool call."""


class WireCall(NamedTuple):
    """A tool call in a message of the history; ``arguments`` as it was written."""

    id: str
    name: str
    arguments: str


class WireMessage(NamedTuple):
    """One message. ``answers``: the id of the tool call that a tool message answers."""

    role: str
    text: str
    calls: tuple[WireCall, ...] = ()
    answers: str = ""


def wire(message: Any) -> WireMessage:
    """A message as it came. Content may be text, a list of content parts, or nothing; what has no text adds none."""
    if not isinstance(message, Mapping):
        return WireMessage("user", "")
    asked = message.get("tool_calls")
    calls = tuple(_call(c) for c in asked) if isinstance(asked, Sequence) and not isinstance(asked, str) else ()
    return WireMessage(
        str(message.get("role") or "user"), _text(message.get("content")), calls, str(message.get("tool_call_id") or "")
    )


def _call(call: Any) -> WireCall:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping):
        return WireCall("", "", "")
    arguments = function.get("arguments")
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return WireCall(str(call.get("id") or ""), str(function.get("name") or ""), raw)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "".join(str(p["text"]) for p in content if isinstance(p, Mapping) and isinstance(p.get("text"), str))
    return ""


@lru_cache(maxsize=8192)
def message_tokens(message: WireMessage) -> int:
    """Tokens of a message in a prompt, template included."""
    tokens = PER_MESSAGE + count_tokens(message.text)
    for call in message.calls:
        tokens += count_tokens(call.name) + count_tokens(call.arguments)
    return tokens


def offered(tools: Sequence[Json]) -> dict[str, Mapping[str, Any]]:
    """Name → parameters of the tools on offer, by name, so that their order in the request means nothing."""
    found = {}
    for tool in tools:
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if isinstance(function, Mapping) and isinstance(function.get("name"), str):
            parameters = function.get("parameters")
            found[function["name"]] = parameters if isinstance(parameters, Mapping) else {}
    return dict(sorted(found.items()))


def described(tools: Sequence[Json]) -> dict[str, str]:
    """Name → what a tool on offer says of itself."""
    functions = (tool.get("function") for tool in tools if isinstance(tool, Mapping))
    return {
        f["name"]: str(f.get("description") or "")
        for f in functions
        if isinstance(f, Mapping) and isinstance(f.get("name"), str)
    }


def rendered(tools: Sequence[Json]) -> tuple[str, ...]:
    """Each tool as a provider shows it to its model."""
    return tuple(_rendered(json.dumps(tool, ensure_ascii=False, default=str)) for tool in tools)


@lru_cache(maxsize=256)
def _rendered(schema: str) -> str:
    try:
        return render_tool(json.loads(schema))
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):  # no function tool: as it came
        return schema


class Prompt(NamedTuple):
    """A request as a provider counts it: segments in its caching order, each with its tokens. ``tokens``: all of it,
    with what belongs to no segment. ``messages_at``: the first segment that is a message."""

    segments: tuple[str | WireMessage, ...]
    sizes: tuple[int, ...]
    tokens: int
    messages_at: int


def prompt_of(request: Request, messages: Sequence[WireMessage]) -> Prompt:
    """Tools first, then the messages; a response format is counted and not cached."""
    tools = rendered(request.tools)
    sizes = (*map(count_tokens, tools), *map(message_tokens, messages))
    form = request.response_format
    extra = count_tokens(json.dumps(form, ensure_ascii=False, default=str)) if form else 0
    return Prompt((*tools, *messages), sizes, sum(sizes) + extra + PER_REPLY, len(tools))


def completion_tokens(text: str, calls: Sequence[tuple[str, str]]) -> int:
    """Tokens of a completion: its text, and each call's name and arguments with what stands around them."""
    return count_tokens(text) + sum(PER_CALL + count_tokens(name) + count_tokens(raw) for name, raw in calls)
