"""Mixture of agents: several agents propose an answer, each for itself, and another combines the proposals (seed
document 004, "Mixture-of-Agents"; arXiv 2406.04692).

Proposers never talk, so there are no rounds, no coordination between them and no convergence; one that fails does not
fail the run. Costs: the task once for each proposer, and an aggregator that reads all proposals and writes them anew:
004 counts 7 times the tokens of one agent. Pays: in the narrow case that different models' biases are to be hedged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent, Step
from harness.agents.faults import own_fault
from harness.agents.solvers import MOST, Solvers, shown
from harness.errors import ConfigError, TopologyFailed
from harness.models.protocol import Model
from harness.models.roles import require
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

COMBINE = """\
Several agents have done this task. Their proposals follow it. Combine them into one answer that is better than each \
of them: compare them piece by piece and keep what is best supported, which need not be what most of them say. {tools} \
Give the whole answer in the format the task asks for, without any tool call."""

NO_TOOLS = "You have no tools: work from the proposals alone."
TOOLS = "Use your tools only to check what they disagree about."

AGGREGATOR_STEPS = 3
"""Model calls of the aggregator: one, and two more should it call a tool that it does not have."""


@dataclass(frozen=True)
class Moa:
    """``proposers``: how many in each layer. ``models``: names of ``model.roles``, one for each proposer; empty: all on
    the same model. ``aggregator``: such a name for the aggregator; None: the model of its role, else the main one.
    ``layers``: rounds of proposals before the aggregator; from the second on, new proposers read all proposals of the
    layer before and combine them, with the task's tools at hand.
    ``quorum``: proposals of a layer without which the run has failed; None: more than half. ``proposer_steps``: model
    calls of one; ``proposer_timeout_s``: seconds after which its proposal is not waited for.

    A proposer that fails or takes too long is left out and counted. If the aggregator fails, so has the run, and it
    scores 0: to grade a vote over the proposals, or one of them, would show the result of another topology under this
    one's name. What a limit of the run cuts off before is graded by the proposal that came first."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    proposers: int = 3
    models: list[str] = field(default_factory=list)
    aggregator: str | None = None
    layers: int = 1
    quorum: int | None = None
    proposer_steps: int = 40
    proposer_timeout_s: float = 600.0

    def __post_init__(self) -> None:
        self._solvers()
        if not 1 <= self.layers <= MOST:
            raise ConfigError(
                f"topology.layers={self.layers}: must be from 1, the layer that does the task, to {MOST}."
            )

    def check(self, model: Model, sample: Sample) -> None:
        self._solvers().check(model)
        if self.aggregator is not None:
            require(model, (self.aggregator,), "topology.aggregator")

    def _solvers(self) -> Solvers:
        return Solvers(
            "proposer", self.proposers, self.models, self.quorum, self.proposer_steps, self.proposer_timeout_s
        )

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        solvers = self._solvers()
        proposals = await self._proposed(session, solvers, solvers.agents(session), Purpose.ANSWER)
        for layer in range(2, self.layers + 1):
            scaffold = COMBINE.format(tools=TOOLS if session.tools else NO_TOOLS)
            agents = solvers.agents(session, stance=Stance.LEAD, scaffold=scaffold, layer=layer)
            for agent in agents:
                agent.tell(*shown("Proposal", proposals))
            proposals = await self._proposed(session, solvers, agents, Purpose.MERGE)
        return Answer(await self._combined(session, proposals))

    async def _proposed(
        self, session: Session, solvers: Solvers, agents: Sequence[Agent], intent: Purpose
    ) -> Sequence[Step]:
        """The proposals of one layer."""

        def heard(name: str, proposal: Step) -> None:
            if not session.offered:
                session.offer(proposal.text)

        answered = await solvers.answers(session, agents, intent, heard)
        solvers.need(session, answered)
        return list(answered.values())

    async def _combined(self, session: Session, proposals: Sequence[Step]) -> str:
        aggregator = session.agent(
            "aggregator",
            role="aggregator",
            stance=Stance.LEAD,
            scaffold=COMBINE.format(tools=NO_TOOLS),
            model=self.aggregator,
        )
        aggregator.tell(session.statement())
        aggregator.tell(*shown("Proposal", proposals))
        try:
            return (await aggregator.run(Purpose.MERGE, AGGREGATOR_STEPS)).text
        except Exception as fault:
            failed = own_fault(fault)
            if failed is None:
                raise
            raise TopologyFailed(f"aggregator: {failed.text}") from fault
