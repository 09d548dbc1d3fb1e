"""A lead that dispatches sub-agents by a tool and waits for each of them (seed document 001).

A sub-agent gets an order and nothing else of the lead's context, reads what it needs in a context of its own, and only
its result comes back. Costs: orders are written and read, results are read and restated, and nothing of it happens at
the same time as the lead's own work. Pays: when much has to be read that need not stay in the lead's context.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.delegation.desk import Desk
from harness.delegation.rules import Delegation
from harness.dispatch.definition import BUILT_IN, SubAgent, chosen
from harness.dispatch.dispatcher import RESULTS, Bounds, Dispatcher
from harness.dispatch.executor import Pool
from harness.dispatch.led import led
from harness.errors import above_zero
from harness.session import Session
from harness.suite import Sample
from harness.team.roster import LEAD
from harness.topology import Answer, Topology, refuse_ablation

LEAD_PROMPT = """\
You may hand parts of the task to sub-agents with dispatch_sub_agent, at most {dispatches} in all. A sub-agent sees \
only its order, reads what the order names with its own tools, and sends back one result; you wait for it.
Hand out what takes much reading and gives a short result, in parts that do not depend on each other; repeat the \
questions word for word. Do not read yourself what you have handed out.
{results}
When you have every result, give the final answer in the format the task asks for, without any tool call."""


@dataclass(frozen=True)
class Sync:
    """``types``: sub-agent types on offer (001: research; 004: the others); ``definitions``: types of your own beside
    them. ``max_dispatches``: orders of one run; more are refused. ``lead_steps``, ``worker_steps``: model calls.
    ``worker_timeout_s``: how long a dispatch is waited for. ``parallel``: dispatches of one completion run at once; 001
    leaves that for later. ``pool``: places of sub-agents. ``delegation``: how work is handed out and taken back;
    without validation, since 001 rules out automatic retries (its list of what is out of scope). ``ablate``: the type
    whose prompt is replaced by neutral text. ``inside``: name of a type → the topology that such a sub-agent is,
    instead of an agent; a name that is no type yet is a new one."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    types: list[str] = field(default_factory=lambda: list(BUILT_IN))
    definitions: list[SubAgent] = field(default_factory=list)
    max_dispatches: int = 8
    lead_steps: int = 24
    worker_steps: int = 8
    worker_timeout_s: float = 120.0
    parallel: bool = False
    pool: Pool = field(default_factory=Pool)
    delegation: Delegation = field(default_factory=lambda: Delegation(validate=False))
    ablate: str | None = None
    inside: dict[str, Topology] = field(default_factory=dict)

    def __post_init__(self) -> None:
        refuse_ablation(self.ablate, [t.name for t in self.offered().values() if t.inside is None])
        above_zero(self, "topology", "max_dispatches", "lead_steps", "worker_steps", "worker_timeout_s")

    def offered(self) -> dict[str, SubAgent]:
        """What its lead may dispatch, by name."""
        return chosen(self.types, self.definitions, self.inside)

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        return await led(session, lambda group: self._solved(session, group))

    async def _solved(self, session: Session, group: asyncio.TaskGroup) -> str:
        dispatcher = Dispatcher(
            session,
            Desk(session, self.delegation),
            self.offered(),
            Bounds(self.max_dispatches, self.worker_steps, self.worker_timeout_s),
            self.pool,
            group,
            self.parallel,
        )
        lead = session.agent(
            LEAD,
            role="lead",
            stance=Stance.LEAD,
            tools=[*session.tools, dispatcher.tool],
            scaffold=LEAD_PROMPT.format(dispatches=self.max_dispatches, results=RESULTS),
        )
        lead.tell(session.statement())
        step = await lead.run(Purpose.ANSWER, self.lead_steps)
        return step.text
