"""A conversation: what one agent has been told and has said, as parts, and the request they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.accounting.parts import Part, joined
from harness.agents.completions import CallParts
from harness.models.protocol import Json


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: role ``system | user | assistant | tool``, its content, and an assistant's tool calls."""

    role: str
    content: tuple[Part, ...]
    calls: tuple[CallParts, ...] = ()
    tool_call_id: str | None = None

    def parts(self) -> tuple[Part, ...]:
        """All parts, in the order in which they stand in the request."""
        if not self.calls:
            return self.content
        return (*self.content, *(p for c in self.calls for p in (c.name, *c.arguments)))

    def wire(self) -> Json:
        """The message as the chat protocol sends it: exactly the parts' text."""
        nothing = None if self.calls else ""  # only a message with tool calls may go without content
        message: dict[str, Any] = {"role": self.role, "content": joined(self.content) if self.content else nothing}
        if self.calls:
            message["tool_calls"] = [
                {
                    "id": c.id,
                    "type": "function",
                    "function": {"name": c.name.text, "arguments": joined(c.arguments) if c.arguments else ""},
                }
                for c in self.calls
            ]
        if self.tool_call_id is not None:
            message["tool_call_id"] = self.tool_call_id
        return message


class Conversation:
    """An agent's memory: it only grows, except when it is compacted."""

    def __init__(self, system: Sequence[Part]) -> None:
        self._turns: list[Turn] = []
        self._wire: list[Json] = []
        self._parts: list[Part] = []
        self.add(Turn("system", tuple(system)))

    def add(self, turn: Turn) -> None:
        self._turns.append(turn)
        self._wire.append(turn.wire())
        self._parts.extend(turn.parts())

    def tell(self, *parts: Part) -> None:
        """A user message."""
        self.add(Turn("user", parts))

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(self._turns)

    def wire(self) -> tuple[Json, ...]:
        return tuple(self._wire)

    def parts(self) -> list[Part]:
        """Every part, in request order (a copy)."""
        return self._parts.copy()

    def restart(self, keep: int, *turns: Turn) -> None:
        """Forget all but the first ``keep`` messages and go on with ``turns``."""
        kept = self._turns[:keep]
        self._turns, self._wire, self._parts = [], [], []
        for turn in (*kept, *turns):
            self.add(turn)
