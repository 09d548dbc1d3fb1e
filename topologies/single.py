"""One agent with the task's tools: the baseline that every team has to beat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.agents.compaction import Compaction
from harness.errors import ConfigError
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer


@dataclass(frozen=True)
class Single:
    """``max_steps``: model calls before it gives up. ``compact``: replace the conversation by the agent's own notes
    when it fills ``compact_at`` of the model's window, for a task that neither fits nor divides."""

    family: ClassVar[Literal["single", "team"]] = "single"
    max_steps: int = 40
    compact: bool = False
    compact_at: float = 0.7

    def __post_init__(self) -> None:
        if self.max_steps < 1:
            raise ConfigError(f"topology.max_steps={self.max_steps}: must be at least 1.")
        if not 0 < self.compact_at < 1:
            raise ConfigError(f"topology.compact_at={self.compact_at}: must lie between 0 and 1.")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        solver = session.agent("solver", role="single", stance=Stance.LEAD, tools=session.tools)
        solver.tell(session.statement())
        if self.compact:
            solver.compaction = Compaction(self.compact_at, keep=2)
        step = await solver.run(Purpose.ANSWER, self.max_steps)
        return Answer(step.text)
