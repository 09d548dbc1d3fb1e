"""From what a model wrote to parts with purposes: the free text and each tool call of one completion."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.accounting.restating import Reading, segments
from harness.agents.tools import Arguments
from harness.models.protocol import ToolCall

_UNIT = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.S)
_CONTENT = re.compile(r'"content"\s*:\s*"')
_TYPE = re.compile(r'"type"\s*:\s*"(\w+)"')
_LENIENT = json.JSONDecoder(strict=False)
_RESULT = "result"


@dataclass(frozen=True, slots=True)
class CallParts:
    """One tool call in a conversation: its id, its name and its arguments as parts (joined: exactly what the model
    wrote), and the parsed arguments (None when they are not a JSON object)."""

    id: str
    name: Part
    arguments: tuple[Part, ...]
    parsed: Arguments | None


def parse_arguments(text: str) -> Arguments | None:
    """The arguments of a call, or None when the model did not write a JSON object."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return None
    return Arguments(value) if isinstance(value, dict) else None


def text_parts(text: str, author: str, purpose: Purpose | Reading) -> tuple[Part, ...]:
    """Free text or a deliverable: one part of a given purpose, or stretches told apart by what they restate."""
    if not text:
        return ()
    if isinstance(purpose, Purpose):
        return (Part(text, author, purpose),)
    return tuple(Part(piece, author, p) for piece, p in segments(text, purpose))


def call_parts(
    call: ToolCall,
    author: str,
    purpose_of: Callable[[Mapping[str, Any]], Purpose] | None,
    reading: Reading,
) -> CallParts:
    """One tool call. ``purpose_of`` is the tool's (None: a task tool, ``answer``). Of arguments that are no JSON object
    the type of a message counts, if it can be read.

    The payload of a ``result`` message is told apart by what it restates, all around it is ``report``.
    """
    parsed = parse_arguments(call.arguments)
    if purpose_of is None:
        purpose = Purpose.ANSWER
    else:
        purpose = purpose_of(_type_in(call.arguments) if parsed is None else parsed)
    name = Part(call.name, author, purpose)
    content = parsed.get("content") if parsed is not None and purpose_of is not None else None
    if parsed is None or not isinstance(content, str) or not content:
        return CallParts(call.id, name, text_parts(call.arguments, author, purpose), parsed)
    if parsed.get("type") == _RESULT:
        parsed.payload = text_parts(content, author, reading)
    else:
        parsed.payload = (Part(content, author, purpose),)
    return CallParts(call.id, name, _around(call.arguments, content, parsed.payload, author, purpose), parsed)


def _type_in(raw: str) -> Mapping[str, str]:
    """What can be read of arguments that do not parse."""
    found = _TYPE.search(raw)
    return {"type": found[1]} if found else {}


def _around(raw: str, content: str, payload: Sequence[Part], author: str, purpose: Purpose) -> tuple[Part, ...]:
    """The raw JSON arguments as parts, the ``content`` string cut where its decoded payload is cut."""
    span = _content_span(raw, content)
    if span is None:
        return (Part(raw, author, purpose),)
    start, end = span
    pieces = [raw[start:end]] if len(payload) == 1 else _cut(raw[start:end], [len(p.text) for p in payload])
    return (
        Part(raw[:start], author, purpose),
        *(Part(piece, author, p.purpose, p.text) for piece, p in zip(pieces, payload, strict=True)),
        Part(raw[end:], author, purpose),
    )


def _content_span(raw: str, content: str) -> tuple[int, int] | None:
    """Where the value of ``content`` stands in raw JSON, without its quotes."""
    for m in _CONTENT.finditer(raw):
        try:
            decoded, end = _LENIENT.raw_decode(raw, m.end() - 1)
        except ValueError:
            continue
        if decoded == content:
            return m.end(), end - 1
    return None


def _cut(raw: str, lengths: Sequence[int]) -> list[str]:
    """The spelling of a JSON string in pieces of so many decoded characters."""
    units = _UNIT.findall(raw)
    ends = list(accumulate(lengths))
    return ["".join(units[end - n : end]) for n, end in zip(lengths, ends, strict=True)]
