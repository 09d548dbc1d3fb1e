"""Whole attempts at one task that are tried one after the other until one passes the task's visible tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.agents.agent import Step
from harness.agents.panel import Work, together
from harness.errors import ConfigError
from harness.session import Session
from harness.suite import Sample, VisibleTests


@dataclass(frozen=True, slots=True)
class Tested:
    """An attempt's last answer, and what the visible tests say against it."""

    answer: Step
    failures: Sequence[str]

    @property
    def passed(self) -> bool:
        return not self.failures


def need_visible(sample: Sample, key: str, instead: str) -> VisibleTests:
    """The visible tests of a sample. Raises ConfigError for a task without. ``key``: what needs them; ``instead``: what
    to do."""
    if sample.visible is None:
        raise ConfigError(
            f"{key} needs visible tests, and this task has none (its sample '{sample.id}' has no Sample.visible): "
            f"{instead}"
        )
    return sample.visible


async def until_passed(session: Session, attempts: Mapping[str, Work[Step]]) -> dict[str, Tested]:
    """Try one after the other until one passes; all that were tested, by name and in order. An attempt that fails by
    its own fault is left out and counted. What the tests say is an event ``tested``, and the attempt with fewest
    failures so far is what is graded if the run ends here."""
    tested: dict[str, Tested] = {}
    for name, work in attempts.items():
        answered = await together(session, {name: work})
        for answer in answered.values():
            tested[name] = Tested(answer, await failures_of(session, answer.text))
            session.events.emit("tested", name, {"failures": list(tested[name].failures)})
            session.offer(fewest(tested).answer.text)
            if tested[name].passed:
                return tested
    return tested


def fewest(tested: Mapping[str, Tested]) -> Tested:
    """The attempt with fewest failures, the first of several. Raises ValueError if there is none."""
    return min(tested.values(), key=lambda t: len(t.failures))


async def failures_of(session: Session, answer: str) -> Sequence[str]:
    """What the sample's visible tests say against an answer. Raises ConfigError if it has none."""
    return await need_visible(session.sample, f"topology={session.topology}", "choose a task that has some.")(answer)
