"""``contains``: the answer contains the target, or each of several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tasks.common.jsonlines import Row
from tasks.common.texts import normalise, quantity
from tasks.jsonl.graders.grader import ValueGrader, as_text, text_faults, texts
from tasks.jsonl.task import Task

MAX_CHARS = 300
"""What an answer may have beside the targets: a dump of everything contains everything."""

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_EDGE = "[a-z0-9_]"


class Contains(ValueGrader):
    """Texts in their normal form, as with ``exact``; a target must stand there as a word or words of its own (``cat``
    is not in ``concatenate``, 4 not in 42). An answer of more than ``MAX_CHARS`` characters beyond the targets' own is
    wrong, and so is one that repeats the whole input, and, where a target is a number (with its unit or without), one
    with a number that no target has. That somebody denies a target, or names it among others, cannot be seen."""

    name = "contains"
    uses = frozenset[str]()

    def faults(self, row: Row) -> Iterator[str]:
        yield from text_faults(row, "target")

    def targets(self, row: Row) -> tuple[str, ...]:
        return texts(row, "target")

    def wanted(self, task: Task) -> str:
        return f"a sentence or two, at most {_room(task):,} characters"

    def is_right(self, task: Task, value: Any) -> bool:
        said = as_text(value)
        if len(said) > _room(task):
            return False
        text = normalise(said)
        asked = normalise(task.text)
        if any(quantity(target) is not None for target in task.targets) and not _numbers(said) <= _numbers(
            *task.targets
        ):
            return False
        return (asked not in text or asked in map(normalise, task.targets)) and all(
            _stands(t, text) for t in task.targets
        )

    def right(self, task: Task) -> str:
        return "; ".join(task.targets)

    def slips(self, task: Task) -> Sequence[str]:
        return ("It cannot be told.", "None of them.")


def _numbers(*told: str) -> set[str]:
    """The numbers in texts, as they are written but for commas."""
    found = (number for text in told for number in _NUMBER.findall(normalise(text)))
    return {number.replace(",", "") for number in found}


def _room(task: Task) -> int:
    return MAX_CHARS + sum(map(len, task.targets))


def _stands(target: str, text: str) -> bool:
    wanted = normalise(target)
    before = rf"(?<!{_EDGE})" if re.match(_EDGE, wanted) else ""
    after = rf"(?!{_EDGE})" if re.match(_EDGE, wanted[-1]) else ""
    if wanted[-1].isdigit():
        after += r"(?![.,]\d)"  # 4 is not in 4.5
    if wanted[0].isdigit():
        before += r"(?<!\d[.,])"
    return re.search(before + re.escape(wanted) + after, text) is not None
