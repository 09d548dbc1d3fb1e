"""Requests for a model whose chat template knows tools: the server itself shows them, and reads the model's calls."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from harness.agents.completions import parse_arguments
from harness.models.protocol import Json, Request


def parsable(request: Request) -> Request:
    """The same request with all earlier calls in a form that the server takes.

    llama.cpp refuses a whole request, and so every later one of that agent, when the arguments of one earlier call are
    no JSON object. Such a call stays, with what the model wrote as the value of ``unparsable``.
    """
    return replace(request, messages=tuple(map(_message, request.messages)))


def _message(message: Json) -> Json:
    calls = message.get("tool_calls")
    return {**message, "tool_calls": [_call(c) for c in calls]} if calls else message


def _call(call: Json) -> dict[str, Any]:
    function = call["function"]
    if parse_arguments(function["arguments"]) is not None:
        return dict(call)
    arguments = json.dumps({"unparsable": function["arguments"]}, ensure_ascii=False)
    return {**call, "function": {**function, "arguments": arguments}}
