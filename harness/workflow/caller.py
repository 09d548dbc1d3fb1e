"""``agent()``: one call of a script, from its prompt to its result."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn

from harness.accounting.parts import ENGINE, OUTSIDE, Part, joined, taken_apart
from harness.accounting.purposes import Purpose, Stance
from harness.agents.panel import place
from harness.delegation.checks.result import NoJson
from harness.delegation.checks.result import Result as Parsed
from harness.delegation.checks.schemas import check_schema, normalised
from harness.delegation.desk import Desk
from harness.delegation.order import TaskOrder
from harness.delegation.rendering import order_parts
from harness.delegation.rules import Delegation
from harness.dispatch.definition import SubAgent
from harness.dispatch.errand import completed
from harness.dispatch.inside import Insider, InsideRun
from harness.dispatch.subagent import Result, SubAgentRun, made
from harness.errors import TopologyFailed, unknown
from harness.limits import exceeded
from harness.session import RESERVED, Session
from harness.team.roster import LONGEST_NAME
from harness.version import VERSION
from harness.workflow.bounds import Bounds
from harness.workflow.journal import Journal, key_of
from harness.workflow.provenance import Provenance
from harness.workflow.replay import recorded, served
from harness.workflow.script import AgentFailed

DEFAULT_TYPE = "general_purpose"
WHO = "workflow"
"""Whose the script's own events are."""


class Ended(BaseException):
    """The run ends, and no script can catch it. ``fault``: what ended it."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Asked:
    """One call of ``agent()``, checked. ``number``: its place among all; ``name``: of the agent; ``label`` and
    ``phase``: as events tell them."""

    number: int
    name: str
    prompt: str
    schema: Mapping[str, Any] | None
    model: str | None
    type: SubAgent
    label: str
    phase: str | None


class _Work(NamedTuple):
    """A worker with its order."""

    run: SubAgentRun | InsideRun
    told: list[Part]


@dataclass(slots=True)
class AgentCaller:
    """The agents of one run of a script. ``types``: by name; ``phases``: those that its META declares, none: any."""

    session: Session
    types: Mapping[str, SubAgent]
    bounds: Bounds
    phases: Sequence[str]
    journal: Journal | None = None
    phase: str | None = None
    said: Provenance = field(default_factory=Provenance)
    ended: Ended | None = None
    _desk: Desk = field(init=False)
    _places: asyncio.Semaphore = field(init=False)
    _calls: int = 0
    _names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._desk = Desk(self.session, Delegation(max_retries=self.bounds.retries))
        self._places = asyncio.Semaphore(self.bounds.places(self.session.time))
        self.said.learn(0, taken_apart([self.session.statement()]))

    def end(self, fault: BaseException) -> NoReturn:
        """End the run, whatever the script does about it."""
        self.ended = self.ended or Ended(fault)
        raise self.ended

    def refuse(self, what: str) -> NoReturn:
        """End the run because of what the script asks for."""
        self.end(TopologyFailed(f"the script called {what}"))

    def asked(
        self, prompt: object, schema: object, model: str | None, type: str | None, label: str | None, phase: str | None
    ) -> Asked:
        """A call as the script wrote it. Ends the run for one that cannot be made, or is one too many."""
        if self.ended is not None:
            raise self.ended
        if not isinstance(prompt, str) or not prompt.strip():
            self.refuse(f"agent({prompt!r:.80}): the prompt must be a text that is not empty")
        kind = self.types.get(DEFAULT_TYPE if type is None else type)
        if kind is None:
            self.refuse(f"agent(type=…): {unknown('sub-agent type', type, self.types)}")
        if model is not None and model not in self.session.model.roles:
            self.refuse(f"agent(model=…): {unknown('model', model, self.session.model.roles, _MODELS)}")
        if model is not None and kind.inside is not None:
            self.refuse(f"agent(model={model!r}, type={type!r}): that type is a topology, which has models of its own")
        wrong = None if schema is None else check_schema(schema)
        if wrong is not None:
            self.refuse(f"agent(schema=…): {wrong}")
        if not (label is None or isinstance(label, str)):
            self.refuse(f"agent(label={label!r:.80}): a label is a text")
        self._calls += 1
        if self._calls > self.bounds.agents:
            self.end(exceeded("max_agents", self.bounds.agents, self._calls, "run"))
        form = None if schema is None else normalised(schema)
        return Asked(
            self._calls, self._name(label or kind.name, numbered=not label), prompt, form, model, kind,
            label or kind.name, self.phase if phase is None else self.known(phase),
        )  # fmt: skip

    def known(self, phase: object) -> str:
        """A phase's name. Ends the run for one that META does not declare."""
        if not isinstance(phase, str) or (self.phases and phase not in self.phases):
            self.refuse(unknown("phase", phase, self.phases, "Add it to META['phases']."))
        return phase

    async def answer(self, asked: Asked) -> Any:
        """What the agent answers. Raises AgentFailed if it fails by its own fault; ends the run for all else."""
        events, began = self.session.events, self.session.time.now()
        told = {"label": asked.label, "phase": asked.phase, "type": asked.type.name, "model": asked.model}
        events.emit("agent_called", asked.name, told)
        prompt = self.said.cut(asked.prompt)
        try:
            key, entry = self._journalled(asked)
            ended = await self._worked(asked, prompt, key) if entry is None else self._served(asked, prompt, key, entry)
        except Exception as fault:  # a limit of the run, or a defect
            self.end(fault)
        seconds = round(self.session.time.now() - began, 6)
        more = {"seconds": seconds, "replayed": entry is not None, "status": ended.status}
        events.emit("agent_returned", asked.name, {**told, **more})
        if ended.status != "success":
            raise AgentFailed(f"{asked.label}: {ended.text}")
        self.said.learn(asked.number, ended.parts)
        return _value(joined(ended.parts), asked.schema)

    def _journalled(self, asked: Asked) -> tuple[str, Mapping[str, Any] | None]:
        """The call's key in the journal, and what stands there."""
        if self.journal is None:
            return "", None
        s, kind = self.session, asked.type
        roles = s.model.roles
        models = [asked.model, (roles.get(asked.model or kind.name) or s.main).name]
        if kind.inside is not None:
            models += [f"{role}: {roles[role].name}" for role in sorted(roles)]
        content = {
            "version": VERSION,
            "prompt": asked.prompt,
            "schema": asked.schema,
            "model": models,
            "type": [kind.name, s.ablated(kind.name, kind.prompt), kind.tags, kind.makes, repr(kind.inside)],
            "sample": [s.sample.id, s.sample.material_hash],
            "draw": [s.seed, s.epoch],
            "bounds": [self.bounds.agent_steps, self.bounds.retries, self.bounds.agent_timeout_s],
        }
        key = key_of({**content, "ordinal": self.journal.ordinal(content)})
        return key, self.journal.entry(key)

    def _work(self, asked: Asked, prompt: Sequence[Part]) -> _Work:
        order = self._desk.sentence(asked.prompt)
        order = replace(order, output_schema=asked.schema, max_retries=self.bounds.retries)
        return _Work(self._run(asked, order, prompt), _told(order, prompt))

    def _served(self, asked: Asked, prompt: Sequence[Part], key: str, entry: Mapping[str, Any]) -> Result:
        work = self._work(asked, prompt)
        try:
            result = tuple(served(self.session, entry, work.run.name, work.told, work.run.tried))
            self.session.scope.check()  # what is served counts, as it did when it was made
            return Result("success", result)
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            assert self.journal is not None, "it has served"
            raise self.journal.damaged(key, fault) from fault

    async def _worked(self, asked: Asked, prompt: Sequence[Part], key: str) -> Result:
        session = self.session
        async with place(session, self._places):
            run, told = self._work(asked, prompt)
            ended = await completed(run, told, self.bounds.agent_timeout_s, "worker_timeout_s")
        if ended.status not in ("success", "failed"):  # what failed has been left out already
            session.leave_out(run.name, ended.text)
        if self.journal is not None and ended.status == "success" and not session.rehearsal:
            self.journal.append(key, recorded(session, run.name, told, ended.parts, run.tried))
        return ended

    def _run(self, asked: Asked, order: TaskOrder, prompt: Sequence[Part]) -> SubAgentRun | InsideRun:
        session, kind = self.session, asked.type
        if kind.inside is not None:
            name = session.named(asked.name)
            tried = self._desk.begin(order, name, kind.name)
            insider = Insider(session, kind.inside, name, kind.tools(session.tools), product=kind.product)
            return InsideRun(insider, self._desk, tried)
        combines = kind.stance == Stance.WORKER and kind.product is None and _several(prompt)
        stance = Stance.LEAD if combines else None
        agent = made(session, kind, asked.name, stance=stance, model=asked.model)
        agent.product = kind.product
        tried = self._desk.begin(order, agent.name, kind.name)
        run = SubAgentRun(agent, kind, self._desk, tried, self.bounds.agent_steps, lambda _: None)
        if combines:
            run.intent = Purpose.MERGE
        if asked.schema is not None and not agent.offer.tools:  # beside tools, many providers take it for their result
            schema = dict(asked.schema)
            run.response_format = {"type": "json_schema", "json_schema": {"name": "result", "schema": schema}}
        return run

    def _name(self, wanted: str, numbered: bool) -> str:
        """A name that no agent of this run has: the label, and a number if it needs one."""
        plain = (
            "".join(c if c.isprintable() and c != "/" else "-" for c in wanted).strip()[: LONGEST_NAME - 6] or "agent"
        )
        number = 1
        name = f"{plain}_1" if numbered else plain
        while name in self._names or name in RESERVED or name == WHO:
            number += 1
            name = f"{plain}_{number}"
        self._names.add(name)
        return name


_MODELS = "A model of that name is added with '+model.roles.NAME=MODEL'."


def _told(order: TaskOrder, prompt: Sequence[Part]) -> list[Part]:
    """The order as the agent reads it: the prompt keeps its authors."""
    told: list[Part] = []
    for part in order_parts(order, ENGINE):
        told += prompt if part.text == order.objective else [part]
    return told


def _several(prompt: Sequence[Part]) -> bool:
    """Whether a prompt holds the results of several agents: whoever gets these combines them, an aggregator. The words
    of an order, which are another agent's where the workflow is itself a worker, are no result."""
    return len({p.author for p in prompt if p.purpose != Purpose.DISPATCH} - OUTSIDE) > 1


def _value(text: str, schema: Mapping[str, Any] | None) -> Any:
    """What a script gets of a result that has been accepted."""
    if schema is None:
        return text
    try:
        return Parsed.of(text).plain
    except NoJson:  # the schema asks for a text, and prose is one
        return text.strip()
