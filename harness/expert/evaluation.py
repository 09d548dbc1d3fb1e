"""The review of products: by rules, which cost nothing, or by an agent that knows the product and its order only."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from harness.accounting.parts import ENGINE
from harness.accounting.purposes import Stance
from harness.agents.agent import Agent
from harness.agents.panel import together
from harness.agents.tools import with_tags
from harness.delegation.desk import Desk
from harness.delegation.order import blocker
from harness.dispatch.definition import READ_ONLY
from harness.errors import TopologyFailed
from harness.expert.happened import Happened
from harness.expert.member import EVALUATOR
from harness.expert.plan import Risk
from harness.expert.prompts import EVALUATOR as PROMPT
from harness.expert.reviewer import said, shown
from harness.expert.settings import Settings
from harness.expert.verdict import Judgement, Verdict, read_judgement
from harness.expert.work import Work
from harness.session import Session

AGENT, SIMPLE = "agent", "simple"


@dataclass(slots=True)
class Evaluation:
    """One a team. ``named``: gives each evaluator a name."""

    session: Session
    settings: Settings
    desk: Desk
    named: Callable[[str], str]

    def by(self, work: Work) -> str:
        """Who reviews a step: by its risk, and for MEDIUM and LOW by the settings."""
        chosen = {Risk.HIGH: AGENT, Risk.MEDIUM: self.settings.evaluator, Risk.LOW: self.settings.evaluator_low}
        return chosen[work.step.risk]

    async def of(self, works: Sequence[Work]) -> list[Judgement]:
        """All at once, in order. Raises TopologyFailed when an evaluator fails and its product may not pass unseen."""
        agents = {w.name: self._agent() for w in works if self._needs_agent(w)}
        judging: dict[str, Callable[[], Coroutine[Any, Any, Judgement]]] = {}
        for work in works:
            agent = agents.get(work.name)
            work.happened(Happened.EVALUATION_STARTED, evaluator=self.by(work), risk=work.step.risk)
            if agent is not None:
                judging[agent.name] = partial(self._judged, work, agent)
        told = await together(self.session, judging, timeout_s=self.settings.review_timeout_s, bound="review_timeout_s")
        found = []
        for work in works:
            agent = agents.get(work.name)
            if agent is None:
                found.append(await self._by_rules(work))
            elif agent.name in told:
                found.append(told[agent.name])
            else:
                found.append(self._unjudged(work, self.session.counters.left_out[agent.name]))
        return found

    def _needs_agent(self, work: Work) -> bool:
        assert work.product is not None, "only products are reviewed"
        return self.by(work) == AGENT and blocker(work.product.text) is None

    def _agent(self) -> Agent:
        return self.session.agent(
            self.named(EVALUATOR),
            role=EVALUATOR,
            stance=Stance.REVIEWER,
            tools=with_tags(self.session.tools, frozenset(READ_ONLY)),
            scaffold=PROMPT,
            specialties=[],
        )

    async def _judged(self, work: Work, agent: Agent) -> Judgement:
        told = shown(work.product, work.tried.order, work.ordered_by)
        return await said(agent, told, self.settings.evaluator_steps, partial(read_judgement, by=agent.name))

    async def _by_rules(self, work: Work) -> Judgement:
        assert work.product is not None, "only products are reviewed"
        found = await self.desk.judged(work.tried.order, work.product.text)
        if found.passed:
            return Judgement(Verdict.PASS, (), ENGINE)
        return Judgement(Verdict.REVISE, found.errors, ENGINE, found.blocked)

    def _unjudged(self, work: Work, why: str) -> Judgement:
        if work.step.risk == Risk.LOW and self.settings.auto_pass:
            return Judgement(Verdict.AUTO_PASS_WITH_WARNING, (), ENGINE, warning=f"nobody has reviewed it: {why}")
        text = f"evaluator of step '{work.step.id}' ({work.step.risk} risk): {why}"
        self.desk.fail(work.tried, "failed", text, "" if work.product is None else work.product.text)
        raise TopologyFailed(f"{text}. Nothing passes that nobody has reviewed.")
