"""``schema``: the answer is JSON that matches a schema, and the target field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote

from harness.suite import Grade
from tasks.common.entries import shown
from tasks.common.jsonlines import Row
from tasks.common.texts import normalise
from tasks.jsonl.answers import MAX_CHARS, fenced, named, parsed, unfenced
from tasks.jsonl.graders.grader import MISSING, RIGHT, WRONG, Grader
from tasks.jsonl.task import Task

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

PARTLY, NO_MATCH = "partly right", "does not match the schema"
MOST_FAULTS = 10


class Schema(Grader):
    """An answer that does not match ``schema`` scores 0. With a target that is an object the score is the share of its
    fields that the answer has with an equal value; with any other target, 1 if it is equal; without one, 1. Texts are
    equal in their normal form, numbers by value, lists in order; fields that the target does not name do not count."""

    name = "schema"
    uses = frozenset({"schema", "solution"})
    example: ClassVar[Any] = {"a field": "as the schema below says"}

    def faults(self, row: Row) -> Iterator[str]:
        schema = row.get("schema")
        if not isinstance(schema, dict):
            yield (
                "'schema' must be an object, the JSON Schema of the answer"
                if "schema" in row
                else "'schema' is missing"
            )
            return
        fault = _fault(_canonical(schema))
        if fault is not None:
            yield f"'schema' {fault}"
            return
        for field in ("target", "solution"):
            if field in row and (misfit := misfits(schema, row[field])):
                yield f"'{field}' does not match 'schema': {misfit[0]}"

    def targets(self, row: Row) -> tuple[Any, ...]:
        return (row["target"],) if "target" in row else ()

    def wanted(self, task: Task) -> str:
        return f"a JSON value that matches this JSON Schema: {json.dumps(task.schema, ensure_ascii=False)}"

    def answer_schema(self, task: Task) -> Mapping[str, Any]:
        schema = dict(task.schema or {})
        return (
            {} if "$ref" in _canonical(schema) else schema
        )  # a reference means another place inside of another schema

    async def grade(self, task: Task, answer: str) -> Grade:
        """``detail``: the outcome, what was given, what does not match the schema, and which fields are wrong."""
        values = _values(task, answer)
        scores: list[float] = []
        faults: list[str] = []
        wrong: dict[str, None] = {}
        for value in values:
            misfit = misfits(task.schema or {}, value)
            faults += misfit
            score, fields = (0.0, []) if misfit else _likeness(task, value)
            scores.append(score)
            wrong.update(dict.fromkeys(fields))
        score = min(scores, default=0.0)
        outcome = MISSING if not values else NO_MATCH if faults else RIGHT if score == 1 else PARTLY if score else WRONG
        detail = {
            "outcome": outcome,
            "answer": [shown(value) for value in values[:3]],
            "expected": [shown(target) for target in task.targets],
            "faults": faults[:MOST_FAULTS],
            "wrong_fields": [shown(field) for field in wrong][:MOST_FAULTS],
        }
        return Grade(score, detail)

    def visible(self, task: Task, answer: str) -> Sequence[str]:
        values = _values(task, answer)
        if not values:
            return ["there is no JSON value"]
        return [fault for value in values for fault in misfits(task.schema or {}, value)][:MOST_FAULTS]

    def right(self, task: Task) -> Any:
        return task.targets[0] if task.targets else task.solution

    def wrong(self, task: Task, nearby: Sequence[Any]) -> Sequence[Any]:
        """Those declared and of other lines, the right answer with one field changed, and one of another type."""
        right = self.right(task)
        slips: list[Any] = [*task.wrong, *nearby]
        if isinstance(right, dict):
            slips += [{**right, field: _changed(value)} for field, value in right.items()][:MOST_FAULTS]
        slips += [_changed(right), "none", None]
        return [value for value in slips if value is not None and not self.accepts(task, value)]

    def accepts(self, task: Task, value: Any) -> bool:
        return not misfits(task.schema or {}, value) and _likeness(task, value)[0] == 1


def misfits(schema: Mapping[str, Any], value: Any) -> list[str]:
    """What in a value does not match a schema, a sentence each."""
    try:
        found = sorted(_validator(_canonical(schema)).iter_errors(value), key=lambda e: list(map(str, e.absolute_path)))
        return [str(shown(f"{'.'.join(map(str, e.absolute_path)) or 'the answer'}: {e.message}")) for e in found]
    except Exception as fault:  # a schema of anybody's and a value of any shape may take the validator anywhere
        return [f"it cannot be checked ({type(fault).__name__})"]


def _values(task: Task, answer: str) -> list[Any]:
    """Every JSON value that a text gives: as the answers of entries that name the task, as a whole, or in fences."""
    if len(answer) > MAX_CHARS:
        return []
    entries = named(task, answer)
    if entries:
        return [_meant(task, value) for value in entries]
    whole = parsed(unfenced(answer))
    if whole:
        return [value for value in whole if value is not None]
    return [value for block in fenced(answer) for value in parsed(block)]


def _meant(task: Task, value: Any) -> Any:
    """A text that is no answer by the schema may hold one as JSON."""
    if isinstance(value, str) and misfits(task.schema or {}, value):
        return (*parsed(value), value)[0]
    return value


def _likeness(task: Task, value: Any) -> tuple[float, list[str]]:
    """How much of the target a value is, and which of its fields are wrong."""
    if not task.targets:
        return 1.0, []
    target = task.targets[0]
    try:
        if not isinstance(target, dict) or not target:
            return float(_same(target, value)), []
        wrong = [
            f for f, v in target.items() if not isinstance(value, dict) or f not in value or not _same(v, value[f])
        ]
        return 1 - len(wrong) / len(target), wrong
    except RecursionError:
        return 0.0, []


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, str) and isinstance(b, str):
        return normalise(a) == normalise(b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(v, b[k]) for k, v in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    return bool(a == b)


def _changed(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return value * 10 + 1
    if isinstance(value, str):
        return f"not {value}"
    return value[:-1] if isinstance(value, list) else {}


def _canonical(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, ensure_ascii=False)


@lru_cache(maxsize=64)
def _validator(schema: str) -> Validator:
    from jsonschema import Draft202012Validator  # costs 50 ms to import: not before it is needed
    from jsonschema.validators import validator_for

    made = json.loads(schema)
    kind = validator_for(made, default=Draft202012Validator)
    return kind(made)


@lru_cache(maxsize=64)
def _fault(schema: str) -> str | None:
    """What is wrong with a schema."""
    from jsonschema.exceptions import best_match

    made = json.loads(schema)
    for reference in _references(made):
        if not reference.startswith("#"):
            return f"refers to {reference!r}: only references within it ('#/…') are followed"
        if reference.startswith("#/") and not _leads_somewhere(made, reference):
            return f"refers to {reference!r}, which is not there"
    kind = type(_validator(schema))
    try:
        fault = best_match(kind(kind.META_SCHEMA, format_checker=kind.FORMAT_CHECKER).iter_errors(made))
    except RecursionError:
        return "is nested too deep"
    if fault is None:
        return None
    where = ".".join(map(str, fault.absolute_path))
    return f"is no JSON Schema: {where + ': ' if where else ''}{fault.message:.200}"


def _references(schema: Any) -> Iterator[str]:
    layer = [schema]
    while layer:
        inner: list[Any] = []
        for value in layer:
            if isinstance(value, dict):
                yield from (v for k, v in value.items() if k in ("$ref", "$dynamicRef") and isinstance(v, str))
                inner += value.values()
            elif isinstance(value, list):
                inner += value
        layer = inner


def _leads_somewhere(schema: Any, pointer: str) -> bool:
    """Whether a JSON pointer leads to something."""
    at = schema
    for step in unquote(pointer[2:]).split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(at, dict) and name in at:
            at = at[name]
        elif isinstance(at, list) and name.isdigit() and int(name) < len(at):
            at = at[int(name)]
        else:
            return False
    return True
