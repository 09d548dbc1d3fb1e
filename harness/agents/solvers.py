"""Several agents that do the same whole task, each for itself: how many, on which models, and on what terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent, Step
from harness.agents.panel import need, together
from harness.errors import ConfigError
from harness.models.protocol import Model
from harness.models.roles import require
from harness.session import Session

MOST = 100
"""More agents at one task than this are a slip of the finger: teams have 3 to 7 (seed document 004)."""
BETWEEN = "\n\n"
"""Between answers, and between these and what else is said."""

Heard = Callable[[str, Step], None]
"""Told of an agent's answer, by its name, as soon as it is there."""


@dataclass(frozen=True, slots=True)
class Solvers:
    """The parameters that such topologies share, checked under the topology's own keys.

    ``role``: of each, in the singular; ``size``: how many (``topology.ROLEs``), at ``least`` so many. ``models``: names
    of ``model.roles``, one for each solver, or none: each gets the model of its role, which is the main one unless
    ``model.roles`` says otherwise. ``quorum``: how many have to answer; None: more than half. ``steps``
    (``topology.ROLE_steps``): model calls of one until it answers; ``timeout_s`` (``topology.ROLE_timeout_s``): seconds
    that it may take. Raises ConfigError for terms that nobody can meet.
    """

    role: str
    size: int
    models: Sequence[str]
    quorum: int | None
    steps: int
    timeout_s: float
    least: int = 1

    def __post_init__(self) -> None:
        size = f"topology.{self.role}s={self.size}"
        if not self.least <= self.size <= MOST:
            raise ConfigError(f"{size}: must be from {self.least} to {MOST}.")
        if self.models and len(self.models) != self.size:
            raise ConfigError(
                f"topology.models={list(self.models)} has {len(self.models)} for {size}: name one model for each "
                f"{self.role}, or none, and all run on the same one."
            )
        if self.quorum is not None and not 1 <= self.quorum <= self.size:
            raise ConfigError(
                f"topology.quorum={self.quorum} with {size}: must be from 1 to {self.size}, or null for more than half."
            )
        for name, value in (("steps", self.steps), ("timeout_s", self.timeout_s)):
            if not value > 0:
                raise ConfigError(f"topology.{self.role}_{name}={value}: must be above 0.")

    def check(self, model: Model) -> None:
        """Raise ConfigError for a name in ``topology.models`` that is no model beside this one."""
        require(model, self.models, "topology.models")

    def agents(
        self, session: Session, *, stance: Stance = Stance.WORKER, scaffold: str = "", layer: int = 1
    ) -> list[Agent]:
        """New agents that have been told the task and nothing of each other. Without ``scaffold`` their prompts are a
        single agent's, word for word. ``layer``: from the second on it stands in their names."""
        made = []
        for number in range(1, self.size + 1):
            name = f"{self.role}_{number}" + (f"_layer_{layer}" if layer > 1 else "")
            model = self.models[number - 1] if self.models else None
            agent = session.agent(
                name, role=self.role, stance=stance, tools=session.tools, scaffold=scaffold, model=model
            )
            agent.tell(session.statement())
            made.append(agent)
        return made

    async def answers(
        self, session: Session, agents: Iterable[Agent], intent: Purpose, heard: Heard
    ) -> dict[str, Step]:
        """The answers of these agents by name, in order, without those that were left out. They work at once, at most
        ``limits.workers_running`` of them; ``timeout_s`` counts from the start of each (``panel.together``)."""
        work = {agent.name: partial(agent.run, intent, self.steps) for agent in agents}
        return await together(session, work, timeout_s=self.timeout_s, bound=f"{self.role}_timeout_s", heard=heard)

    def need(self, session: Session, answered: Mapping[str, Step]) -> None:
        """Raise TopologyFailed without the quorum."""
        need(session, self.size // 2 + 1 if self.quorum is None else self.quorum, answered, self.size, f"{self.role}s")


def shown(label: str, answers: Iterable[Step]) -> list[Part]:
    """Answers as somebody else reads them: numbered, and without names, so that nobody is believed for who it is."""
    parts: list[Part] = []
    for number, answer in enumerate(answers, 1):
        parts.append(Part(f"{BETWEEN if parts else ''}{label} {number}:\n", ENGINE, Purpose.SCAFFOLD))
        parts += [part.forwarded() for part in answer.parts]
    return parts
