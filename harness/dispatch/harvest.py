"""What a sub-agent that did not finish leaves behind: its finished steps, without another model call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

CUT = 200
"""Characters kept of a step's input and of its output (seed document 001, section 8)."""


@dataclass(frozen=True, slots=True)
class SubStep:
    """One finished tool call of a sub-agent. ``status``: done or error; ``input`` and ``output`` are cut."""

    index: int
    tool: str
    status: str
    input: str
    output: str

    @staticmethod
    def of(index: int, tool: str, failed: bool, given: str, returned: str) -> SubStep:
        return SubStep(index, tool, "error" if failed else "done", given[:CUT], returned[:CUT])

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def partial_summary(steps: Sequence[SubStep]) -> str:
    """The finished steps, one a paragraph."""
    return "\n".join(f"{s.index}. {s.tool}({s.input}) {s.status}: {s.output.removeprefix('error: ')}" for s in steps)
