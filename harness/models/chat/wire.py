"""Requests and answers as the JSON of the chat-completions protocol (OpenAI's API reference, "Chat")."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.accounting.usage import MISSING, Usage
from harness.models.chat.faults import bad_response, reported_fault
from harness.models.protocol import Request, Response, ToolCall

SIMULATED = "simulated"
"""``system_fingerprint`` of every answer of the stand-in: gateways hand that field on."""


def body(request: Request, *, stream: bool = False) -> dict[str, Any]:
    """A request as JSON values. What is empty is left out; the seed always goes along. A stream ends with its usage."""
    sent: dict[str, Any] = {"model": request.model, "messages": [dict(m) for m in request.messages]}
    if request.tools:
        sent["tools"] = [dict(t) for t in request.tools]
    if request.response_format is not None:
        sent["response_format"] = dict(request.response_format)
    if request.max_tokens is not None:
        sent["max_tokens"] = request.max_tokens
    sent["seed"] = request.seed
    if stream:
        sent |= {"stream": True, "stream_options": {"include_usage": True}}
    return sent


def response(payload: Any) -> Response:
    """A chat completion as a response: the first choice, arguments of calls as raw text.

    Its usage is ``MISSING`` where the payload reports none; whoever called then estimates (``harness.models.chat
    .estimate``). Raises TransportError: ``bad_response`` for what is no chat completion, or the fault that a payload
    reports instead of an answer (some gateways do that with status 200).
    """
    if not isinstance(payload, Mapping):
        raise bad_response("the answer is not a JSON object")
    if payload.get("error") and not payload.get("choices"):
        raise reported_fault(payload["error"])
    choices = payload.get("choices")
    choice = choices[0] if isinstance(choices, Sequence) and choices and not isinstance(choices, str) else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        raise bad_response("the answer has no choices[0].message")
    calls = _calls(message.get("tool_calls"), str(payload.get("id") or "call"))
    reason = choice.get("finish_reason")
    return Response(
        text=_text(message.get("content")),
        tool_calls=calls,
        usage=usage(payload.get("usage")) or MISSING,
        finish_reason=reason if isinstance(reason, str) and reason else "tool_calls" if calls else "stop",
        simulated=payload.get("system_fingerprint") == SIMULATED,
    )


def usage(payload: Any) -> Usage | None:
    """The ``usage`` object of an answer in our convention: prompt includes what was read from and written to a cache,
    completion includes reasoning. None when there is none that can be true (no prompt has zero tokens).

    Providers that report otherwise are recognised by their sums: cached or written tokens that the prompt cannot hold,
    or that ``total_tokens`` counts once more, stand beside the prompt; likewise reasoning beside the completion (xAI).
    A total that exceeds prompt and completion by what no detail explains counts hidden reasoning (Gemini's endpoint).
    """
    if not isinstance(payload, Mapping):
        return None
    prompt, completion = _count(payload.get("prompt_tokens")), _count(payload.get("completion_tokens"))
    if not prompt or completion is None:
        return None
    of_prompt, of_completion = _object(payload, "prompt_tokens_details"), _object(payload, "completion_tokens_details")
    read = _first(
        of_prompt.get("cached_tokens"), payload.get("cache_read_input_tokens"), payload.get("prompt_cache_hit_tokens")
    )
    written = _first(
        of_prompt.get("cache_write_tokens"),
        of_prompt.get("cache_creation_tokens"),
        payload.get("cache_creation_input_tokens"),
    )
    long = _first(
        _object(of_prompt, "cache_creation_token_details").get("ephemeral_1h_input_tokens"),
        _object(payload, "cache_creation").get("ephemeral_1h_input_tokens"),
    )
    reasoning = _first(of_completion.get("reasoning_tokens"), payload.get("reasoning_tokens"))
    surplus = max(0, (_count(payload.get("total_tokens")) or 0) - prompt - completion)
    cached, apart = read + written, 0
    if cached > prompt or (cached and surplus in (cached, cached + reasoning)):
        prompt, apart = prompt + cached, cached
    unexplained = max(0, surplus - apart)
    if reasoning > completion or (reasoning and unexplained == reasoning):
        completion += reasoning
    elif unexplained and not reasoning:
        completion, reasoning = completion + unexplained, unexplained
    return Usage(prompt, completion, read, written, min(long, written), reasoning)


def _calls(asked: Any, prefix: str) -> tuple[ToolCall, ...]:
    """Calls of a message; one without an id gets one, since its result must name it."""
    if asked is None:
        return ()
    if not isinstance(asked, Sequence) or isinstance(asked, str):
        raise bad_response("tool_calls is not a list")
    calls = []
    for i, call in enumerate(asked):
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
            raise bad_response(f"tool_calls[{i}] names no function")
        raw = function.get("arguments")
        text = raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False)
        calls.append(ToolCall(str(call.get("id") or f"{prefix}_{i}"), function["name"], text))
    return tuple(calls)


def _text(content: Any) -> str:
    """Content as text: some servers send a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, Sequence):
        raise bad_response("content is neither text nor a list of parts")
    return "".join(p["text"] for p in content if isinstance(p, Mapping) and isinstance(p.get("text"), str))


def _object(node: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = node.get(key)
    return value if isinstance(value, Mapping) else {}


def _first(*values: Any) -> int:
    """The first count that is told; 0 for a detail that nobody tells."""
    return next((n for n in map(_count, values) if n is not None), 0)


def _count(value: Any) -> int | None:
    """A whole number of tokens, at least 0; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**53 or value != int(value):
        return None
    return int(value)
