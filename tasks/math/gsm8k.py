"""Word problems from a file in GSM8K's format: one JSON object a line with ``question`` and ``answer``, a worked
solution that ends in ``#### 72``. Other fields are ignored. Its calculator annotations, ``<<48/2=24>>``, give the
intermediate results that a solver who stops early would answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from tasks.common.documents import flat
from tasks.common.jsonlines import JsonLines, Row
from tasks.math.numbers import folded, number_in
from tasks.math.problems import Problem, label

_FINAL = "####"
_STEP = re.compile(r"<<[^<>=]*=([^<>]*)>>")
_HINT = '{"question": "…", "answer": "… #### 72"}'
MOST_WRONG = 3


class Gsm8k:
    """Problems of a file, made on demand."""

    def __init__(self, path: str) -> None:
        self._lines = JsonLines(path)
        self._lines.read(lambda _, row: _faults(row), _HINT)
        self.name = self._lines.name

    def __len__(self) -> int:
        return len(self._lines)

    def problem(self, index: int) -> Problem:
        """The problem at a place in the file; its label holds its number, from 1."""
        row = self._lines.row(index)
        answer = _answer(row["answer"])
        if answer is None:  # checked when the file was read
            raise ValueError(f"line {index} lost its answer")
        steps = len(_STEP.findall(row["answer"]))
        tags = (self.name, f"steps-{steps}") if steps else (self.name,)
        return Problem(label(index + 1), flat(row["question"]), answer, _wrong(row["answer"], answer), tags)


def _faults(row: Row) -> list[str]:
    """What is wrong with a line."""
    faults = []
    for field in ("question", "answer"):
        if not isinstance(row.get(field), str) or not row[field].strip():
            faults.append(f"'{field}' must be a text that is not empty")
    if not faults and _answer(row["answer"]) is None:
        faults.append(f"'answer' must end in the final number after {_FINAL}, such as '{_FINAL} 72'")
    return faults


def _answer(solution: str) -> Fraction | None:
    _, mark, final = solution.rpartition(_FINAL)
    return number_in(folded(final)) if mark else None


def _wrong(solution: str, answer: Fraction) -> tuple[Fraction, ...]:
    """The results of intermediate steps, last first; numbers nearby where they are too few."""
    found = (value for value in (*_results(solution), answer + 1, answer * 10, answer - 1) if value != answer)
    return tuple(dict.fromkeys(found))[:MOST_WRONG]


def _results(solution: str) -> Iterator[Fraction]:
    for result in reversed(_STEP.findall(solution)):
        value = number_in(folded(result))
        if value is not None:
            yield value
