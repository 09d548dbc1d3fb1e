"""One agent with the task's tools: the baseline that every team has to beat.

On a stronger model (``strong``), or with looks back at its own answer (``reviews``), it is what the team's money would
buy from one agent instead. Costs: a review reads the whole conversation once more and writes the whole answer anew.
Pays: seldom, since whoever has written a thing is lenient with it (seed document 004, "three legitimate scenes", the
second); a fresh reader catches more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent, Step
from harness.agents.compaction import Compaction
from harness.agents.faults import own_fault
from harness.agents.panel import Work
from harness.errors import ConfigError
from harness.models.protocol import Model
from harness.models.roles import STRONG, require
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer

REVIEW = (
    "Check your answer against the material, entry by entry, and correct what is wrong or missing. Then give the whole "
    "final answer anew, in the format the task asks for, without any tool call."
)


@dataclass(frozen=True)
class Single:
    """``max_steps``: model calls before it gives up, and again for each review. ``strong``: it runs on the stronger
    model (``model.strong``). ``reviews``: how many times it is asked, in the same conversation, to check its answer and
    to give it anew; if it fails at that by its own fault, the answer before stands. ``compact``: replace the
    conversation by the agent's own notes when it fills ``compact_at`` of the model's window, for a task that neither
    fits nor divides."""

    family: ClassVar[Literal["single", "team"]] = "single"
    max_steps: int = 40
    strong: bool = False
    reviews: int = 0
    compact: bool = False
    compact_at: float = 0.7

    def __post_init__(self) -> None:
        if self.max_steps < 1:
            raise ConfigError(f"topology.max_steps={self.max_steps}: must be at least 1.")
        if self.reviews < 0:
            raise ConfigError(f"topology.reviews={self.reviews}: must be 0 (no self-review) or more.")
        if not 0 < self.compact_at < 1:
            raise ConfigError(f"topology.compact_at={self.compact_at}: must lie between 0 and 1.")

    def check(self, model: Model, sample: Sample) -> None:
        if self.strong:
            require(model, (STRONG,), "topology.strong=true")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        return Answer((await self.solve(session, "solver", session.offer)).text)

    async def solve(self, session: Session, name: str, offer: Callable[[str], None] = lambda text: None) -> Step:
        """One whole attempt by an agent of this name: its last answer. ``offer``: what to do with each answer on the
        way. Raises what ends an agent or the run."""
        role = STRONG if self.strong else "single"
        solver = session.agent(name, role=role, stance=Stance.LEAD, tools=session.tools)
        solver.tell(session.statement())
        if self.compact:
            solver.compaction = Compaction(self.compact_at, keep=len(solver.conversation.turns))
        answer = await solver.run(Purpose.ANSWER, self.max_steps)
        offer(answer.text)
        for _ in range(self.reviews):
            try:
                answer = await self._review(solver)
            except Exception as fault:
                failed = own_fault(fault)
                if failed is None:
                    raise
                session.events.emit("review_failed", name, {"text": failed.text})
                break
            offer(answer.text)
        return answer

    def attempts(self, session: Session, number: int) -> dict[str, Work[Step]]:
        """So many whole attempts, not begun yet, each by an agent of its own: solver_1, solver_2, …"""
        return {name: partial(self.solve, session, name) for name in (f"solver_{i}" for i in range(1, number + 1))}

    async def _review(self, solver: Agent) -> Step:
        solver.note(REVIEW)
        solver.product = Purpose.REWORK
        return await solver.run(Purpose.REWORK, self.max_steps)
