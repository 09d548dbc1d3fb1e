"""``exact``: the answer is the target, or one of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tasks.common.jsonlines import Row
from tasks.common.texts import normalise
from tasks.jsonl.graders.grader import ValueGrader, as_text, text_faults, texts, unwrapped
from tasks.jsonl.task import Task


class Exact(ValueGrader):
    """Texts are compared as ``tasks.common.texts.normalise`` has them: letter case, white space, quotation marks,
    punctuation at the ends and a leading article do not count, nor what encloses the whole (``unwrapped``)."""

    name = "exact"
    uses = frozenset({"aliases"})

    def faults(self, row: Row) -> Iterator[str]:
        yield from text_faults(row, "target")
        if "aliases" in row:
            yield from text_faults(row, "aliases")

    def targets(self, row: Row) -> tuple[str, ...]:
        return texts(row, "target", "aliases")

    def wanted(self, task: Task) -> str:
        return "as short as it can be, with no sentence around it"

    def is_right(self, task: Task, value: Any) -> bool:
        said = as_text(value)
        most = 2 * max(map(len, task.targets)) + 100  # what a normal form takes away is little
        if len(said) > most:
            return False
        wanted = {form for target in task.targets for form in _forms(target)}
        return not wanted.isdisjoint(_forms(said))

    def right(self, task: Task) -> str:
        return str(task.targets[0])

    def slips(self, task: Task) -> Sequence[str]:
        return (f"not {task.targets[0]}", "something else")


def _forms(text: str) -> tuple[str, str]:
    return normalise(text), normalise(unwrapped(text))
