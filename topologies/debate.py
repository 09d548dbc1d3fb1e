"""Several agents answer, read each other's answers, and answer again, for some rounds; then code takes the majority
(seed document 004, the second of its three wasteful scenes; arXiv 2305.14325).

The first round is a plain vote. Costs: each further round sends every debater its whole conversation and the others'
answers once more; 004 counts 3 agents and 5 rounds as 12 times the tokens of one strong agent. Pays: hardly ever. What
nobody knows no round finds out, and models tend to please: agreement grows whether or not it is on the right answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent, Step
from harness.agents.solvers import BETWEEN, MOST, Solvers, shown
from harness.agreement import Ballot, agreed, ballots, voted
from harness.errors import ConfigError
from harness.models.protocol import Model
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

OTHERS = "Others have done the same task. These are their latest answers:"

RECONSIDER = (
    "Reconsider your answer in the light of theirs: they may be right where you are wrong, and wrong where you are "
    "right. Look again where you differ. Then give your whole answer anew, in the format the task asks for, without "
    "any tool call."
)


@dataclass(frozen=True)
class Debate:
    """``debaters``, ``rounds``: 3 and 5 in 004. ``models``: names of ``model.roles``, one for each debater; empty: all
    on the same model. ``stop_on_agreement``: no further round once all latest answers agree. ``quorum``: first answers
    without which the run has failed; None: more than half. ``debater_steps``: model calls of one in one round;
    ``debater_timeout_s``: seconds of one round.

    A debater that fails or takes too long is left out from then on and counted. Its last answer, if it gave one, is
    still shown to the others and still counts, for agreement and in the vote; with fewer than two left the debate ends.
    The vote over the latest answers is entry by entry (``harness.agreement``); ties go to the debater that comes
    first. An event ``round`` tells after each round who answered and whether all latest answers agree."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    debaters: int = 3
    rounds: int = 5
    models: list[str] = field(default_factory=list)
    stop_on_agreement: bool = True
    quorum: int | None = None
    debater_steps: int = 40
    debater_timeout_s: float = 600.0

    def __post_init__(self) -> None:
        self._solvers()
        if not 1 <= self.rounds <= MOST:
            raise ConfigError(f"topology.rounds={self.rounds}: must be from 1, which is a plain vote, to {MOST}.")

    def check(self, model: Model, sample: Sample) -> None:
        self._solvers().check(model)

    def _solvers(self) -> Solvers:
        return Solvers(
            "debater", self.debaters, self.models, self.quorum, self.debater_steps, self.debater_timeout_s, least=2
        )

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        solvers = self._solvers()
        agents = solvers.agents(session)
        latest: dict[str, Step] = {}

        def held() -> list[Ballot]:
            return ballots([latest[a.name].text for a in agents if a.name in latest], sample.output_schema)

        def heard(name: str, step: Step) -> None:
            latest[name] = step
            session.offer(voted(held()))

        left = agents
        for number in range(1, self.rounds + 1):
            for agent in left if number > 1 else ():  # all are told before any speaks again
                _tell_others_answers(agent, [latest[a.name] for a in agents if a is not agent and a.name in latest])
            intent = Purpose.ANSWER if number == 1 else Purpose.SYNC
            answered = await solvers.answers(session, left, intent, heard)
            if number == 1:
                solvers.need(session, answered)
            left = [agent for agent in left if agent.name in answered]
            same = agreed(held())
            session.events.emit("round", "engine", {"round": number, "answered": list(answered), "agreed": same})
            if len(left) < 2 or (same and self.stop_on_agreement):
                break
        return Answer(voted(held()))


def _tell_others_answers(agent: Agent, others: list[Step]) -> None:
    agent.tell(
        Part(f"{OTHERS}{BETWEEN}", ENGINE, Purpose.SCAFFOLD),
        *shown("Answer", others),
        Part(f"{BETWEEN}{RECONSIDER}", ENGINE, Purpose.SCAFFOLD),
    )
