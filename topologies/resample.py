"""Several whole attempts of one agent, and a choice among them: what the team's money buys from a single agent.

The attempts are independent draws that know nothing of each other, and nobody knows the key. Costs: as many times the
single agent's, and for a judge one more reader of all attempts. Pays: when errors are chance that other attempts do not
repeat, and even then only as far as the chooser can tell: a majority only where errors differ, a judge who cannot look
at the material no better, visible tests for what they test. One answer that is right by luck among many wrong ones is
found by none but the tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Step
from harness.agents.panel import need, together
from harness.agents.solvers import MOST
from harness.agents.tested import fewest, need_visible, until_passed
from harness.agreement import ballots, voted
from harness.errors import ConfigError, unknown
from harness.models.protocol import Model
from harness.models.roles import STRONG, require
from harness.session import Session
from harness.suite import Sample
from harness.topology import Answer
from topologies.single import Single

CHOOSERS = ("majority", "judge", "visible")

JUDGE_PROMPT = "\n\n{attempts} attempts at this task follow. Compare them entry by entry. {reads}"
READS = "Where they differ, check them against the material."
NO_READS = "You cannot look at the material."
ATTEMPT = "\n\n[attempt {number}]\n"
QUESTION = "\n\nAnswer with the number of the best attempt and nothing else: a whole number from 1 to {attempts}."
NO_NUMBER = "That is not the number of an attempt. Answer with one whole number from 1 to {attempts} and nothing else."

_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Resample:
    """``attempts``: how many are made. ``choose``: by what the answer is chosen: ``majority`` (all at once; entry by
    entry what most attempts say, without another call, as ``vote`` does it), ``judge`` (all at once; one more agent of
    the same model names the best attempt), ``visible`` (one after the other until one passes the task's visible tests,
    else the one with fewest failures). ``judge_reads``: the judge has the task's tools. ``attempt``: how each is made.
    """

    family: ClassVar[Literal["single", "team"]] = "single"
    attempts: int = 3
    choose: str | None = "majority"
    judge_reads: bool = False
    attempt: Single = field(default_factory=Single)

    def __post_init__(self) -> None:
        if not 1 <= self.attempts <= MOST:
            raise ConfigError(
                f"topology.attempts={self.attempts}: must be from 1 to {MOST}, and 1 leaves nothing to choose."
            )
        if self.choose is None:
            raise ConfigError(
                f"topology.choose=null: resample without a chooser cannot say which attempt counts. Valid choices: "
                f"{', '.join(CHOOSERS)}."
            )
        if self.choose not in CHOOSERS:
            raise ConfigError(unknown("topology.choose", self.choose, CHOOSERS))
        if self.judge_reads and self.choose != "judge":
            raise ConfigError(
                f"topology.judge_reads=true: there is no judge with topology.choose={self.choose}; set "
                "topology.choose=judge, or leave it out."
            )

    def check(self, model: Model, sample: Sample) -> None:
        if self.attempt.strong:
            require(model, (STRONG,), "topology.attempt.strong=true")
        if self.choose == "visible":
            need_visible(sample, "topology.choose=visible", "set topology.choose=majority or judge.")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        work = self.attempt.attempts(session, self.attempts)
        if self.choose == "visible":
            tested = await until_passed(session, work)
            need(session, 1, tested, self.attempts, "attempts")
            return Answer(fewest(tested).answer.text)
        made: dict[str, Step] = {}

        def heard(name: str, step: Step) -> None:
            made[name] = step
            session.offer(self._majority({n: made[n] for n in work if n in made}, sample))

        answered = await together(session, work, heard=heard)
        need(session, 1, answered, self.attempts, "attempts")
        if self.choose == "judge" and len(answered) > 1:
            attempts = list(answered.values())
            return Answer(attempts[await self._judged(session, attempts)].text)
        return Answer(self._majority(answered, sample))

    def _majority(self, made: Mapping[str, Step], sample: Sample) -> str:
        return voted(ballots([step.text for step in made.values()], sample.output_schema))

    async def _judged(self, session: Session, made: list[Step]) -> int:
        """Which attempt the judge names, counted from 0. The first stands if it names none, or fails by its own
        fault."""
        named = (await together(session, {"judge": partial(self._judge, session, made)})).get("judge")
        if named is None:
            session.events.emit("judge_undecided", "judge", {"chosen": 1})
            return 0
        return named - 1

    async def _judge(self, session: Session, made: list[Step]) -> int | None:
        """The number that the judge gives, counted from 1; None if it gives none when asked twice."""
        judge = session.agent(
            "judge",
            role="judge",
            stance=Stance.REVIEWER,
            tools=session.tools if self.judge_reads else (),
            model=STRONG if self.attempt.strong else None,
        )
        judge.product = Purpose.REVIEW
        told = {"attempts": len(made), "reads": READS if self.judge_reads else NO_READS}
        parts = [session.statement(), Part(JUDGE_PROMPT.format(**told), ENGINE, session.engine_purpose)]
        for i, attempt in enumerate(made, 1):
            parts.append(Part(ATTEMPT.format(number=i), ENGINE, session.engine_purpose))
            parts += [part.forwarded() for part in attempt.parts]
        judge.tell(*parts, Part(QUESTION.format(**told), ENGINE, session.engine_purpose))
        step = await judge.run(Purpose.REVIEW, self.attempt.max_steps)
        if (number := _number(step.text, len(made))) is None:
            session.unparsable("judge", step.text)
            judge.note(NO_NUMBER.format(**told))
            step = await judge.run(Purpose.REVIEW, self.attempt.max_steps)
            if (number := _number(step.text, len(made))) is None:
                session.unparsable("judge", step.text)
        return number


def _number(text: str, most: int) -> int | None:
    """The one number in a text, however often it stands there, if it lies between 1 and ``most``."""
    found = set(_NUMBER.findall(text))
    return next((n for n in range(1, most + 1) if found == {str(n)}), None)
