"""The members who work off a board: each takes one task after another, with its memory of those before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent
from harness.agents.panel import place
from harness.dispatch.definition import SubAgent
from harness.dispatch.errand import completed
from harness.dispatch.report import FAILED, report
from harness.dispatch.subagent import Result, SubAgentRun
from harness.errors import single_fault
from harness.session import Session
from harness.team.board import Board, Posted
from harness.team.orders import MEMBER

DONE = "DONE"
"""The status of a task that a member has ended with any word whatever: nobody reviews it."""
KIND = SubAgent(MEMBER, "does one task after another", "Do the task.")
NOBODY = "no member is left to take it"


@dataclass(slots=True)
class Crew:
    """``names``: the members, in the order in which they take tasks; ``make``: a member, when it takes its first.
    ``max_steps``: model calls of a member for one task; ``timeout_s``: seconds of one task, set by ``limit``."""

    session: Session
    board: Board
    names: Sequence[str]
    make: Callable[[str], Agent]
    max_steps: int
    timeout_s: float
    limit: str
    _agents: dict[str, Agent] = field(default_factory=dict)

    async def work_off(self) -> list[Part]:
        """Have all open tasks done, at most ``limits.workers_running`` at once: what the coordinator reads, in the
        order of the board.

        A member whose task failed takes no more before the coordinator has posted again: it would fail fast, and so
        take them all. What then nobody is left to take has failed too.
        """
        posted, slots = self.board.open(), asyncio.Semaphore(self.session.limits.workers_running)
        with single_fault():
            async with asyncio.TaskGroup() as group:
                for name in self.names:
                    group.create_task(self._live(name, slots))
        for task in self.board.open():
            self.board.close(task, Result("failed", text=NOBODY))
        between = Part("\n\n", ENGINE, Purpose.REPORT)
        blocks = [_report(task) for task in posted]
        return list(chain.from_iterable((between, *block) if n else block for n, block in enumerate(blocks)))

    async def _live(self, name: str, slots: asyncio.Semaphore) -> None:
        async with place(self.session, slots):
            await self._work(name)

    async def _work(self, name: str) -> None:
        """One task after another, as long as there are any and none has failed."""
        while (task := self.board.take(name)) is not None:
            agent = self._agents.get(name) or self._agents.setdefault(name, self.make(name))
            tried = self.board.desk.begin(task.order, name, MEMBER)
            run = SubAgentRun(agent, KIND, self.board.desk, tried, self.max_steps, lambda _: None)
            self.board.close(task, await completed(run, self.board.told(task), self.timeout_s, self.limit))
            if task.result.status == "failed":
                return


def _report(task: Posted) -> Sequence[Part]:
    failed = task.result.status == "failed"
    status, said = (FAILED, f": {task.result.text}") if failed else (DONE, "")
    return report(status, task.order, task.member or "nobody", said, task.result)
