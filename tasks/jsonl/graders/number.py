"""``number``: the answer is the target's number, in its unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from tasks.common.jsonlines import Row
from tasks.common.texts import normalise, quantity
from tasks.jsonl.graders.grader import ValueGrader, as_text, text_faults, texts
from tasks.jsonl.task import Task

MAX_CHARS = 300
SCALING = frozenset(
    {"%", "‰", "percent", "per", "permille", "k", "hundred", "thousand", "million", "billion", "trillion", "bn",
     "十", "百", "千", "万", "亿"}
)  # fmt: skip
"""What makes another number of the one before it, so that it is never left aside."""
_ADJACENT = tuple("%‰十百千万亿")
"""Those of them that another word may follow at once: ``万元``."""
MOST_WORDS = 3
"""Words of a unit: ``eggs a day``."""
_NO_UNIT = ("or", "and", "to", "not", "than", "at")
_AROUND = re.compile(
    r"(?:us|usd|eur|gbp|cny|rmb)?\W*[\d.,]+\s*(?P<unit>(?:(?:[^\W\d_]|[$€£¥₹°%‰])(?:\D|(?<=[a-z])\d)*)?)"
)


class Number(ValueGrader):
    """Numbers are compared exactly, as decimals; ``tolerance`` is the largest difference that still counts as equal.
    A unit must be the target's (``12.50 万元``, ``$5``, ``45 days``). Where the target has none, a unit of at most
    three words after the number, or a sign of currency before it, is left aside, unless it makes another number of it
    (``%``, ``million``, ``万``)."""

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
        return "one number, with its unit where the task leaves room for several, and no words around it"

    def is_right(self, task: Task, value: Any) -> bool:
        said = as_text(value)
        found = quantity(said) if len(said) <= MAX_CHARS else None
        if found is None:
            return False
        units = (found[1], "") if _is_unit(said) else (found[1],)
        targets = (quantity(target) for target in task.targets)
        return any(t is not None and abs(t[0] - found[0]) <= task.tolerance and t[1] in units for t in targets)

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


def _is_unit(said: str) -> bool:
    """Whether what stands around the number can only be a unit, and one that makes no other number of it."""
    found = _AROUND.fullmatch(normalise(said))
    words = found["unit"].split() if found else []
    if found is None or len(words) > MOST_WORDS:
        return False
    return found["unit"][:1] not in _ADJACENT and not SCALING.union(_NO_UNIT).intersection(words)
