"""Compaction: an agent whose context fills up goes on from its own notes."""

from __future__ import annotations

from dataclasses import dataclass

REQUEST = (
    "Your context window is nearly full. Write notes now, without any tool call: all entries you have so far, in the "
    "output format of the task, then one line `Documents read: ` with the file names of all documents you have read. "
    "Afterwards you will see only the task and these notes."
)
GO_ON = "These are your notes so far. Go on with the task."

ROOM = 0.95
"""Share of the window that tool results may fill; the rest is for the request for notes and the notes."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """``at``: share of the model's window at which notes are asked for. ``keep``: how many messages from the start (the
    system prompt and the statement) stay."""

    at: float
    keep: int

    def due(self, prompt_tokens: int, window_tokens: int) -> bool:
        return prompt_tokens > self.at * window_tokens
