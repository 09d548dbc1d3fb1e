"""What becomes of a step that does not pass: a stronger model, an architect's ruling, then its risk decides (004)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from harness.accounting.purposes import Stance
from harness.agents.faults import OwnFault
from harness.agents.panel import alone
from harness.delegation.order import blocker
from harness.errors import TopologyFailed
from harness.expert.bench import Bench
from harness.expert.happened import Happened
from harness.expert.member import ARCHITECT
from harness.expert.plan import Risk
from harness.expert.prompts import ARCHITECT as PROMPT
from harness.expert.reviewer import said, shown
from harness.expert.settings import Settings
from harness.expert.verdict import Ruling, read_ruling
from harness.expert.work import Work
from harness.session import Session

STRONGER, RULING, RISK = 1, 2, 3
"""The tiers. Each is entered once at most for a step, and the first two add one attempt each."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The step counts as done. ``degraded``: because nothing better can be had of it."""

    degraded: bool


@dataclass(slots=True)
class Escalation:
    """One a team."""

    session: Session
    settings: Settings
    bench: Bench

    async def of(self, work: Work, passed: Mapping[str, Work]) -> Work | Passed | TopologyFailed:
        """Another attempt at a step, or that it counts as done; TopologyFailed if its risk forbids that."""
        stronger = self.settings.tier_model(self.session.model)
        if work.tier < STRONGER and stronger is not None and work.expert.inside is None:
            self._enter(work, STRONGER, model=stronger)
            return self.bench.anew(work, passed, STRONGER, stronger, work.step.order, work.ordered_by)
        if work.tier < RULING and self.settings.architect:
            self._enter(work, RULING)
            ruled = await self._ruled(work, passed)
            if ruled is not None:
                return ruled
        self._enter(work, RISK, risk=work.step.risk)
        if work.step.risk == Risk.LOW and usable(work):
            return Passed(degraded=True)
        why = work.fault or "; ".join(work.errors)
        return TopologyFailed(f"step '{work.step.id}' ({work.step.risk} risk, {work.expert.name}): {why}")

    async def _ruled(self, work: Work, passed: Mapping[str, Work]) -> Work | Passed | None:
        """None: the architect fails, or accepts what is not there."""
        agent = self.session.agent(
            self.bench.name(ARCHITECT), role=ARCHITECT, stance=Stance.REVIEWER, scaffold=PROMPT, specialties=[]
        )
        wrong = work.errors or (work.fault,)
        told = shown(work.product, work.tried.order, work.ordered_by, wrong, work.by)

        async def rule() -> tuple[Ruling, str]:
            return await said(agent, told, self.settings.evaluator_steps, read_ruling)

        ruled = await alone(self.session, agent.name, rule, self.settings.review_timeout_s, "review_timeout_s")
        if isinstance(ruled, OwnFault):
            return None
        ruling, words = ruled
        work.happened(Happened.ESCALATION, tier=RULING, ruling=ruling, text=words)
        if ruling == Ruling.ACCEPT_WITH_CAVEATS:
            if not usable(work):
                return None
            work.caveats, work.ruled_by = words, agent.name
            return Passed(degraded=False)
        order = replace(work.step.order, objective=words)
        work.step = replace(work.step, order=order)
        model = None if work.expert.inside is not None else self.settings.tier_model(self.session.model)
        return self.bench.anew(work, passed, RULING, model, order, agent.name)

    def _enter(self, work: Work, tier: int, **data: object) -> None:
        self.session.counters.escalations += 1
        work.happened(Happened.ESCALATION, tier=tier, errors=list(work.errors), fault=work.fault, **data)


def usable(work: Work) -> bool:
    """Whether there is a product that says more than that the step cannot be done."""
    return work.product is not None and blocker(work.product.text) is None
