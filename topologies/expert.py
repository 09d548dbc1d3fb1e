"""Plan, generate, evaluate: a planner divides the work among experts, and every product is reviewed (seed document 004,
"Layer 3").

Nothing that was not reviewed gets through, and what does not pass is revised, escalated, and in the end stopped or let
through by its risk. Costs: the plan, the task as a whole in every expert's prompt, a review of each product with the
material read once more, and the merging: 004 counts 200,000 tokens for five steps where one agent takes 80,000. Pays:
when the fields differ so much that no one brief serves all, or when a wrong part is dearer than its review.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.dispatch.led import led
from harness.expert import preview
from harness.expert.settings import Settings
from harness.expert.team import ExpertRun
from harness.models.protocol import Model
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer


@dataclass(frozen=True)
class ExpertTeam(Settings):
    """Its settings are explained in ``harness.expert.settings.Settings``."""

    family: ClassVar[Literal["single", "team"]] = "team"

    @property
    def needs_bus(self) -> bool:
        """Only messages between experts go over it."""
        return self.messages

    def check(self, model: Model, sample: Sample) -> None:
        self.check_models(model, sample)
        if self.confirm:
            preview.load(self.plans, sample, 0, self.team(sample))

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        channel = await session.bus.join(session.space, session.time) if self.messages else None
        try:
            return await led(session, lambda group: ExpertRun(session, self, channel, group).answer())
        finally:
            if channel is not None:
                await channel.close()
