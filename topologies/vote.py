"""Several agents do the whole task, each for itself, and code takes the majority (seed document 004, the first of its
three wasteful scenes).

No agent reads another's text, and nothing is spent on talk: the costs are those of one agent times the number of
voters. Pays: when errors are independent, as with models of different families. Voters on one model err together, and
their vote mends little; the value is that of different models, not of several agents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose
from harness.agents.agent import Step
from harness.agents.solvers import Solvers
from harness.agreement import ballots, voted
from harness.models.protocol import Model
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer


@dataclass(frozen=True)
class Vote:
    """``voters``: how many. ``models``: names of ``model.roles``, one for each voter; empty: all on the same model.
    ``quorum``: votes without which the run has failed; None: more than half. ``voter_steps``: model calls of one;
    ``voter_timeout_s``: seconds after which its vote is not waited for. A voter that fails or takes too long is left
    out and counted. The vote is entry by entry (``harness.agreement``); ties go to the voter that comes first."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    voters: int = 3
    models: list[str] = field(default_factory=list)
    quorum: int | None = None
    voter_steps: int = 40
    voter_timeout_s: float = 600.0

    def __post_init__(self) -> None:
        self._solvers()

    def check(self, model: Model, sample: Sample) -> None:
        self._solvers().check(model)

    def _solvers(self) -> Solvers:
        return Solvers("voter", self.voters, self.models, self.quorum, self.voter_steps, self.voter_timeout_s)

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        solvers = self._solvers()
        agents = solvers.agents(session)
        votes: dict[str, Step] = {}

        def result() -> str:
            return voted(ballots([votes[a.name].text for a in agents if a.name in votes], sample.output_schema))

        def heard(name: str, step: Step) -> None:
            votes[name] = step
            session.offer(result())

        solvers.need(session, await solvers.answers(session, agents, Purpose.ANSWER, heard))
        return Answer(result())
