"""``grader=suite``: the suite's own rule makes the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.graders.grader import GRADER, Graded
from harness.models.protocol import Model
from harness.suite import Grade, Sample, Suite

if TYPE_CHECKING:
    from harness.cell import Cell
    from harness.session import Session


@dataclass(frozen=True)
class SuiteRule:
    """The default grader (``harness.graders.grader.Grader``). It asks no model and costs nothing."""

    rubric_hash = None
    models = ()

    def check(self, model: Model, suite: Suite) -> None:
        """Every suite has a rule."""

    async def grade(self, cell: Cell, sample: Sample, session: Session, answer: str) -> Graded:
        grade = await by_rule(cell, sample, session, answer)
        return Graded(float(grade.score), grade.detail)


async def by_rule(cell: Cell, sample: Sample, session: Session, answer: str) -> Grade:
    """What the suite itself says of an answer, within ``limits.grade_timeout_s``. Raises TimeoutError, ValueError for a
    score that is none, and whatever the suite raises."""
    bound = cell.limits.grade_timeout_s
    try:
        async with session.time.timeout(bound, GRADER):
            grade = await cell.suite.grade(sample, answer)
    except TimeoutError:
        raise TimeoutError(f"grade_timeout_s: not done after {bound:g} s") from None
    if not 0 <= float(grade.score) <= 1:
        raise ValueError(f"score {grade.score} is not within 0..1")
    return grade
