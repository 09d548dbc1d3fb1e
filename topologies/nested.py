"""Lead, middle and bottom agents, the whole context passed down: a design that failed (seed document 003, chapter 3).

The lead reads everything and divides the task among middle agents; each of these divides its part among bottom agents,
who do the work. Everybody reads the whole conversation of whoever sent its order, and everybody may hand work on: no
prompt and no order forbids it, and only ``limits.max_depth`` restrains it. Costs: every layer carries the same material
once more and retells the results (003: 4 to 5 times the single agent's tokens); without a limit of depth, a piece that
nobody can make sense of goes from agent to agent until something else ends it. Pays: never, in our sources; it is here
so that this can be measured. ``limits.max_depth=2`` lets three layers run; with 1 each middle agent is refused and does
its part itself; null is no limit.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.accounting.ledger import Caller
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent
from harness.delegation.desk import Desk
from harness.delegation.rules import Delegation
from harness.dispatch.definition import SubAgent
from harness.dispatch.dispatcher import RESULTS, Bounds, Dispatcher
from harness.dispatch.executor import Pool
from harness.dispatch.led import led
from harness.dispatch.place import Place
from harness.dispatch.subagent import DONE
from harness.errors import ConfigError
from harness.session import Session
from harness.suite import Sample
from harness.team.roster import LEAD
from harness.topology import Answer

READS = "Read all documents before you divide it, so that everybody below you has them. "
DIVIDE = """\
Divide {what} into {parts} that do not depend on each other, and hand out each of them with dispatch_sub_agent, all at \
once; repeat the questions word for word. You wait for the results."""
LEAD_PROMPT = """\
You lead agents in layers: those that you hand work to hand it further down. {reads}{divide}
{results}
When you have every result, give the final answer in the format the task asks for, without any tool call."""
MIDDLE_PROMPT = """\
You are a sub-agent of the type middle, between your lead and those who do the work. {given}
{divide}
{results}
When you have every result, put them together. {done}"""
BOTTOM_PROMPT = """\
You are a sub-agent of the type bottom: you do the work. {given}
Read what your order names, and do what it asks for.
{done}"""
HISTORY = "You are given the whole conversation of whoever sends your order, and then the order."
CARD = "You are given an order."

TAGS = ["read", "write", "exec"]
MIDDLE = SubAgent("middle", "divides an order and hands the parts down", MIDDLE_PROMPT, TAGS)
BOTTOM = SubAgent("bottom", "reads and does the work", BOTTOM_PROMPT, TAGS)
PLACES = Pool(sys.maxsize, sys.maxsize, sys.maxsize)
"""Of one lead: as many as limits.workers_running allows; nobody is turned away."""


@dataclass(frozen=True)
class Nested:
    """``fan_out``: into how many parts the lead, the middle agents, and those below them divide; whoever is deeper does
    the work. ``lead_reads``: the lead reads all documents first, so that they travel down in its conversation.
    ``lead_steps``, ``worker_steps``: model calls of the lead, and of any other agent. ``worker_timeout_s``: how long a
    dispatch is waited for, with all that goes on below it; None: as long as the run lasts. ``parallel``: the dispatches
    of one completion run at once. ``delegation``: how work is handed out and taken back; orders forbid nothing unless
    they say so."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    fan_out: list[int] = field(default_factory=lambda: [3, 2])
    lead_reads: bool = True
    lead_steps: int = 24
    worker_steps: int = 12
    worker_timeout_s: float | None = 600.0
    parallel: bool = True
    delegation: Delegation = field(default_factory=lambda: Delegation(context="history", validate=False))

    def __post_init__(self) -> None:
        if not self.fan_out or min(self.fan_out) < 1:
            raise ConfigError(
                f"topology.fan_out={self.fan_out}: give a number of parts, 1 or more, for each layer that divides, at "
                "least the lead; [3, 2] is a lead with 3 middle agents with 2 bottom agents each."
            )
        for name in ("lead_steps", "worker_steps", "worker_timeout_s"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                more = ", or null for no bound" if name == "worker_timeout_s" else ""
                raise ConfigError(f"topology.{name}={value}: must be above 0{more}.")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        return await led(session, lambda group: self._solved(session, group))

    async def _solved(self, session: Session, group: asyncio.TaskGroup) -> str:
        desk = Desk(session, self.delegation, forbids=())
        lead = session.agent(
            LEAD,
            role="lead",
            stance=Stance.LEAD,
            tools=[*session.tools, self._below(Place(), session, desk, group).tool],
            scaffold=LEAD_PROMPT.format(
                reads=READS if self.lead_reads else "", divide=self._divide(0, "it"), results=RESULTS
            ),
        )
        lead.tell(session.statement())
        step = await lead.run(Purpose.ANSWER, self.lead_steps)
        return step.text

    def _below(self, place: Place, session: Session, desk: Desk, group: asyncio.TaskGroup) -> Dispatcher:
        """What the agent at a place hands out work by. Everybody has it, however deep: the limit is not in prompts."""
        kind = self._kind(place.depth + 1)

        def make(definition: SubAgent, number: int, parent: Caller) -> tuple[Agent, Dispatcher]:
            here = place.below(number)
            own = self._below(here, session, desk, group)
            agent = session.agent(
                f"{definition.name}_{here}",
                role=definition.name,
                stance=Stance.LEAD if definition is MIDDLE else definition.stance,  # it combines what others found
                tools=[*definition.tools(session.tools), own.tool],
                scaffold=definition.prompt.format(
                    given=HISTORY if self.delegation.context == "history" else CARD,
                    divide=self._divide(here.depth, "your order"),
                    results=RESULTS,
                    done=DONE,
                ),
                parent=parent,
            )
            return agent, own

        bounds = Bounds(None, self.worker_steps, self.worker_timeout_s)
        return Dispatcher(session, desk, {kind.name: kind}, bounds, PLACES, group, self.parallel, make)

    def _kind(self, depth: int) -> SubAgent:
        return MIDDLE if depth < len(self.fan_out) else BOTTOM

    def _divide(self, depth: int, what: str) -> str:
        """What an agent of this depth is told to do with its task; nothing if it is to do the work itself."""
        if depth >= len(self.fan_out):
            return ""
        parts = self.fan_out[depth]
        return DIVIDE.format(what=what, parts="1 part" if parts == 1 else f"{parts} parts")
