"""Whether a result fits its output schema (003, section 2.3, first step)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from harness.agents.fitting import surely_fits
from harness.delegation.checks.check import MOST_ERRORS
from harness.delegation.checks.pattern import MOST_TEXT, pattern

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

_BEGINNING, _END = 100, 180
"""Characters of a long error that are told; the values it begins with are cut, what is wrong with them stands at its
end."""


def schema_errors(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """How a JSON value, as ``json`` reads it, does not fit an accepted schema: at most 20 errors, each with its place
    (entries count from 1), and how many more. Null as the value of a field fits whatever the schema says of it: it
    marks a gap, and a worker that is sent back for one would have to guess (003, section 2.1)."""
    try:
        if surely_fits(value, schema):
            return []
        every = _validator(json.dumps(schema, sort_keys=True)).iter_errors(value)
        found = (e for e in every if not _is_gap(e))
        told = [place(e.absolute_path) + shorter(e.message) for e in islice(found, MOST_ERRORS)]
        more = sum(1 for _ in found)
    except RecursionError:
        return ["The result is nested too deep to be checked."]
    return [*told, f"… and {more:,} more"] if more else told


def _is_gap(error: ValidationError) -> bool:
    path = error.absolute_path
    return error.instance is None and bool(path) and isinstance(path[-1], str)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether there are no such errors."""
    return not schema_errors(value, schema)


def place(path: Iterable[str | int]) -> str:
    """How an error begins about something at this path."""
    steps = [f"entry {step + 1}" if isinstance(step, int) else step for step in path]
    return ", ".join(steps) + ": " if steps else ""


def shorter(message: str) -> str:
    if len(message) <= _BEGINNING + _END:
        return message
    return f"{message[:_BEGINNING]} … {message[-_END:]}"


@lru_cache(maxsize=256)
def _validator(schema: str) -> Validator:
    """Draft 2020-12, its ``pattern`` matched without backtracking."""
    from jsonschema import Draft202012Validator, validators  # costs 50 ms to import: not before a result is in doubt

    kind: type[Validator] = validators.extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    return kind(json.loads(schema))


def _pattern(validator: Validator, source: str, value: Any, _: Mapping[str, Any]) -> Iterator[ValidationError]:
    from jsonschema import ValidationError

    if not validator.is_type(value, "string") or pattern(source).occurs(value):
        return
    if len(value) > MOST_TEXT:
        yield ValidationError(f"has {len(value):,} characters, too many to match a pattern: at most {MOST_TEXT:,}")
    else:
        yield ValidationError(f"{value!r} does not match {source!r}")
