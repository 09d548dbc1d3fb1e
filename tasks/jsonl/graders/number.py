"""``number``: the answer is the target's number, in its unit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

from tasks.common.jsonlines import Row
from tasks.common.texts import quantity
from tasks.jsonl.graders.grader import ValueGrader, as_text, text_faults, texts, unwrapped
from tasks.jsonl.task import Task

MAX_CHARS = 300
_CURRENCY = frozenset({"", "$", "€", "£", "¥", "₹", "元", "us$", "usd", "eur", "gbp", "cny", "rmb"})
"""What makes no other number of the one beside it. Any list of words that do (million, lakh, dozen, squared, minus, …)
would lack some, so that no other unit is left aside."""
_PERCENT = {"percent": "%", "per cent": "%", "pct": "%"}
_ODD = re.compile(r"\d\s*!|!\s*\d")  # a factorial


class Number(ValueGrader):
    """Numbers are compared exactly, as decimals; ``tolerance`` is the largest difference that still counts as equal.
    A unit must be the target's (``12.50 万元``, ``$5``, ``45 days``; ``15 percent`` is ``15%``). Where the target has
    none, the answer may have none either but a sign of currency."""

    name = "number"
    uses = frozenset({"aliases", "tolerance"})

    def faults(self, row: Row) -> Iterator[str]:
        for field in ("target", *(["aliases"] if "aliases" in row else [])):
            faults = list(text_faults(row, field))
            yield from faults
            for value in texts(row, field) if not faults else ():
                if quantity(value) is None:
                    yield f"'{field}' {value!r:.80} is not one number with a unit or without, such as 45 or '45 days'"
        if "tolerance" in row:
            try:
                if not 0 <= Decimal(as_text(row["tolerance"])) < Decimal("Infinity"):
                    raise ValueError
            except (ValueError, ArithmeticError):
                yield "'tolerance' must be a number from 0, in the target's unit"

    def targets(self, row: Row) -> tuple[str, ...]:
        return texts(row, "target", "aliases")

    def wanted(self, task: Task) -> str:
        units = {found[1] for target in task.targets if (found := quantity(target)) is not None}
        return f"one number {'without a' if units == {''} else 'with its'} unit, and no words around it"

    def is_right(self, task: Task, value: Any) -> bool:
        found = _measure(as_text(value))
        if found is None:
            return False
        targets = filter(None, map(_measure, task.targets))
        return any(
            abs(number - found[0]) <= task.tolerance and (found[1] == unit or (not unit and found[1] in _CURRENCY))
            for number, unit in targets
        )

    def right(self, task: Task) -> str:
        return str(task.targets[0])

    def slips(self, task: Task) -> Sequence[str]:
        """Ten times as much, one more, and the opposite, in the target's unit."""
        found = quantity(task.targets[0])
        if found is None:  # checked when the file was read
            return ()
        value, unit = found
        step = 1 + 2 * task.tolerance
        return [f"{other:f} {unit}".strip() for other in (value * 10, value + step, -value - step)]


def _measure(text: str) -> tuple[Decimal, str] | None:
    """A text as (value, unit), without what encloses all of it; None if it is no number with a unit or without."""
    if len(text) > MAX_CHARS or _ODD.search(text) or _raised(text):
        return None
    found = quantity(unwrapped(text))
    return None if found is None else (found[0], _PERCENT.get(found[1], found[1]))


def _raised(text: str) -> bool:
    """Whether a sign follows a digit that would become a digit in the normal form: ``45²`` is not 452."""
    return any(a.isdigit() and unicodedata.category(b) == "No" for a, b in pairwise(text))
