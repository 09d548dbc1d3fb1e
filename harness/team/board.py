"""A task board: a coordinator posts, members take what is open (seed document 004, "Layer 2: Team")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.tools import Arguments, Tool
from harness.delegation.desk import Desk
from harness.delegation.order import TaskOrder
from harness.dispatch.report import over_cap
from harness.dispatch.subagent import Result
from harness.session import Session

NAME = "post_task"


@dataclass(slots=True)
class Posted:
    """One task. ``member``: who has taken it, empty while it is open; ``result``: how that ended."""

    order: TaskOrder
    by: str
    state: Literal["open", "assigned", "done"] = "open"
    member: str = ""
    result: Result = field(default=Result("failed", text="nobody has taken it"))


@dataclass(slots=True)
class Board:
    """The tasks of one run, in the order of posting. Each goes from open to assigned to done and never back: done means
    that its member has ended, not that anybody has looked at the result."""

    session: Session
    desk: Desk
    max_tasks: int
    tasks: list[Posted] = field(default_factory=list)

    def tool(self, caller: Caller) -> Tool:
        """``post_task`` for one agent."""

        async def run(arguments: Arguments) -> Sequence[Part]:
            refusal = self.session.refuse_depth(caller, NAME) or over_cap(
                len(self.tasks), self.max_tasks, "task", "tasks"
            )
            if refusal is not None:
                self.session.refuse(caller.agent, refusal, tool=NAME)
                return (Part(refusal, ENGINE, self.session.engine_purpose),)
            order = await self.desk.take(arguments["task"], caller.agent)
            self.tasks.append(Posted(order, caller.agent))
            return (Part(f"posted {order.subtask_id}", ENGINE, self.session.engine_purpose),)

        task = {"type": "string", "description": "the whole task, in plain words"}
        return Tool(
            name=NAME,
            description="Post a task on the board for the next free member. Returns at once with its id.",
            parameters={
                "type": "object",
                "properties": {"task": task},
                "required": ["task"],
                "additionalProperties": False,
            },
            tags=frozenset({"delegate"}),
            run=run,
            purpose_of=lambda _: Purpose.DISPATCH,
        )

    def open(self) -> list[Posted]:
        """The tasks that nobody has taken."""
        return [task for task in self.tasks if task.state == "open"]

    def take(self, member: str) -> Posted | None:
        """The first open task, for this member; None if there is none."""
        task = next(iter(self.open()), None)
        if task is not None:
            task.state, task.member = "assigned", member
        return task

    def close(self, task: Posted, result: Result) -> None:
        task.state, task.result = "done", result

    def told(self, task: Posted) -> list[Part]:
        """A task as its member reads it."""
        head = Part(f"[board] task {task.order.subtask_id} from {task.by}:\n", ENGINE, Purpose.DISPATCH)
        return [head, *self.desk.told(task.order, task.by)]
