"""One run of a script: its globals, and what becomes of its calls."""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from math import inf
from random import Random
from typing import Any

from harness.agents.panel import ROUNDING
from harness.errors import HarnessError, TopologyFailed, single_fault
from harness.limits import exceeded
from harness.models.seeds import request_seed
from harness.session import Session
from harness.workflow.allowed import space
from harness.workflow.bounds import Bounds
from harness.workflow.caller import WHO, AgentCaller, Ended
from harness.workflow.meter import STEP
from harness.workflow.program import MAIN, Program
from harness.workflow.script import AgentFailed

DEFECTS = (NameError, HarnessError)
"""Errors of a script that are no bad luck with one item, and so end the run."""


class Pending(Awaitable[Any]):
    """What a script gets of a call before it awaits it."""

    def __init__(self, start: Callable[[], Awaitable[Any]], what: str, unawaited: dict[Pending, None]) -> None:
        self._start, self.what, self._unawaited = start, what, unawaited
        unawaited[self] = None

    def __await__(self) -> Generator[Any, None, Any]:
        if self not in self._unawaited:
            raise TopologyFailed(f"awaited twice: {self.what}. Call it again for another result.")
        del self._unawaited[self]
        return self._start().__await__()


class Stage:
    """What a script acts on: its primitives, and the run around them."""

    def __init__(
        self, session: Session, program: Program, caller: AgentCaller, bounds: Bounds, args: Mapping[str, Any]
    ) -> None:
        self._session, self._program, self._caller, self._bounds, self._args = session, program, caller, bounds, args
        self._steps = 0
        self._parallels = 0
        self._unawaited: dict[Pending, None] = {}
        s = session
        self._random = Random(request_seed(s.seed, s.sample.id, s.epoch, s.topology, s.named(WHO), 0))

    async def run(self) -> str:
        """The answer. Raises TopologyFailed for a script that fails by itself, and what ends the run."""
        program, emit = self._program, self._session.events.emit
        emit("workflow_started", WHO, {"script": program.name, "file": program.source, "sha256": program.sha256})
        try:
            returned = await self._returned()
        except Ended as ended:
            raise ended.fault from None
        if self._caller.ended is not None:
            raise self._caller.ended.fault
        answer = self._answer(returned)
        emit("workflow_ended", WHO, {"script": program.name, "steps": self._steps})
        return answer

    async def _returned(self) -> Any:
        names = space(self._primitives(), self._bounds.steps)
        try:
            exec(self._program.code, names)
            with single_fault():
                return await names[MAIN](self._session.statement().text)
        except AgentFailed:
            raise
        except Exception as fault:
            raise TopologyFailed(f"{self._where(fault)}: {type(fault).__name__}: {fault}") from fault

    def _where(self, fault: BaseException) -> str:
        """File and line of the script at which it was raised."""
        at, line = fault.__traceback__, 0
        while at is not None:
            if at.tb_frame.f_code.co_filename == self._program.source:
                line = at.tb_lineno
            at = at.tb_next
        return f"{self._program.source}:{line}" if line else self._program.source

    def _answer(self, returned: Any) -> str:
        if self._unawaited:
            calls = ", ".join(dict.fromkeys(p.what for p in self._unawaited))
            raise TopologyFailed(f"{self._program.source}: never awaited: {calls}. Write `await` before the call.")
        if isinstance(returned, list | dict):
            try:
                return json.dumps(returned, ensure_ascii=False)
            except (TypeError, ValueError) as fault:
                raise TopologyFailed(f"{self._program.source}: main's answer is not JSON: {fault}") from None
        if not isinstance(returned, str):
            what = f"{self._program.source}: main returned {returned!r:.80}"
            raise TopologyFailed(f"{what}; return the answer as a text, or as a list or dict for JSON")
        return str(returned)

    def _primitives(self) -> dict[str, Any]:
        named = (self.agent, self.parallel, self.pipeline, self.phase, self.log, self.now, self.random)
        made: dict[str, Any] = {f.__name__: f for f in named}
        return {**made, "args": copy.deepcopy(dict(self._args)), "AgentFailed": AgentFailed, STEP: self._step}

    def _step(self) -> None:
        self._steps += 1
        if self._steps > self._bounds.steps:
            self._caller.end(exceeded("script_steps", self._bounds.steps, self._steps, "run"))
        if self._caller.ended is not None:
            raise self._caller.ended

    # -- what a script calls ---------------------------------------------------------------------------------------

    def agent(
        self, prompt: str, schema: Mapping[str, Any] | None = None, model: str | None = None, type: str | None = None,
        label: str | None = None, phase: str | None = None,
    ) -> Awaitable[Any]:  # fmt: skip
        asked = self._caller.asked(prompt, schema, model, type, label, phase)
        return Pending(lambda: self._caller.answer(asked), f"agent(label={asked.label!r})", self._unawaited)

    def parallel(self, thunks: Iterable[Callable[[], Awaitable[Any]] | Awaitable[Any]]) -> Awaitable[list[Any]]:
        calls = self._listed("parallel", thunks)
        for call in calls:
            if not (callable(call) or isinstance(call, Awaitable)):
                self._caller.refuse(f"parallel([… {call!r:.60} …]): give functions without arguments: lambda: agent(…)")
        self._parallels += 1
        group = f"parallel_{self._parallels}"

        def work(call: Any) -> Callable[[], Awaitable[Any]]:
            return lambda: _result(call() if callable(call) else call)

        bound = self._bounds.parallel_timeout_s
        chains = {f"{group}.{n}": work(call) for n, call in enumerate(calls, 1)}
        return Pending(lambda: self._all(chains, bound), group, self._unawaited)

    def pipeline(self, items: Iterable[Any], *stages: Callable[..., Any]) -> Awaitable[list[Any]]:
        given = self._listed("pipeline", items)
        for stage in stages:
            if not callable(stage):
                self._caller.refuse(
                    f"pipeline(…, {stage!r:.60}): a stage is a function of what the one before returned"
                )
        both = [_takes_two(stage) for stage in stages]
        self._parallels += 1
        group = f"pipeline_{self._parallels}"

        def chain(item: Any) -> Callable[[], Awaitable[Any]]:
            async def work() -> Any:
                result = item
                for stage, two in zip(stages, both, strict=True):
                    result = await _result(stage(result, item) if two else stage(result))
                return result

            return work

        chains = {f"{group}.{n}": chain(item) for n, item in enumerate(given, 1)}
        return Pending(lambda: self._all(chains, None), group, self._unawaited)

    def phase(self, name: str) -> None:
        self._caller.phase = self._caller.known(name)
        self._session.events.emit("phase", WHO, {"phase": name})

    def log(self, text: object) -> None:
        self._session.events.emit("log", WHO, {"text": str(text), "phase": self._caller.phase})

    def now(self) -> float:
        return self._session.time.now()

    def random(self) -> float:
        return self._random.random()

    # -- many at once ----------------------------------------------------------------------------------------------

    def _listed(self, name: str, given: Iterable[Any]) -> list[Any]:
        if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
            self._caller.refuse(f"{name}({given!r:.60}, …): give a list")
        return list(given)

    async def _all(self, chains: Mapping[str, Callable[[], Awaitable[Any]]], bound_s: float | None) -> list[Any]:
        """What came of each, in order, None for one that failed. What ends the run ends them all."""
        self._step()
        with single_fault():
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._one(name, work, bound_s)) for name, work in chains.items()]
        return [task.result() for task in tasks]

    async def _one(self, name: str, work: Callable[[], Awaitable[Any]], bound_s: float | None) -> Any:
        session, began, limit = self._session, self._session.time.now(), inf if bound_s is None else bound_s
        try:
            async with session.time.timeout(limit, name):
                return await work()
        except AgentFailed:
            return None  # and has been counted where it failed
        except DEFECTS:
            raise
        except Exception as fault:
            late = isinstance(fault, TimeoutError) and session.time.now() - began > limit - ROUNDING
            why = f"parallel_timeout_s: not done after {limit:g} s"
            session.leave_out(name, why if late else f"{self._where(fault)}: {type(fault).__name__}: {fault}")
            return None


async def _result(value: Any) -> Any:
    return await value if isinstance(value, Awaitable) else value


def _takes_two(stage: Callable[..., Any]) -> bool:
    """Whether a stage can be called with the item beside what the stage before returned."""
    try:
        inspect.signature(stage).bind(None, None)
    except (TypeError, ValueError):
        return False
    return True
