"""The simplest workflow: a YAML list of the task's tools, called in order, without an agent or a model (seed document
004, "YAML Workflow")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import yaml

from harness.accounting.parts import ENGINE, joined
from harness.accounting.purposes import Purpose
from harness.agents.offer import Offer
from harness.agents.tools import Arguments, ToolFailed
from harness.errors import ConfigError, TopologyFailed, unknown
from harness.session import Session
from harness.workflow.caller import WHO
from harness.workflow.program import Source


@dataclass(frozen=True, slots=True)
class ToolStep:
    """``tool``: one of the task's; ``args``: its arguments; ``continue_on_error``: go on with the next step if it
    fails."""

    name: str
    tool: str
    args: Mapping[str, Any] = field(default_factory=dict)
    continue_on_error: bool = False


@dataclass(frozen=True, slots=True)
class ToolSteps:
    """``source``: the file's name; ``sha256``: of its text."""

    name: str
    source: str
    sha256: str
    steps: tuple[ToolStep, ...]

    def check(self, session: Session) -> Offer:
        """The task's tools. Raises TopologyFailed, before any step has run, for a step with a tool that the task does
        not have or with arguments that do not fit it."""
        offer = Offer.of(session.tools, Purpose.TASK, ENGINE)
        tools = {t.name: t for t in offer.tools}
        for step in self.steps:
            where = f"{self.source}: step '{step.name}'"
            if step.tool not in tools:
                raise TopologyFailed(f"{where}: {unknown('tool', step.tool, tools, 'A task has tools of its own.')}")
            wrong = offer.fault(tools[step.tool], Arguments(step.args))
            if wrong is not None:
                raise TopologyFailed(f"{where}: {wrong.removesuffix(' Call it again.')}")
        return offer

    async def run(self, session: Session) -> str:
        """Call the tools in order; the last one's output is the answer. Raises TopologyFailed for a step that fails and
        may not."""
        tools = {t.name: t for t in self.check(session).tools}
        emit, time = session.events.emit, session.time
        emit("workflow_started", WHO, {"script": self.name, "file": self.source, "sha256": self.sha256})
        output = ""
        for step in self.steps:
            began, status = time.now(), "ok"
            try:
                returned = await tools[step.tool].run(Arguments(step.args))
                output = returned if isinstance(returned, str) else joined(tuple(returned))
            except ToolFailed as failed:
                status, output = "failed", str(failed)
            seconds = round(time.now() - began, 6)
            told = {"name": step.name, "tool": step.tool, "status": status, "seconds": seconds, "output": output}
            emit("workflow_step", WHO, told)
            if status == "failed" and not step.continue_on_error:
                raise TopologyFailed(f"{self.source}: step '{step.name}' failed: {output}")
        emit("workflow_ended", WHO, {"script": self.name, "steps": len(self.steps)})
        return output


def tool_steps(source: Source) -> ToolSteps:
    """The list, checked as far as it can be without a task. Raises ConfigError."""
    try:
        data = yaml.safe_load(source.text)
    except yaml.YAMLError as fault:
        mark = getattr(fault, "problem_mark", None)
        line = 1 if mark is None else mark.line + 1
        what = getattr(fault, "problem", None) or "no YAML"
        raise ConfigError(f"{source.name}:{line}: does not parse: {what}.") from None
    except RecursionError:
        raise ConfigError(f"{source.name}: is nested too deeply to be a list of steps.") from None
    _known(data, ("name", "steps"), source.name, "a workflow")
    if not isinstance(data.get("name"), str) or not data["name"]:
        raise ConfigError(f"{source.name}: has no name: write `name: NAME`.")
    steps = data.get("steps")
    if not isinstance(steps, list) or not steps:
        raise ConfigError(f"{source.name}: has no steps: write a list of {{name: …, tool: …, args: {{…}}}}.")
    made = tuple(_step(step, f"{source.name}: step {n}") for n, step in enumerate(steps, 1))
    names = [step.name for step in made]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise ConfigError(f"{source.name}: two steps are called '{twice}': give each a name of its own.")
    return ToolSteps(data["name"], source.name, sha256(source.text.encode()).hexdigest(), made)


def _step(data: Any, where: str) -> ToolStep:
    _known(data, [f.name for f in fields(ToolStep)], where, "a step")
    for key in ("name", "tool"):
        if not isinstance(data.get(key), str) or not data[key]:
            raise ConfigError(f"{where} has no {key}: write `{key}: NAME`.")
    args, go_on = data.get("args") or {}, data.get("continue_on_error", False)
    if not isinstance(args, dict) or not all(isinstance(k, str) for k in args):
        raise ConfigError(f"{where}: args={args!r:.60}: must be the tool's arguments by name.")
    if not isinstance(go_on, bool):
        raise ConfigError(f"{where}: continue_on_error={go_on!r:.60}: must be true or false.")
    return ToolStep(data["name"], data["tool"], args, go_on)


def _known(data: Any, keys: Any, where: str, what: str) -> None:
    if not isinstance(data, dict):
        raise ConfigError(f"{where}: {what} is a mapping with the keys {', '.join(keys)}.")
    for key in data:
        if key not in keys:
            raise ConfigError(f"{where}: {unknown('key', key, keys)}")
