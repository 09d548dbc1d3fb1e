"""Tool calls of a model whose chat template knows no tools.

The server would drop the tools, and earlier calls, without a word. So they are put into words that any template shows:
the tools stand in the system message, calls and final answers are one JSON object each, and results are user messages.
The server holds the model to that form by a grammar made from the tools' own schemas; what comes back is read into
calls and text again. A completion cut off by the token limit stays what it is: text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.agents.completions import parse_arguments
from harness.models.protocol import Json, Request, Response, ToolCall

CALLS_AT_ONCE = 8
"""Most calls in one completion: a small model repeats itself until something stops it."""

GUIDE = (
    "Tools:\n{tools}\n\n"
    'Every reply is one JSON object. To use tools: {{"tool_calls": [{{"name": NAME, "arguments": {{}}}}]}}. To give '
    'the final answer, when you need no more tools: {{"response": ANSWER}}'
)

_ANYTHING: Json = {"type": ["string", "array", "object"]}


def guided(request: Request) -> Request:
    """The request in words; itself where no tool is offered and none was used."""
    used = any(m.get("tool_calls") or m["role"] == "tool" for m in request.messages)
    if not request.tools and not used:
        return request
    messages = _worded(request.messages)
    if not request.tools:
        return replace(request, messages=messages)
    tools = "\n".join(json.dumps(t["function"], ensure_ascii=False) for t in request.tools)
    return replace(
        request,
        messages=_told(messages, GUIDE.format(tools=tools)),
        tools=(),
        response_format=_format(request.tools, request.response_format),
    )


def understood(request: Request, response: Response) -> Response:
    """The answer to ``guided(request)`` as an answer to ``request``. What is not in the form asked for is text."""
    reply = parse_arguments(response.text) if request.tools else None
    if not reply or len(reply) != 1:
        return response
    if "response" in reply:
        return replace(response, text=_text(reply["response"]))
    asked = reply.get("tool_calls")
    if not isinstance(asked, list) or not all(isinstance(c, dict) and isinstance(c.get("name"), str) for c in asked):
        return response
    before = sum(len(m.get("tool_calls") or ()) for m in request.messages)
    calls = tuple(
        ToolCall(f"call_{before + i}", c["name"], json.dumps(c.get("arguments", {}), ensure_ascii=False))
        for i, c in enumerate(asked, 1)
    )
    return replace(response, text="", tool_calls=calls, finish_reason="tool_calls") if calls else response


def _worded(messages: Sequence[Json]) -> tuple[Json, ...]:
    """Neighbouring messages of a user become one: some templates want user and assistant in turn."""
    names = {c["id"]: c["function"]["name"] for m in messages for c in m.get("tool_calls") or ()}
    worded: list[dict[str, Any]] = []
    for message in messages:
        role, content = message["role"], message.get("content") or ""
        if role == "assistant":
            content = _said(content, message.get("tool_calls") or ())
        elif role == "tool":
            role, content = "user", f"[result of {names.get(message.get('tool_call_id'), 'a tool')}]\n{content}"
        if role == "user" and worded and worded[-1]["role"] == "user":
            worded[-1]["content"] += f"\n\n{content}"
        else:
            worded.append({"role": role, "content": content})
    return tuple(worded)


def _said(text: str, calls: Sequence[Json]) -> str:
    """What the assistant said, as the model would write it."""
    asked = [
        {"name": f["name"], "arguments": f["arguments"] if parsed is None else parsed}
        for f in (c["function"] for c in calls)
        for parsed in (parse_arguments(f["arguments"]),)
    ]
    if not asked:
        return json.dumps({"response": _value(text)}, ensure_ascii=False)
    words = json.dumps({"tool_calls": asked}, ensure_ascii=False)
    return f"{text}\n{words}" if text else words


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, list | dict) else text


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _told(messages: tuple[Json, ...], guide: str) -> tuple[Json, ...]:
    if messages and messages[0]["role"] == "system":
        first, *rest = messages
        return ({**first, "content": f"{first['content']}\n\n{guide}"}, *rest)
    return ({"role": "system", "content": guide}, *messages)


def _format(tools: Sequence[Json], wanted: Json | None) -> Json:
    """Calls of the tools offered, or an answer in the format wanted, and nothing else."""
    calls = [
        _object({"name": {"const": f["name"]}, "arguments": f.get("parameters") or {"type": "object"}})
        for f in (t["function"] for t in tools)
    ]
    asked = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": CALLS_AT_ONCE}
    schema = {"anyOf": [_object({"tool_calls": asked}), _object({"response": _schema(wanted)})]}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}


def _schema(wanted: Json | None) -> Json:
    if wanted is None or wanted.get("type") == "text":
        return _ANYTHING
    schema: Json = (wanted.get("json_schema") or {}).get("schema") or {"type": "object"}
    return schema


def _object(properties: Json) -> Json:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
