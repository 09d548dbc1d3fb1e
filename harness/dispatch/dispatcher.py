"""``dispatch_sub_agent``: an ordinary tool that blocks its caller until the sub-agent is done or its time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent
from harness.agents.tools import Arguments, Tool
from harness.delegation.desk import Desk
from harness.delegation.order import DELEGATE, TaskOrder
from harness.dispatch.definition import SubAgent
from harness.dispatch.executor import Executor, Job, Pool, Rejected
from harness.dispatch.harvest import SubStep, partial_summary
from harness.dispatch.inside import Insider, InsideRun, for_a_topology
from harness.dispatch.report import SUCCESS, outcome, over_cap, report
from harness.dispatch.subagent import Result, SubAgentRun, made
from harness.errors import LimitExceeded
from harness.session import Session

NAME = "dispatch_sub_agent"
RESULTS = (
    "A result begins with [SUCCESS], or with [PARTIAL_SUCCESS] or [FAILED] and why: then do that part yourself or send "
    "a better order."
)
"""What the prompt of everybody who dispatches says of results."""
FORBIDDEN = "Refused: your order forbids handing the task on."


@dataclass(frozen=True, slots=True)
class Bounds:
    """``dispatches``: orders one lead may send in a run; ``worker_steps``: model calls of one sub-agent;
    ``worker_timeout_s``: seconds from its dispatch after which nobody waits for it any more. None: no bound."""

    dispatches: int | None
    worker_steps: int
    worker_timeout_s: float | None


Make: TypeAlias = "Callable[[SubAgent, int, Caller], tuple[Agent, Dispatcher | None]]"
"""Makes a sub-agent of a type, given its number among its lead's, from 1, and its lead: the agent, and what it hands
out work by itself, if it may."""


@dataclass(slots=True)
class Dispatcher:
    """The sub-agents of one lead in one run; a sub-agent that leads others has one of its own, so that nobody who waits
    keeps a place from those waited for. ``parallel``: the dispatches of one completion run at once instead of one after
    another. ``make``: how sub-agents are made; None: with the task's tools and no other."""

    session: Session
    desk: Desk
    types: Mapping[str, SubAgent]
    bounds: Bounds
    pool: Pool
    group: asyncio.TaskGroup
    parallel: bool
    make: Make | None = None
    _executor: Executor = field(init=False)
    _one_by_one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _dispatched: int = 0
    _out: dict[str, Dispatcher | None] = field(default_factory=dict)
    """Sub-agents that have not ended, each with its own dispatcher."""
    _forbidden: bool = False
    """Whether the lead is a sub-agent whose order forbids handing the task on."""
    _given_up: bool = False
    """Whether the lead is a sub-agent nobody waits for any more."""

    def __post_init__(self) -> None:
        self._executor = Executor(self.pool.within(self.session.limits.workers_running), self.group)

    def tool(self, caller: Caller) -> Tool:
        """``dispatch_sub_agent`` for one agent."""

        async def run(arguments: Arguments) -> Sequence[Part]:
            if self.parallel:
                return await self._dispatch(caller, arguments)
            async with self._one_by_one:
                return await self._dispatch(caller, arguments)

        types = "; ".join(f"{t.name}: {t.does}" for t in self.types.values())
        if self.desk.structured:
            key, order = "order", self.desk.schema()
        else:
            key, order = "task", {"type": "string", "description": "the task in one sentence"}
        return Tool(
            name=NAME,
            description="Hand an order to a new sub-agent and wait for its result.",
            parameters={
                "type": "object",
                "properties": {"type": {"type": "string", "enum": list(self.types), "description": types}, key: order},
                "required": ["type", key],
                "additionalProperties": False,
            },
            tags=frozenset({"delegate"}),
            run=run,
            purpose_of=lambda _: Purpose.DISPATCH,
        )

    async def _dispatch(self, caller: Caller, arguments: Arguments) -> Sequence[Part]:
        refusal = self.session.refuse_depth(caller, NAME) or self._over_bounds()
        if refusal is None:
            order = await self.desk.take(arguments["order" if self.desk.structured else "task"], caller.agent)
            refusal = self._over_bounds()  # others may have gone out while this one's material was looked up
        if refusal is not None:
            self.session.refuse(caller.agent, refusal, tool=NAME)
            return (Part(refusal, ENGINE, self.session.engine_purpose),)
        self._dispatched += 1
        definition = self.types[arguments["type"]]
        if definition.inside is not None:
            order = for_a_topology(order)
        run = self._run(definition, order, caller)
        result = await self._wait(run, self.desk.told(order, caller.agent))
        status, said = outcome(result, run.steps)
        steps = [s.as_json() for s in run.steps]
        data = {"tool": NAME, "status": "done" if status == SUCCESS else "error", "outcome": status}
        who = {"sub_agent": run.name, "sub_agent_type": definition.name}
        self.session.events.emit("step", caller.agent, {**data, **who, "sub_steps": steps})
        return report(status, order, run.name, said, result)

    def _over_bounds(self) -> str | None:
        if self._forbidden:
            return FORBIDDEN
        return over_cap(self._dispatched, self.bounds.dispatches, "dispatch", "dispatches")

    def _made(self, definition: SubAgent, number: int, parent: Caller) -> tuple[Agent, Dispatcher | None]:
        return made(self.session, definition, f"{definition.name}_{number}", parent=parent), None

    def _run(self, definition: SubAgent, order: TaskOrder, parent: Caller) -> SubAgentRun | InsideRun:
        if definition.inside is not None:
            name = self.session.named(f"{definition.name}_{self._dispatched}")
            self._went_out(name, None, parent)
            tried, tools = self.desk.begin(order, name, definition.name), definition.tools(self.session.tools)
            insider = Insider(self.session, definition.inside, name, tools, parent, definition.product)
            return InsideRun(insider, self.desk, tried)
        agent, own = (self.make or self._made)(definition, self._dispatched, parent)
        agent.product = definition.product
        name = agent.name
        if own is not None:
            own._forbidden = DELEGATE in order.forbidden_actions
        self._went_out(name, own, parent)

        def on_step(step: SubStep) -> None:
            data = {"parent_tool": NAME, "sub_agent_type": definition.name, "current_tool": step.tool}
            self.session.events.emit("sub_progress", name, {**data, "sub_step": step.as_json()})

        tried = self.desk.begin(order, name, definition.name)
        return SubAgentRun(agent, definition, self.desk, tried, self.bounds.worker_steps, on_step)

    def _went_out(self, name: str, own: Dispatcher | None, parent: Caller) -> None:
        self._out[name] = own
        if self._given_up:
            self._give_up(name, f"{parent.agent} was abandoned")

    async def _wait(self, run: SubAgentRun | InsideRun, told: list[Part]) -> Result:
        """Block until the sub-agent is done, at most ``worker_timeout_s``; then it is abandoned."""
        done: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        name, bound = run.name, self.bounds.worker_timeout_s
        limit = inf if bound is None else bound

        async def work() -> None:
            try:
                result = await run.work(told)
            except LimitExceeded as reached:
                if done.done():  # nobody waits: the run's own calls will meet the limit
                    return
                if not self._given_up:
                    raise
                result = Result("failed", text=str(reached))  # only somebody for whom nobody waits still waits
            finally:
                self._out.pop(name, None)
            if not done.done():
                done.set_result(result)

        try:
            job = self._executor.submit(work)
        except Rejected as rejected:
            del self._out[name]
            result = Result("failed", text=f"rejected: {rejected}")
            self.desk.fail(run.tried, result.status, result.text)
            return result
        try:
            async with self.session.time.timeout(limit, f"{name} deadline"):  # after all it does at that very instant
                result = await done
        except TimeoutError:
            if done.done() and not done.cancelled():  # in the very instant of the timeout
                result = done.result()
            else:
                result = self._abandoned(run, job, f"worker_timeout_s: not done after {limit:g} s")
        if run.tried.open:
            partial = result.status == "failed" and run.steps
            status = "partial_success" if partial else result.status
            self.desk.fail(run.tried, status, result.text, partial_summary(run.steps))
        if not job.started:
            self.session.events.emit("never_started", name, {"text": result.text})
        return result

    def _abandoned(self, run: SubAgentRun | InsideRun, job: Job, why: str) -> Result:
        """The sub-agent is not interrupted; what it still spends is late."""
        self._executor.abandon(job)
        self._give_up(run.name, why)
        if not job.started:
            self._out.pop(run.name, None)
        return Result("failed", text=why)

    def abandon(self, why: str) -> None:
        """Nobody waits any more for those who are out: their lead is not at work."""
        for name in list(self._out):
            self._give_up(name, why)

    def _give_up(self, name: str, why: str) -> None:
        """Nobody waits for a sub-agent any more, and so for none of those that work for it."""
        left = [(name, self._out.get(name))]
        while left:  # no recursion: there may be hundreds of levels
            one, own = left.pop()
            self.session.abandon(one, why if one == name else f"{name} was abandoned")
            if own is not None:
                own._given_up = True
                left += own._out.items()
