"""Entries of a result and the values in them: how they are found, compared and shown in an error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import Enum
from typing import Any

from harness.delegation.checks.number import MOST_DIGITS

LONG = 20
"""Digits before or after the point from which a number is compared in the spelling with an exponent."""
CUT = 200
"""Characters of a value in an error."""


class Absent(Enum):
    """An entry has no such field. Unlike null, which says that something is not known, this says nothing."""

    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a result: ``number`` counts from 1, ``value`` is any JSON value."""

    number: int
    value: Any

    def get(self, field: str | None) -> Any:
        """The field's value, ``Absent.ABSENT`` if there is none; the whole entry where no field is named."""
        if field is None:
            return self.value
        return self.value.get(field, Absent.ABSENT) if isinstance(self.value, Mapping) else Absent.ABSENT

    def __str__(self) -> str:
        """Its number and its first text that is not empty."""
        texts = self.value.values() if isinstance(self.value, Mapping) else (self.value,)
        first = next((t for t in texts if isinstance(t, str) and t.strip()), None)
        return f"entry {self.number}" + ("" if first is None else f" ({shown(first)})")


def cut(text: str, most: int = CUT) -> str:
    """At most so many characters of a text, in one line."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else line[: most - 2] + " …"


def shown(value: Any) -> str:
    """A value as JSON, cut."""
    if isinstance(value, str):
        return f'"{cut(value)}"'
    return cut(text_of(value) or json.dumps(value, ensure_ascii=False, default=float))


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def text_of(value: Any) -> str | None:
    """A text, or a number as it is written; None for anything else."""
    return str(value) if isinstance(value, str) or is_number(value) else None


def exact(value: int | float | Decimal) -> Decimal:
    """The number that was written: 0.1 is a tenth."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def key(value: Any) -> tuple[str, str]:
    """What values have in common that count as the same: numbers by value, texts letter by letter, and a number is the
    same as the text that spells it shortest (1, 1.00 and "1"), since models write either."""
    if isinstance(value, str) or is_number(value):
        return "text", _canonical(value)
    return "json", json.dumps(_canonical(value), ensure_ascii=False, sort_keys=True)


def _canonical(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _canonical(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_canonical(inner) for inner in value]
    if not is_number(value):
        return value
    shortest = exact(value).normalize(Context(prec=MOST_DIGITS))
    return "0" if shortest == 0 else f"{shortest:f}" if abs(shortest.adjusted()) < LONG else str(shortest)
