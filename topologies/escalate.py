"""A cheap model first, and a strong one where the task's visible tests find a failure.

The strong agent starts anew from the statement and sees nothing of what the cheap one did. Costs: one cheap attempt
more wherever it escalates, and the strong model's price there. Pays: when most samples are easy, the strong model is
much dearer, and the visible tests find what is wrong; what they miss stays as the cheap model left it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Literal

from harness.agents.panel import need, together
from harness.agents.solvers import MOST
from harness.agents.tested import fewest, need_visible, until_passed
from harness.errors import ConfigError
from harness.models.protocol import Model
from harness.models.roles import STRONG, require
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer
from topologies.single import Single

UNFINISHED = "no attempt of the main model came to an answer"


@dataclass(frozen=True)
class Escalate:
    """``tries``: attempts of the main model, one after the other until one passes the visible tests. ``attempt``: how
    each is made, and the strong model's too. The strong model's answer stands untested; if its agent fails by its own
    fault, the main model's answer with fewest failures stands."""

    family: ClassVar[Literal["single", "team"]] = "single"
    tries: int = 1
    attempt: Single = field(default_factory=Single)

    def __post_init__(self) -> None:
        if not 1 <= self.tries <= MOST:
            raise ConfigError(
                f"topology.tries={self.tries}: must be from 1 to {MOST}; topology=strong asks the strong model at once."
            )
        if self.attempt.strong:
            raise ConfigError(
                "topology.attempt.strong=true: escalate goes from the main model to the strong one, so this leaves "
                "nothing to escalate to; topology=strong asks the strong model at once."
            )

    def check(self, model: Model, sample: Sample) -> None:
        require(model, (STRONG,), "topology=escalate")
        need_visible(sample, "topology=escalate", "choose a task that has some, or topology=single or strong.")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        tested = await until_passed(session, self.attempt.attempts(session, self.tries))
        cheap = fewest(tested) if tested else None
        if cheap is not None and cheap.passed:
            return Answer(cheap.answer.text)
        session.counters.escalations += 1
        session.events.emit("escalated", "engine", {"failures": [UNFINISHED] if cheap is None else [*cheap.failures]})
        strong = replace(self.attempt, strong=True)
        answered = await together(session, {STRONG: partial(strong.solve, session, STRONG, session.offer)})
        if STRONG not in answered and cheap is not None:
            return Answer(cheap.answer.text)
        need(session, 1, answered, self.tries + 1, "attempts")
        return Answer(answered[STRONG].text)
