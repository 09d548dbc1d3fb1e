"""The task order: everything a worker is told, in fields that can be checked (seed document 003, sections 2.1, 4.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from harness.accounting.tokens import count_tokens
from harness.delegation.checks.criterion import Criterion

BLOCKED = "BLOCKED:"
"""How a worker's answer begins that says why it cannot do the task (003, section 5.4)."""
IF_BLOCKED = (
    "Write null for what you cannot read or find; do not guess it. If you cannot do the task at all, answer only "
    f'"{BLOCKED} " and what blocks you. Do not widen the task.'
)
"""How every order ends (003, sections 2.1, 3.4 and 5.4): gaps are marked, neither guessed nor handed on."""
_BLOCKED = re.compile(r"[\s`*]*blocked\s*:[*\s]*", re.I)
DELEGATE = "delegate"
"""The forbidden action of handing the task on (003, section 4.2)."""

_NAME = re.compile(r"[\w.-]+", re.ASCII)
"""A tool's name or tag: what the chat protocol allows in one."""


def blocker(text: str) -> str | None:
    """What blocks a worker, by its own word, also in bold, in a fence or in small letters; None if its answer is no
    such word."""
    found = _BLOCKED.match(text)
    return None if found is None else text[found.end() :].strip().strip("`*").strip()


@dataclass(frozen=True, slots=True)
class ContextCard:
    """What a worker must know of the larger task: its ``background``, ``local_facts`` about this part, and what is
    ``excluded``."""

    background: str = ""
    local_facts: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "background": self.background,
            "local_facts": list(self.local_facts),
            "excluded": list(self.excluded),
        }

    @property
    def tokens(self) -> int:
        """Its size, o200k_base."""
        return sum(map(count_tokens, (self.background, *self.local_facts, *self.excluded)))


@dataclass(frozen=True, slots=True)
class TaskOrder:
    """One subtask.

    ``input_ref``: names of material, read by the worker through a tool when it needs it. ``output_schema``: JSON schema
    of the result, None where none is asked for. ``unchecked``: acceptance criteria in free text, which nothing checks.
    ``max_retries``: re-orders after the first. ``forbidden_actions``: tool names, tool tags or ``delegate``; an action
    in other words is told to the worker and not checked. ``feedback``: what was wrong with the last try.
    """

    subtask_id: str
    objective: str
    input_ref: tuple[str, ...] = ()
    context_card: ContextCard = field(default_factory=ContextCard)
    constraints: tuple[str, ...] = ()
    output_schema: Mapping[str, Any] | None = None
    acceptance_criteria: tuple[Criterion, ...] = ()
    unchecked: tuple[str, ...] = ()
    max_retries: int = 0
    forbidden_actions: tuple[str, ...] = (DELEGATE,)
    feedback: tuple[str, ...] = ()

    @property
    def in_words(self) -> tuple[str, ...]:
        """What it asks for in free text, which nothing checks: criteria, and forbidden actions that are no name."""
        return (*self.unchecked, *(action for action in self.forbidden_actions if not _NAME.fullmatch(action)))

    def again(self, feedback: tuple[str, ...]) -> TaskOrder:
        """The next order for the same subtask."""
        return replace(self, feedback=feedback)

    def as_json(self) -> dict[str, Any]:
        """The whole order, as its row keeps it."""
        return {
            "subtask_id": self.subtask_id,
            "objective": self.objective,
            "input_ref": list(self.input_ref),
            "context_card": self.context_card.as_json(),
            "constraints": list(self.constraints),
            "output_schema": self.output_schema,
            "acceptance_criteria": [*(c.as_json() for c in self.acceptance_criteria), *self.unchecked],
            "max_retries": self.max_retries,
            "forbidden_actions": list(self.forbidden_actions),
            "if_blocked": IF_BLOCKED,
            "feedback": list(self.feedback),
        }
