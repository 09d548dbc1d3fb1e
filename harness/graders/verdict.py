"""What a judge is asked to write, and what may be read from it: one JSON object, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from harness.delegation.checks.result import NoJson, Result
from harness.errors import HarnessError

REASON = "reason"
SCORE = "score"
BETTER = "better"
CHOICES = ("A", "B", "tie")

V_co = TypeVar("V_co", covariant=True)


class Unreadable(HarnessError):
    """A judge has given no verdict that can be read, although it was asked once more."""


@dataclass(frozen=True, slots=True)
class Verdict(Generic[V_co]):
    """What a judge has decided, and why, in its own words."""

    value: V_co
    reason: str


class Form(Protocol[V_co]):
    """The form that a verdict is asked for in."""

    @property
    def schema(self) -> Mapping[str, Any]: ...

    def read(self, text: str) -> Verdict[V_co]:
        """Raises NoJson, in one sentence, for a text that is no such verdict."""


@dataclass(frozen=True, slots=True)
class ScoreForm:
    """A whole number from 0 to ``highest``."""

    highest: int

    @property
    def schema(self) -> Mapping[str, Any]:
        return _schema(SCORE, {"type": "integer", "enum": list(range(self.highest + 1))})

    def read(self, text: str) -> Verdict[int]:
        value, reason = _fields(text, SCORE)
        if type(value) is not int or not 0 <= value <= self.highest:
            raise NoJson(f'"{SCORE}" must be a whole number from 0 to {self.highest}; it is {_shown(value)}.')
        return Verdict(value, reason)


@dataclass(frozen=True, slots=True)
class ChoiceForm:
    """One of ``A``, ``B`` and ``tie``."""

    @property
    def schema(self) -> Mapping[str, Any]:
        return _schema(BETTER, {"type": "string", "enum": list(CHOICES)})

    def read(self, text: str) -> Verdict[str]:
        value, reason = _fields(text, BETTER)
        if value not in CHOICES:
            raise NoJson(f'"{BETTER}" must be one of {", ".join(CHOICES)}; it is {_shown(value)}.')
        return Verdict(str(value), reason)


def response_format(form: Form[Any]) -> dict[str, Any]:
    """The form as providers take it (OpenAI's API reference, "Structured outputs")."""
    return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": dict(form.schema)}}


def _schema(field: str, of: Mapping[str, Any]) -> dict[str, Any]:
    """The reason comes first, so that the decision is written after it."""
    return {
        "type": "object",
        "properties": {REASON: {"type": "string"}, field: dict(of)},
        "required": [REASON, field],
        "additionalProperties": False,
    }


def _fields(text: str, field: str) -> tuple[Any, str]:
    """The decision and the reason of a verdict that has just these two."""
    value = Result.of(text).plain
    if not isinstance(value, dict) or set(value) != {REASON, field}:
        raise NoJson(f'The verdict must be a JSON object with "{REASON}" and "{field}", and nothing else.')
    if not isinstance(value[REASON], str):
        raise NoJson(f'"{REASON}" must be a text.')
    return value[field], value[REASON]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)[:60]
