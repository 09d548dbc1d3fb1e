"""Where in a prompt a piece of evidence stands, and what stands around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from math import fsum
from typing import TYPE_CHECKING

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import says

if TYPE_CHECKING:
    from harness.models.simulated.prompt.view import View

_ONLY_NAMED = re.compile(r"\bonly for questions that these documents answer\b", re.I)
PASSAGE = 600
"""Characters of a passage that is copied along."""


class Evidence:
    """Derived from a view; holds no state of its own."""

    def __init__(self, view: View) -> None:
        self._view = view

    def locate(self, item: Item) -> float | None:
        """Where in the prompt the item's evidence stands, as ``located`` has it."""
        return self.located(item.evidence)

    def located(self, texts: Sequence[str]) -> float | None:
        """Where in the prompt these texts stand, from 0 (start) to 1 (end), the mean over them; None unless all of them
        are there. An order to answer from certain documents only leaves out what stands before the order, for the first
        of them: what the answer is taken from."""
        places = [self._place(e, 0 if i else self._not_asked_for) for i, e in enumerate(texts)]
        known = [p for p in places if p is not None]
        return fsum(known) / len(known) if known and len(known) == len(places) else None

    def begins(self, item: Item) -> bool:
        """Whether the first piece of its evidence, at least, stands where this agent is to answer from."""
        return bool(item.evidence) and self._place(item.evidence[0], self._not_asked_for) is not None

    def holds(self, evidence: str) -> bool:
        """Whether a text stands anywhere in the prompt."""
        return self._place(evidence) is not None

    def last_of(self, texts: Sequence[str]) -> int | None:
        """Which of these texts stands last in the prompt; None if none of them is there."""
        found = (
            (i, message.text.rfind(text), number)
            for i, message in enumerate(self._view.messages)
            for number, text in enumerate(texts)
        )
        return max((f for f in found if f[1] >= 0), default=(0, 0, None))[2]

    def passage(self, item: Item) -> str:
        """The paragraph around the item's first evidence, at most ``PASSAGE`` characters of it."""
        for message in self._view.messages:
            start = self._view.knowledge.where(message.text, item.evidence[0]) if item.evidence else -1
            if start >= 0:
                begin = message.text.rfind("\n\n", 0, start) + 2 if "\n\n" in message.text[:start] else 0
                end = message.text.find("\n\n", start + len(item.evidence[0]))
                return message.text[begin : end if end >= 0 else None][:PASSAGE]
        return ""

    @cached_property
    def _not_asked_for(self) -> int:
        """Characters of the first user message before its order that are not to be answered from."""
        if self._view.orders or not says(_ONLY_NAMED, self._view.assignment):
            return 0
        return len(self._view.statement) - len(self._view.assignment)

    def _place(self, evidence: str, after: int = 0) -> float | None:
        """``after``: so many characters of the first user message do not count."""
        for i, message in enumerate(self._view.messages):
            start = self._view.knowledge.where(message.text, evidence)
            if 0 <= start < after and message.text is self._view.statement:
                start = message.text.find(evidence, after)
            if start >= 0:
                first = self._view.prompt.messages_at + i
                before = self._tokens_until[first]
                inside = self._view.prompt.sizes[first] * start / len(message.text)
                return min(1.0, (before + inside) / self._view.prompt.tokens)
        return None

    @cached_property
    def _tokens_until(self) -> tuple[int, ...]:
        return tuple(accumulate(self._view.prompt.sizes, initial=0))
