"""A worker's answer as JSON, and the entries in it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

from harness.delegation.checks.number import MOST_DIGITS
from harness.delegation.checks.schemas import Layout, depth

MOST_CHARS = 200_000
"""Characters of a result; about 50,000 tokens."""
MOST_DEPTH = 50
"""Lists and objects inside each other."""

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(?P<inside>.*)\n[ \t]*```", re.DOTALL)


class NoJson(Exception):
    """One sentence on why a text is not one JSON value."""


@dataclass(frozen=True, slots=True)
class Result:
    """One JSON value twice: ``exact`` with numbers that have a point or an exponent as Decimal, spelled as they were
    written; ``plain`` as ``json`` reads it."""

    exact: Any
    plain: Any

    @staticmethod
    def of(text: str) -> Result:
        """The JSON value that a text is. A Markdown fence around it is allowed, prose is not: what must be searched for
        in prose was not agreed on. Raises NoJson."""
        fenced = _FENCE.fullmatch(text.strip())
        body = (fenced["inside"] if fenced else text).strip()
        if len(body) > MOST_CHARS:
            raise NoJson(f"The result has {len(body):,} characters, the most is {MOST_CHARS:,}.")
        try:
            exact = json.loads(body, parse_float=_decimal, parse_int=_integer, parse_constant=_constant)
        except json.JSONDecodeError as fault:
            raise NoJson(_why(body, fault)) from None
        except RecursionError:
            raise NoJson(_too_deep()) from None
        if depth(exact) > MOST_DEPTH:
            raise NoJson(_too_deep())
        return Result(exact, json.loads(body))


def entries(value: Any, layout: Layout) -> list[Any]:
    """The entries of a result. The schema decides where they are if it says so; else a list holds them, an object is
    one, unless it has just one list of objects in it (or nothing but a list): then that; anything else is one."""
    if layout.kind == "list":
        value = value if layout.member is None else value.get(layout.member, [])
    elif layout.kind == "unknown" and isinstance(value, Mapping):
        lists = [v for v in value.values() if isinstance(v, list) and v and all(isinstance(e, Mapping) for e in v)]
        sole = next(iter(value.values())) if len(value) == 1 else None
        value = lists[0] if len(lists) == 1 else sole if isinstance(sole, list) else value
    return value if isinstance(value, list) and layout.kind != "one" else [value]


def _decimal(literal: str) -> Decimal:
    if math.isinf(float(literal)) or len(literal) > MOST_DIGITS or abs(Decimal(literal).adjusted()) > MOST_DIGITS:
        raise NoJson(f"The number {literal[:30]}… is longer, larger or smaller than numbers can be.")
    return Decimal(literal)


def _integer(literal: str) -> int:
    if len(literal) > 300:  # beyond what a float holds, and slow to read in the tens of thousands
        raise NoJson(f"The number {literal[:30]}… is longer than numbers can be.")
    return int(literal)


def _constant(literal: str) -> NoReturn:
    raise NoJson(f"{literal} is no JSON value: give null for a number that is not known.")


def _too_deep() -> str:
    return f"The result is nested more than {MOST_DEPTH} levels deep."


def _why(body: str, fault: json.JSONDecodeError) -> str:
    asked = "The result must be one JSON value and nothing else (a Markdown fence around it is allowed)"
    if not body:
        return f"{asked}: it is empty."
    if fault.msg == "Extra data":
        return f"{asked}: there is more after its end, at line {fault.lineno} column {fault.colno}."
    if fault.pos == 0 and re.search(r"[\[{]", body):
        return f"{asked}: there is other text before it."
    return f"{asked}: {fault.msg} at line {fault.lineno} column {fault.colno}."
