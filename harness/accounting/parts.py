"""Parts: the pieces of text a conversation is made of, each with its author and its purpose."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.accounting.purposes import Purpose

TASK = "task"
"""Author of the task's own text: statement, briefs, output schema."""
TOOL = "tool"
"""Author of whatever a task tool returned."""
ENGINE = "engine"
"""Author of refusals, acknowledgements, wake notices, protocol instructions, harvests."""
OUTSIDE = frozenset({TASK, TOOL, ENGINE})
"""Authors that are not agents; no agent may take one of these names."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of text with one author and one purpose as written.

    ``origin`` is the text this part repeats in another encoding (a JSON string, say); two parts with the same origin
    are the same text to the ledger's re-reading figures. None: the text itself.
    """

    text: str
    author: str
    purpose: Purpose
    origin: str | None = None

    @property
    def key(self) -> str:
        return self.text if self.origin is None else self.origin

    def with_text(self, text: str) -> Part:
        """The same part in another encoding."""
        return replace(self, text=text, origin=self.key)
