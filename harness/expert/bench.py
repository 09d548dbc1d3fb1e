"""Where experts are put to work: agents made new for each step, with the messages and explorers that they may use."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, TASK, Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent
from harness.agents.panel import together
from harness.agents.tools import Tool
from harness.bus.protocol import BusSession
from harness.delegation.desk import Desk
from harness.delegation.order import TaskOrder
from harness.delegation.rendering import order_parts
from harness.dispatch.definition import BUILT_IN, SubAgent
from harness.dispatch.dispatcher import RESULTS, Bounds, Dispatcher
from harness.dispatch.executor import Pool
from harness.dispatch.inside import Insider, for_a_topology
from harness.dispatch.subagent import made
from harness.expert import prompts
from harness.expert.member import Expert
from harness.expert.plan import Step
from harness.expert.settings import Settings
from harness.expert.work import Work, handed_on
from harness.session import Session, ToolFor
from harness.team.postbox import Postbox

EXPLORE = "explore"
APART = Part("\n\n", ENGINE, Purpose.DISPATCH)


@dataclass(slots=True)
class Bench:
    """One a team. ``planner``: the author of orders; ``channel``: carries messages, None: nobody writes any."""

    session: Session
    settings: Settings
    desk: Desk
    experts: Mapping[str, Expert]
    planner: str
    channel: BusSession | None
    group: asyncio.TaskGroup
    _named: set[str] = field(default_factory=set)

    def level(self, steps: Sequence[Step], passed: Mapping[str, Work]) -> list[Work]:
        """Those who do these steps at the same time, each with a name of its own. ``passed``: the steps done before."""
        experts = [self.experts[s.expert] for s in steps]
        names = [self.name(e.name) for e in experts]
        talking = [self.session.named(n) for n, e in zip(names, experts, strict=True) if e.inside is None]
        postbox = None
        if self.channel is not None and len(talking) > 1:
            postbox = Postbox(self.session, self.channel, None, talking, self.desk)
        return [
            self._work(step, expert, name, self._told(step, step.order, passed), self._author(step), postbox, talking)
            for step, expert, name in zip(steps, experts, names, strict=True)
        ]

    def anew(
        self, work: Work, passed: Mapping[str, Work], tier: int, model: str | None, order: TaskOrder, author: str
    ) -> Work:
        """The same step for a new agent of the same expert, who works alone and reads what was found wrong; one more
        attempt, of which no revision is made. ``order``: by this ``author``; ``model``: None: the expert's own."""
        order = replace(order, max_retries=0)
        told = self._told(work.step, order, passed, author)
        if work.errors:
            told.append(Part(f"\n\n{prompts.TRIED}{prompts.FOUND_WRONG}\n- ", ENGINE, Purpose.FEEDBACK))
            told.append(Part("\n- ".join(work.errors), work.by, Purpose.FEEDBACK))
        step, expert = replace(work.step, order=order), work.expert
        chosen = expert if model is None else replace(expert, model=model)
        extra = self._work(step, chosen, self.name(expert.name), told, author)
        extra.product, extra.errors, extra.by, extra.tier = work.product, work.errors, work.by, tier
        return extra

    async def run(self, works: Sequence[Work]) -> None:
        """All at once. Afterwards each has a product or, if it failed by its own fault, that (``Work.fault``)."""
        settings, left_out = self.settings, self.session.counters.left_out
        done = await together(
            self.session,
            {work.name: work.run for work in works},
            timeout_s=settings.step_timeout_s,
            bound="step_timeout_s",
        )
        for work in works:
            work.fault = "" if work.name in done else left_out[work.name]
            if work.name in done:
                work.product = done[work.name]
            elif work.tried.open:
                self.desk.fail(work.tried, "failed", work.fault)

    def name(self, role: str) -> str:
        """A name for a new agent of this role: the role itself, then with a number."""
        name, number = role, 1
        while name in self._named or (number > 1 and name in self.experts):
            number += 1
            name = f"{role}_{number}"
        self._named.add(name)
        return name

    def _author(self, step: Step) -> str:
        return TASK if step.whole else self.planner

    def _told(self, step: Step, order: TaskOrder, passed: Mapping[str, Work], author: str | None = None) -> list[Part]:
        if step.whole and author in (None, TASK):
            return [self.session.statement()]
        goal = [Part(prompts.GOAL, ENGINE, Purpose.SCAFFOLD), self.session.statement().forwarded(), APART]
        upstream = handed_on([passed[d] for d in step.depends_on])
        if self.experts[step.expert].inside is not None:
            order = for_a_topology(order)
        return [*goal, *upstream, *([APART] if upstream else []), *order_parts(order, author or self.planner)]

    def _work(
        self, step: Step, expert: Expert, name: str, told: list[Part], author: str, postbox: Postbox | None = None,
        talking: Sequence[str] = (),
    ) -> Work:  # fmt: skip
        session, full = self.session, self.session.named(name)
        tried = self.desk.begin(step.order, full, expert.name)
        tools = expert.tools(session.tools)
        if expert.inside is not None:
            run = Insider(session, expert.inside, full, tools, specialties=expert.specialties)
            return Work(session, self.desk, step, expert, run, told, tried, self.settings.generator_steps, author)
        own: list[Tool | ToolFor] = [*tools]
        if postbox is not None:
            own.append(postbox.tool)
        explorers = self._explorers(tools) if self.settings.explorers else None
        if explorers is not None:
            own.append(explorers.tool)
        others = [n for n in talking if n != full] if postbox is not None else []
        agent = session.agent(
            name,
            role=expert.name,
            stance=Stance.WORKER,
            tools=own,
            scaffold=self._scaffold(step, expert, name, others),
            model=expert.model,
            specialties=expert.specialties,
        )
        return Work(
            session, self.desk, step, expert, agent, told, tried, self.settings.generator_steps, author, postbox,
            explorers,
        )  # fmt: skip

    def _scaffold(self, step: Step, expert: Expert, name: str, others: Sequence[str]) -> str:
        explorers = prompts.EXPLORERS.format(results=RESULTS) if self.settings.explorers else ""
        if step.whole:
            return f"{prompts.GENERALIST}\n{explorers}".rstrip()
        told = prompts.GENERATOR.format(
            name=self.session.named(name),
            field=f", whose field is {expert.does}" if expert.does else "",
            peers=prompts.PEERS.format(others=", ".join(others)) if others else "",
            explorers=explorers,
        )
        brief = self.session.ablated(expert.name, expert.brief, "\n")
        return f"{told}\n{brief}" if brief else told

    def _explorers(self, tools: Sequence[Tool]) -> Dispatcher:
        """The explorers of an expert with these tools. They know nothing of its field."""

        def make(definition: SubAgent, number: int, parent: Caller) -> tuple[Agent, Dispatcher | None]:
            name = f"{parent.agent}_{definition.name}_{number}"
            return made(self.session, definition, name, parent=parent, tools=tools, specialties=[]), None

        bounds = Bounds(self.settings.max_explorers, self.settings.explorer_steps, self.settings.explorer_timeout_s)
        types = {EXPLORE: BUILT_IN[EXPLORE]}
        return Dispatcher(self.session, self.desk, types, bounds, Pool(), self.group, parallel=True, make=make)
