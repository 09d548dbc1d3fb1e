"""What a grader is to the engine: whoever turns an answer into a score, after the topology is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from harness.models.protocol import Model
from harness.suite import Sample, Suite

if TYPE_CHECKING:
    from harness.cell import Cell
    from harness.session import Session

GRADER = "grader"
"""Who grades, as events and calls name it; no agent may take this name."""


@dataclass(frozen=True, slots=True)
class Graded:
    """``score`` in 0..1; ``detail`` is JSON-ready and goes to the run's ``graded`` event. ``rule_score``: what the
    suite's own rule gave beside it; None where the rule made the score."""

    score: float
    detail: Mapping[str, Any] = field(default_factory=dict)
    rule_score: float | None = None


class Grader(Protocol):
    """What ``conf/grader`` names: a dataclass with these members; its fields are its settings."""

    @property
    def rubric_hash(self) -> str | None:
        """sha256 (hex) of the rubric that it goes by; None for a rule in code."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names in ``model.roles`` that it may ask."""

    def check(self, model: Model, suite: Suite, /) -> None:
        """Raise ConfigError for a model or a suite that it cannot work with, before anything runs."""

    async def grade(self, cell: Cell, sample: Sample, session: Session, answer: str, /) -> Graded:
        """Score an answer. Whatever it raises ends the run as ``error``; an answer is never a reason to."""
