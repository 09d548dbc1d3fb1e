"""What one function of the pool is written down as."""

from __future__ import annotations

from dataclasses import dataclass

Case = tuple[str, str]
"""A call, or an expression with calls, and what it gives, both as Python expressions."""


@dataclass(frozen=True)
class Material:
    """A function with what decides whether an answer is right.

    ``signature``: ``name(parameters) -> type``. ``text``: what it does, complete, on one line. ``solution``: the source
    of its file. ``examples``: cases that the specification shows. ``cases``: hidden ones; ``refused``: hidden calls
    that must raise ValueError. ``slips``: each makes a plausible wrong solution, by (text that stands once in the
    solution, what stands there instead).
    """

    signature: str
    text: str
    solution: str
    examples: tuple[Case, ...]
    cases: tuple[Case, ...]
    slips: tuple[tuple[str, str], ...]
    refused: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.signature.partition("(")[0]

    @property
    def wrong(self) -> tuple[str, ...]:
        """The plausible wrong solutions."""
        return tuple(self.solution.replace(old, new) for old, new in self.slips)
