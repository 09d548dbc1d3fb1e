"""The grader: the final number of each problem, whatever stands around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.suite import Grade
from tasks.common.entries import entries_in, shown
from tasks.common.texts import normalise, strip_marker
from tasks.math.numbers import final_in, folded, has_number, number_in, written
from tasks.math.problems import Asked, Problem

RIGHT, WRONG, MISSING = "right", "wrong", "missing"
MAX_CHARS = 300
"""An entry's answer longer than this is no number; it is wrong without being looked at."""
MAX_TEXT_CHARS = 200_000
"""Of a longer text only its last part is looked through for a final number."""
MOST_MARKS = 100
"""A text that gives more numbers than that after ``####`` has decided nothing."""

_HASHES = re.compile(r"####(?=[\s*_`$€£¥₹+-]*\.?\d)")  # and no heading
_MARK = re.compile(r"\banswer(?:\s+is\s*:?|\s*:)|答案\s*[是为]?\s*:|答案\s*[是为]")
_BOXED = re.compile(r"\\boxed\s*\{([^{}]*)\}")
_LEAD = re.compile(r"[\s*_`]*")


@dataclass(frozen=True)
class Reading:
    """What an answer says to one problem. ``told``: the answers of entries that name it; ``numbers``: every final
    number that is given for it, None for one that cannot be read."""

    asked: Asked
    told: tuple[Any, ...]
    numbers: tuple[Fraction | None, ...]


def read(problems: Sequence[Asked], answer: str) -> list[Reading]:
    """An answer text, problem by problem. Never raises, whatever the text."""
    by_name: dict[str, list[Any]] = {}
    for entry in entries_in(answer):
        if "answer" in entry and isinstance(named := entry.get("question"), str):
            by_name.setdefault(normalise(strip_marker(named)), []).append(entry["answer"])
    found = []
    for problem in problems:
        names = dict.fromkeys(map(normalise, (problem.label, problem.text, problem.line)))
        told = [value for name in names for value in by_name.get(name, ())]
        numbers = [_number(value) for value in told if value is not None and value != ""]
        if len(problems) == 1 and not told:
            numbers = _final_numbers(answer, alone=not by_name)
        found.append(Reading(problem, tuple(told), tuple(numbers)))
    return found


def grade(problems: Sequence[Problem], answer: str) -> Grade:
    """Score an answer text: share of problems whose final number is right. Never raises, whatever the text.

    ``detail``: counts of ``right``, ``wrong`` (several numbers that differ count here) and ``missing``, and a result
    for each problem.
    """
    counts = dict.fromkeys((RIGHT, WRONG, MISSING), 0)
    results = []
    for problem, reading in zip(problems, read(problems, answer), strict=True):
        key = problem.answer
        outcome = MISSING if not reading.numbers else RIGHT if set(reading.numbers) == {key} else WRONG
        counts[outcome] += 1
        results.append(
            {
                "question": problem.label,
                "outcome": outcome,
                "answer": [shown(value) for value in reading.told[:3]],
                "number": [None if value is None else written(value) for value in reading.numbers[:3]],
                "expected": written(key),
            }
        )
    return Grade(counts[RIGHT] / len(problems), {**counts, "problems": results})


@dataclass(frozen=True)
class VisibleTests:
    """What anybody can say against an answer without the key (``harness.suite.Sample.visible``): whether there is one
    final number for each problem. They hold no key: a wrong number passes."""

    problems: tuple[Asked, ...]

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text."""
        told = ((reading.asked.label, reading.numbers) for reading in read(self.problems, answer))
        return [f"{fault}: {label}" for label, numbers in told if (fault := _fault(numbers)) is not None]


def _fault(numbers: Sequence[Fraction | None]) -> str | None:
    if not numbers:
        return "no final number"
    if None in numbers:
        return "the answer is not one number"
    return "several numbers that differ" if len(set(numbers)) > 1 else None


def _number(value: Any) -> Fraction | None:
    """The number that an entry's answer is; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        text = str(value) if not isinstance(value, float) else written(Fraction(repr(value)))
    except (ValueError, OverflowError):  # infinite, or of thousands of digits
        return None
    return final_in(folded(text)) if len(text) <= MAX_CHARS else None


def _final_numbers(answer: str, alone: bool) -> list[Fraction | None]:
    """The final numbers of a text about one problem, None for one that cannot be read: all that follow ``####``; or
    else the last in ``\\boxed{…}``; or else the last after "answer:" or "answer is"; or else, if it may stand
    ``alone``, the only number in the text."""
    text = folded(answer[-MAX_TEXT_CHARS:])
    hashes = [_after(text, found.end()) for found in _HASHES.finditer(text)]
    if hashes:
        return [None] if len(hashes) > MOST_MARKS else [final_in(tail) for tail in hashes]
    for tails in (
        [found[1][:MAX_CHARS] for found in _BOXED.finditer(text)],
        [_after(text, found.end()) for found in _MARK.finditer(text)],
    ):
        marked = [tail for tail in tails if has_number(tail)]
        if marked:
            return [final_in(marked[-1])]
    return [number_in(text)] if alone and has_number(text) else []


def _after(text: str, end: int) -> str:
    """The rest of the line after a mark, or the next line that says something; ``MAX_CHARS`` of it at most."""
    lead = _LEAD.match(text, end, end + MAX_CHARS)
    start = end if lead is None else lead.end()
    return text[start : start + MAX_CHARS].partition("\n")[0]
