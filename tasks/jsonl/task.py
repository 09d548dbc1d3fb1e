"""One line of the file, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tasks.common.documents import Document

LABEL = "Task "
FILE = "solution.py"
"""What the grader python runs. A task that asks for it names it in its line: ``Task 12, solution.py: …``."""


@dataclass(frozen=True)
class Task:
    """What a line asks for and how it is graded. The fields are those of the line (docs/your-own-data.md); ``text``:
    its ``input``; ``targets``: its ``target``, or each of the list, and its ``aliases``; ``documents``: none if the
    line was read for its key alone."""

    id: str
    text: str
    grader: str
    targets: tuple[Any, ...] = ()
    tolerance: Decimal = Decimal(0)
    schema: Mapping[str, Any] | None = None
    solution: Any = None
    evidence: tuple[str, ...] = ()
    wrong: tuple[Any, ...] = ()
    cluster: str = ""
    tags: tuple[str, ...] = ()
    metadata: Any = None
    documents: tuple[Document, ...] = field(default=())

    @property
    def label(self) -> str:
        """What the task is called, the only one of its kind in the file: ``Task 12``."""
        return f"{LABEL}{self.id}"


def ids_of(head: str) -> tuple[str, ...]:
    """What the id of a task may be whose line begins so; empty if no task's does."""
    rest = head.removeprefix(LABEL)
    return tuple(dict.fromkeys((rest, rest.removesuffix(f", {FILE}")))) if head.startswith(LABEL) else ()
