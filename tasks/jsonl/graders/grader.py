"""What a grader is: which fields of a line it uses, what it asks for, and when an answer is right."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from harness.models.oracle import Entry
from harness.suite import Grade
from tasks.common.entries import shown
from tasks.common.jsonlines import Row
from tasks.jsonl.answers import NAMING, TELLING, offered
from tasks.jsonl.task import Task

RIGHT, WRONG, MISSING = "right", "wrong", "missing"
MOST_SHOWN = 3
MOST_WRAPS = 3
_WRAPPED = re.compile(
    r"\s*(?:\*{1,3}([^*]+)\*{1,3}|_{1,3}([^_]+)_{1,3}|`([^`]+)`|\(([^()]+)\)|（([^（）]+)）|\[([^\[\]]+)\])[.。]?\s*"
)


class Grader(ABC):
    """``name``: in the field ``grader``. ``uses``: the fields, beside those that every line may have, that mean
    something to it; ``example``: what stands for an answer where its form is shown. Its methods never raise, whatever
    an answer says."""

    name: ClassVar[str]
    uses: ClassVar[frozenset[str]]
    example: ClassVar[Any] = "the answer"

    @abstractmethod
    def faults(self, row: Row) -> Iterator[str]:
        """What is wrong with the fields that this grader uses, the target first. The row holds no null."""

    @abstractmethod
    def targets(self, row: Row) -> tuple[Any, ...]:
        """The target of a line without faults, as tasks hold it."""

    @abstractmethod
    def wanted(self, task: Task) -> str:
        """What an answer is to be, as the end of a sentence."""

    @abstractmethod
    async def grade(self, task: Task, answer: str) -> Grade:
        """Score an answer text."""

    @abstractmethod
    def right(self, task: Task) -> Any:
        """A right answer, None if the line gives none."""

    def criterion(self, task: Task) -> str:
        """What any right answer fulfils."""
        return f"Right is {self.wanted(task)}."

    @abstractmethod
    def wrong(self, task: Task, nearby: Sequence[Any]) -> Sequence[Any]:
        """Plausible wrong answers. ``nearby``: right answers of other lines with this grader."""

    @abstractmethod
    def accepts(self, task: Task, value: Any) -> bool:
        """Whether a value is a right answer, as far as that can be said at once."""

    def ready(self) -> None:
        """Raise HarnessError if this machine lacks what grading needs."""
        return

    def head(self, task: Task) -> str:
        """What the task's line begins with."""
        return task.label

    def entry(self, task: Task, answer: Any) -> Entry:
        """A deliverable entry."""
        return {NAMING: task.label, TELLING: answer}

    def written(self, task: Task, answer: Any) -> str:
        """A whole deliverable."""
        return json.dumps([self.entry(task, answer)], ensure_ascii=False)

    def form(self, task: Task) -> str:
        """The paragraph of the statement that says how to answer, with an example of an entry on a line of its own."""
        example = json.dumps([{NAMING: "the label of the task", TELLING: self.example}])
        return f"A JSON array with one object and nothing else:\n{example}\nIn it, the answer is {self.wanted(task)}."

    def output_schema(self, task: Task) -> Mapping[str, Any] | None:
        """JSON schema of the whole deliverable."""
        entry = {NAMING: {"type": "string"}, TELLING: self.answer_schema(task)}
        items = {"type": "object", "properties": entry, "required": list(entry), "additionalProperties": False}
        return {"type": "array", "items": items}

    def answer_schema(self, task: Task) -> Mapping[str, Any]:
        """JSON schema of the answer in an entry."""
        return {"type": ["string", "number", "null"]}

    def visible(self, task: Task, answer: str) -> Sequence[str]:
        """What anybody can say against an answer without the key, a sentence each."""
        return [] if offered(task, answer) else ["there is no answer"]


class ValueGrader(Grader):
    """A grader that judges one value at a time; several must all be right."""

    @abstractmethod
    def is_right(self, task: Task, value: Any) -> bool:
        """Whether a value is a right answer. It may raise ValueError, ArithmeticError or RecursionError for one that is
        none."""

    async def grade(self, task: Task, answer: str) -> Grade:
        """1 or 0. ``detail``: the outcome, what was given (of several the first) and what is expected."""
        values = offered(task, answer)
        outcome = MISSING if not values else RIGHT if all(self.accepts(task, v) for v in values) else WRONG
        given = [shown(value) for value in values[:MOST_SHOWN]]
        expected = [shown(target) for target in task.targets[:MOST_SHOWN]]
        return Grade(float(outcome == RIGHT), {"outcome": outcome, "answer": given, "expected": expected})

    def wrong(self, task: Task, nearby: Sequence[Any]) -> Sequence[Any]:
        return [v for v in dict.fromkeys((*task.wrong, *nearby, *self.slips(task))) if not self.accepts(task, v)]

    @abstractmethod
    def slips(self, task: Task) -> Sequence[Any]:
        """Answers that are likely to be wrong, for lines that have no neighbours."""

    def accepts(self, task: Task, value: Any) -> bool:
        try:
            return self.is_right(task, value)
        except (ValueError, ArithmeticError, RecursionError):
            return False


def as_text(value: Any) -> str:
    """A value that an answer may be, as text; a list of one stands for it. Raises ValueError for any other."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("neither text nor number")
    return str(value)


def unwrapped(text: str) -> str:
    """A text without what encloses all of it and says nothing: emphasis, a pair of brackets (``(A)``, ``**Paris**``)
    or a JSON list of one text."""
    bare = text
    for _ in range(MOST_WRAPS):
        found = _WRAPPED.fullmatch(bare)
        if found is None:
            break
        bare = next(filter(None, found.groups())).strip().strip('"')
    return bare


def texts(row: Row, *fields: str) -> tuple[str, ...]:
    """The texts of fields that hold a text, a number, or a list of these."""
    values = (value for name in fields if name in row for value in _listed(row[name]))
    return tuple(as_text(value) for value in values)


def text_faults(row: Row, field: str) -> Iterator[str]:
    """What is wrong with a field that must hold a text, a number, or a list of these that is not empty."""
    values = _listed(row.get(field, []))
    for value in values:
        try:
            if as_text(value).strip():
                continue
        except ValueError:
            pass
        yield f"'{field}' must be a text or a number, or a list of these; this one is {shown(value)!r}"
        return
    if not values:
        yield f"'{field}' is missing" if field not in row else f"'{field}' is an empty list"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
