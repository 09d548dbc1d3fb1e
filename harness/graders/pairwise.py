"""Two answers to one sample before a judge, in both orders, so that the place of an answer decides nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from harness.accounting.ledger import Ledger
from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.mark import mark
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.errors import LimitExceeded
from harness.graders.judge import Judge
from harness.graders.prompt import comparing, question
from harness.graders.verdict import ChoiceForm
from harness.limits import Scope
from harness.suite import Sample

Side = Literal["a", "b"]
ORDERS: tuple[tuple[Side, Side], ...] = (("a", "b"), ("b", "a"))
"""Which side's answer stands first."""
POSITION = "position"
"""Outcome of a pair on which the two orders disagree: it counts as a tie."""
JUDGED = ("a", "b", "tie", POSITION, "identical")
"""Outcomes of pairs that count."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides' runs of one sample and epoch."""

    sample_id: str
    epoch: int
    run_ids: dict[Side, str]
    answers: dict[Side, str]


@dataclass(frozen=True, slots=True)
class Preference:
    """One order's verdict. ``better``: a side, or ``tie``."""

    first: Side
    better: str
    reason: str


@dataclass(slots=True)
class Hearing:
    """One pair on its way to an outcome. ``outcome``: one of ``JUDGED``, or why there is none: ``error``, ``limit`` (of
    the experiment), ``cancelled``. Its ledger has the judge's calls, whatever became of them."""

    pair: Pair
    ledger: Ledger
    outcome: str = "cancelled"
    error: str | None = None
    preferences: list[Preference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    async def judge(self, judge: Judge, cell: Cell, sample: Sample, clock: Clock, scope: Scope) -> None:
        """Ask twice, or not at all where the answers are the same. ``scope``: the experiment's. Only cancellation gets
        out; everything else becomes the outcome."""
        answers = self.pair.answers
        if answers["a"] == answers["b"]:
            self.outcome = "identical"
            return
        try:
            await self._hear(judge, cell, sample, clock, scope)
        except LimitExceeded as limit:
            self.outcome = "limit" if limit.facts["scope"] == "experiment" else "error"
            self.error = str(limit)
        except Exception as fault:
            self.outcome, self.error = "error", f"{type(fault).__name__}: {fault}"

    async def _hear(self, judge: Judge, cell: Cell, sample: Sample, clock: Clock, scope: Scope) -> None:
        bench = judge.bench(
            cell.model,
            self.ledger.run_id,
            (cell.seed, sample.id, self.pair.epoch),
            self.ledger,
            cell.limits,
            clock.start(),
            scope,
            lambda text, fault: self.unreadable.append(text),
        )
        key = judge.key(cell.suite, sample)
        system = [mark(self.ledger.run_id), Part(comparing(judge.rubric), ENGINE, Purpose.JUDGE)]
        for number, order in enumerate(ORDERS, 1):
            shown = [self.pair.answers[side] for side in order]
            verdict = await bench.verdict(number, system, question(sample, key, shown), ChoiceForm())
            named: dict[str, str] = {"A": order[0], "B": order[1], "tie": "tie"}
            self.preferences.append(Preference(order[0], named[verdict.value], verdict.reason))
        one, other = (p.better for p in self.preferences)
        self.outcome = one if one == other else POSITION


@dataclass(frozen=True, slots=True)
class Count:
    """What many hearings come to. ``ties``: all pairs that neither side has won, ``position`` and ``identical`` among
    them. ``first``, ``second``: verdicts for the answer in that place."""

    a: int
    b: int
    ties: int
    position: int
    identical: int
    first: int
    second: int
    neither: int
    tokens: int
    cost_pusd: int | None
    cost_complete: bool

    @property
    def pairs(self) -> int:
        return self.a + self.b + self.ties

    @classmethod
    def of(cls, hearings: list[Hearing]) -> Count:
        outcomes = Counter(h.outcome for h in hearings)
        verdicts = Counter(
            "tie" if p.better == "tie" else "first" if p.better == p.first else "second"
            for h in hearings
            for p in h.preferences
        )
        calls = [c for h in hearings for c in h.ledger.calls]
        known = [c.cost_pusd for c in calls if c.cost_pusd is not None]
        return cls(
            a=outcomes["a"],
            b=outcomes["b"],
            ties=outcomes["tie"] + outcomes[POSITION] + outcomes["identical"],
            position=outcomes[POSITION],
            identical=outcomes["identical"],
            first=verdicts["first"],
            second=verdicts["second"],
            neither=verdicts["tie"],
            tokens=sum(c.prompt_tokens + c.completion_tokens for c in calls),
            cost_pusd=sum(known) if known or not calls else None,
            cost_complete=len(known) == len(calls),
        )
