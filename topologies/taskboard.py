"""A coordinator that posts tasks on a board, and members who take them (seed document 004, "Layer 2: Team").

Finished means done: the coordinator reads what comes back, and nobody reviews it. That gap is what the seed's third
layer, planning and evaluation, is there to close. Costs: tasks are written and read, results are read and restated; a
member keeps its memory, so its later tasks carry its earlier ones along. Pays: when there are many parts of unequal
length, since whoever is free takes the next, and results need no check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent
from harness.agents.tools import asking, not_asking
from harness.delegation.desk import Desk
from harness.delegation.rules import PLAIN_WORDS
from harness.errors import ConfigError, above_zero
from harness.limits import exceeded
from harness.session import Session
from harness.suite import Sample
from harness.team.board import Board
from harness.team.crew import Crew
from harness.team.roster import NAMES, ROSTER_CAP
from harness.topology import Answer

COORDINATOR = "coordinator"

COORDINATOR_PROMPT = """\
You lead a team of {members} through a task board. Post tasks with post_task, at most {tasks} in all; each goes to the \
next free member, who sees only what the task says and has the tools for reading the material.
Split the work into parts that do not depend on each other. In each task, name the documents to read, repeat the \
questions word for word, and say what to send back. Post all of them in one reply: when every posted task is done you \
read all results in one message, in the order of the board.
A result begins with [DONE], or with [FAILED] and why: then {if_failed}post it again.
{share}When you have every result, give the final answer in the format the task asks for, without any tool call."""

WORKS = "You have the tools too: what is quickly looked up, look up yourself. "
OWN_PART = "do that part yourself or "

MEMBER_PROMPT = """\
You are {name}, a member of a team. Tasks come to you from a board, one at a time. You see only what they say, and \
cannot ask back. Work on the latest task only; what you have read for an earlier one you need not read again.
When it is done, give its result as your answer, without any tool call: it goes to the coordinator."""


@dataclass(frozen=True)
class Taskboard:
    """``members``: how many there are. ``max_tasks``: tasks of one run; more are refused. ``lead_steps``: model calls
    of the coordinator; ``member_steps``: of a member for one task. ``member_timeout_s``: seconds of one task; then its
    member is interrupted, and the task has failed. ``coordinator_works``: it has the task's tools; in 004 it only
    assigns, so without it has those only that ask whoever set the task."""

    family: ClassVar[Literal["single", "team"]] = "team"
    needs_bus: ClassVar[bool] = False
    members: int = 3
    max_tasks: int = 16
    lead_steps: int = 24
    member_steps: int = 8
    member_timeout_s: float = 120.0
    coordinator_works: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.members <= ROSTER_CAP:
            raise ConfigError(f"topology.members={self.members}: a team has 1 to {ROSTER_CAP} members.")
        above_zero(self, "topology", "max_tasks", "lead_steps", "member_steps", "member_timeout_s")

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        board = Board(session, Desk(session, PLAIN_WORDS), self.max_tasks)
        coordinator = session.agent(
            COORDINATOR,
            role="lead",
            stance=Stance.LEAD,
            tools=[*(session.tools if self.coordinator_works else asking(session.tools)), board.tool],
            scaffold=self._prompt(),
        )

        def make(name: str) -> Agent:
            return session.agent(
                name,
                role="worker",
                stance=Stance.WORKER,
                tools=not_asking(session.tools),
                scaffold=MEMBER_PROMPT.format(name=name),
                parent=coordinator.caller,
            )

        names = [session.named(name) for name in NAMES[: self.members]]
        crew = Crew(session, board, names, make, self.member_steps, self.member_timeout_s, "member_timeout_s")
        coordinator.tell(session.statement())
        for _ in range(self.lead_steps):
            step = await coordinator.step(Purpose.ANSWER)
            if board.open():
                coordinator.tell(*await crew.work_off())
            elif step.final:
                return Answer(step.text)
        raise exceeded("lead_steps", self.lead_steps, self.lead_steps + 1, "run")

    def _prompt(self) -> str:
        works = self.coordinator_works
        return COORDINATOR_PROMPT.format(
            members="1 member" if self.members == 1 else f"{self.members} members",
            tasks=self.max_tasks,
            if_failed=OWN_PART if works else "",
            share=WORKS if works else "",
        )
