"""``grader=judge``: a model scores the answer by a rubric, beside the suite's own rule (docs/judge.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import fsum
from typing import TYPE_CHECKING, Any

from harness.accounting.ledger import Ledger
from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.clock.protocol import Timeline
from harness.errors import ConfigError, single_fault
from harness.graders.bench import Bench
from harness.graders.grader import GRADER, Graded
from harness.graders.prompt import RUBRIC, question, scoring
from harness.graders.rule import by_rule
from harness.graders.verdict import ScoreForm, Verdict
from harness.limits import Limits, Scope
from harness.models.protocol import Model
from harness.models.roles import require
from harness.suite import Sample, Suite, offers_key

if TYPE_CHECKING:
    from harness.cell import Cell
    from harness.session import Session

MOST_SCALE = 100
MOST_VOTES = 100
REASON_CUT = 2_000
"""Characters kept of a judge's reason in the ``graded`` event."""


@dataclass(frozen=True)
class Judge:
    """A model that judges (``harness.graders.grader.Grader``).

    ``rubric``: what makes an answer good, in words. ``scale``: the best score; a verdict is a whole number from 0 to
    it, and the run's score its share of the scale. ``model``: a name in ``model.roles``, None: the main model.
    ``votes``: independent verdicts, whose mean is the score. ``key_shown``: whether the judge reads the key; None:
    where the suite has one to show. ``structured``: send the form of the verdict as ``response_format`` too.
    """

    rubric: str = RUBRIC
    scale: int = 10
    model: str | None = None
    votes: int = 1
    key_shown: bool | None = None
    structured: bool = True

    def __post_init__(self) -> None:
        for name, most in (("scale", MOST_SCALE), ("votes", MOST_VOTES)):
            if not 1 <= getattr(self, name) <= most:
                raise ConfigError(
                    f"grader.{name}={getattr(self, name)}: must be from 1 to {most}.", key=f"grader.{name}"
                )
        if not self.rubric.strip():
            raise ConfigError("grader.rubric is empty: say what makes an answer good, or leave it out for the default.")
        if self.rubric.startswith("@"):
            raise ConfigError(
                f"grader.rubric={self.rubric:.60}: a rubric is text, so that it is stored with the rows. Keep a long "
                "one in an option of your own, such as conf/grader/mine.yaml (docs/judge.md)."
            )

    @property
    def rubric_hash(self) -> str:
        return sha256(self.rubric.encode("utf-8", "replace")).hexdigest()

    @property
    def models(self) -> tuple[str, ...]:
        return () if self.model is None else (self.model,)

    def check(self, model: Model, suite: Suite) -> None:
        """Refuse a model that is not there, and a key that the suite does not offer."""
        require(model, self.models, "grader.model")
        if self.key_shown and not offers_key(suite):
            raise ConfigError(
                f"grader.key_shown=true: task '{suite.name}' offers no key (docs/write-a-suite.md says how). Set "
                "grader.key_shown=null, or choose another task."
            )

    def of(self, model: Model) -> Model:
        """The model that judges, by a cell's main one."""
        return model if self.model is None else model.roles[self.model]

    def key(self, suite: Suite, sample: Sample) -> str | None:
        """The key that the judge is shown, if it is shown one."""
        return suite.key(sample.id) if self.key_shown is not False and offers_key(suite) else None

    async def grade(self, cell: Cell, sample: Sample, session: Session, answer: str) -> Graded:
        """The mean of all votes. The rule's score stands in ``detail``, so that the judge can be checked against it."""
        rule = await by_rule(cell, sample, session, answer)
        key = self.key(cell.suite, sample)
        bench = self.bench(
            cell.model,
            session.run_id,
            (cell.seed, sample.id, session.epoch),
            session.ledger,
            cell.limits,
            session.time,
            session.scope.parent,
            lambda text, fault: session.events.emit("unreadable_verdict", GRADER, {"text": text, "fault": fault}),
        )
        system = [session.mark(), Part(scoring(self.rubric, self.scale), ENGINE, Purpose.JUDGE)]
        asked, form = question(sample, key, [answer]), ScoreForm(self.scale)
        with single_fault():
            async with asyncio.TaskGroup() as group:
                votes = [group.create_task(bench.verdict(n, system, asked, form)) for n in range(1, self.votes + 1)]
        verdicts = [vote.result() for vote in votes]
        detail = {
            "by": "judge",
            "model": bench.model.name,
            "rubric_hash": self.rubric_hash,
            "scale": self.scale,
            "key_shown": key is not None,
            "votes": [{"score": v.value, "reason": v.reason[:REASON_CUT]} for v in verdicts],
            **self._against(cell.suite.pass_threshold, verdicts, float(rule.score)),
            "rule": dict(rule.detail),
        }
        return Graded(self._mean(verdicts), detail, float(rule.score))

    def bench(
        self, model: Model, run_id: str, of_run: tuple[int, str, int], ledger: Ledger, limits: Limits, time: Timeline,
        spends_in: Scope | None, unreadable: Any,
    ) -> Bench:  # fmt: skip
        """Where this judge sits for one run or one pair. ``spends_in``: the experiment's scope."""
        scope = Scope("judge", spends_in)
        return Bench(self.of(model), run_id, of_run, ledger, limits, time, scope, self.structured, unreadable)

    def _mean(self, verdicts: list[Verdict[int]]) -> float:
        return fsum(v.value for v in verdicts) / (len(verdicts) * self.scale)

    def _against(self, threshold: float, verdicts: list[Verdict[int]], rule_score: float) -> Mapping[str, Any]:
        """``straddles``: some votes pass and some do not; ``agrees``: judge and rule say the same about passing."""
        passing = {v.value / self.scale >= threshold for v in verdicts}
        passed = self._mean(verdicts) >= threshold
        return {
            "straddles": len(passing) > 1,
            "agrees": passed == (rule_score >= threshold),
            "rule_score": rule_score,
        }
