"""A session: all that a topology may touch while it solves one sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.accounting.ledger import Caller, Ledger
from harness.accounting.parts import ENGINE, OUTSIDE, TASK, Part
from harness.accounting.purposes import Purpose, Stance
from harness.agents.agent import Agent
from harness.agents.conversation import Conversation
from harness.agents.mark import mark
from harness.agents.neutral import neutral
from harness.agents.offer import Offer
from harness.agents.tools import Tool
from harness.bus.protocol import BusBackend
from harness.clock.protocol import Timeline
from harness.errors import ConfigError
from harness.events import Events
from harness.graders.grader import GRADER
from harness.limits import Limits, Scope
from harness.models.operations import Operator
from harness.models.protocol import Model
from harness.models.roles import require
from harness.records import MessageRow
from harness.suite import Sample, inside_sample

if TYPE_CHECKING:
    from harness.delegation.log import DelegationLog

ToolFor = Callable[[Caller], Tool]
RESERVED = OUTSIDE | {GRADER}
"""Names that no agent may take."""


@dataclass(slots=True)
class Counters:
    """What happened that no other row counts."""

    depth_violations: int = 0
    refused: int = 0
    left_out: dict[str, str] = field(default_factory=dict)
    parse_failures: int = 0
    redelivery_tokens: int = 0
    revisions: int = 0
    retries_validation: int = 0
    escalations: int = 0


@dataclass(slots=True)
class Slot:
    """The place of a worker that is a whole topology. ``name``: the worker's, and so the first part of all names
    inside; ``depth``: where it stands; ``told``: its order, which is the statement inside; ``parent_session_id``: of
    whoever gave it. ``answered_s``: when the topology had its answer."""

    name: str
    depth: int
    told: Part
    parent_session_id: str
    outer: Slot | None = None
    """Where the session stands whose worker this is."""
    answered_s: float | None = None

    @property
    def session_id(self) -> str:
        return f"{self.parent_session_id}/{self.name}"

    @property
    def ended_s(self) -> float | None:
        """When it, or a worker that it stands in, had its answer."""
        slot: Slot | None = self
        while slot is not None and slot.answered_s is None:
            slot = slot.outer
        return None if slot is None else slot.answered_s


@dataclass(slots=True)
class Session:
    """One run's hands. Made by the engine; a topology asks it for agents and offers it answers.

    ``tools``: the task's own tools for this sample. ``bus``: a backend to join for topologies that send messages.
    ``topology``: the name chosen in the config, part of every draw's key. ``seed``: the experiment's, not the run's.
    """

    run_id: str
    sample: Sample
    epoch: int
    seed: int
    topology: str
    team: bool
    tools: Sequence[Tool]
    model: Model
    bus: BusBackend
    time: Timeline
    limits: Limits
    scope: Scope
    events: Events
    ledger: Ledger
    operator: Operator
    delegations: DelegationLog
    counters: Counters = field(default_factory=Counters)
    messages: list[MessageRow] = field(default_factory=list)
    offered: str = ""
    no_tools: Offer = field(default_factory=lambda: Offer((), (), ()))
    agents: dict[str, Agent] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """Models that agents were given by name."""
    ablate: str | None = None
    """The role whose brief is replaced by neutral text (``topology.ablate``)."""
    rehearsal: bool = False
    """Whether this run only estimates another (``plan=true``): nothing may be written anywhere."""
    slot: Slot | None = None
    """Where this session stands in another one's; None: it is the run's own."""
    _task_offer: Offer | None = None
    _nonce: Part | None = None

    @property
    def engine_purpose(self) -> Purpose:
        """What the engine's own texts are: there only because of a team, or part of the single agent's task."""
        return Purpose.SCAFFOLD if self.team else Purpose.TASK

    @property
    def main(self) -> Model:
        """The model that agents run on unless their role or their topology says otherwise."""
        return self.model.roles.get(self.sample.model or "", self.model)

    def statement(self) -> Part:
        """The sample's statement as a part."""
        if self.slot is not None:
            return self.slot.told
        return Part(self.sample.statement, TASK, Purpose.TASK)

    def agent(
        self, name: str, *, role: str, stance: Stance, tools: Sequence[Tool | ToolFor] = (), scaffold: str = "",
        parent: Caller | None = None, placed: bool = False, model: str | None = None,
        specialties: Collection[str] | None = None,
    ) -> Agent:  # fmt: skip
        """Make an agent with its own memory.

        ``tools``: its whitelist; a tool that depends on who calls it stands there as a function of the caller.
        ``scaffold``: what is in its system prompt only because there is a team. ``parent``: the agent that creates it;
        it is then one deeper and its session is a child of its parent's. ``placed``: code put it there, so it stays at
        its parent's depth. ``model``: the one of this name in ``model.roles``; None: the one of its role, if there is
        one, else the sample's, else the main model. ``specialties``: roles of ``sample.specialties`` whose part of the
        brief it gets, and of no other; None: the whole brief. Raises ConfigError for a name that is taken or reserved,
        and for an unknown model or specialty.
        """
        name, plain = self.named(name), self.plain(name)
        if plain in RESERVED or not plain or "/" in plain or name in self.agents:
            raise ConfigError(
                f"agent name '{plain}' is taken, empty or one of {', '.join(sorted(RESERVED))}, or has a '/', which "
                "stands between a worker that is a topology and the agents inside it.",
                name=plain,
            )
        if parent is not None:
            depth, session_id = parent.depth + (0 if placed else 1), f"{parent.session_id}/{name}"
            above: str | None = parent.session_id
        elif self.slot is not None:
            depth, session_id, above = self.slot.depth, self.slot.session_id, self.slot.parent_session_id
        else:
            depth, session_id, above = 0, self.run_id, None
        caller = Caller(name, role, stance, depth, session_id, above)
        brief = self.sample.briefed(specialties, neutral=self.ablate is not None and self.ablate in (plain, role))
        system = [self.mark(), Part(brief, TASK, Purpose.TASK)]
        if scaffold:
            system.append(Part(f"\n\n{scaffold}", ENGINE, Purpose.SCAFFOLD))
        scope = Scope("agent", self.scope, tokens=self.limits.agent_tokens, calls=self.limits.agent_calls)
        own = [t if isinstance(t, Tool) else t(caller) for t in tools]
        if self._task_offer is None:
            self._task_offer = Offer.of(self.tools, self.engine_purpose, ENGINE)
        offer = Offer.of(own, self.engine_purpose, ENGINE, self._task_offer)
        self.events.emit("agent_created", name, {"role": role, "depth": depth, "session_id": session_id})
        if model is not None:
            require(self.model, (model,), f"agent '{name}'")
            self.asked.add(model)
        chosen = self.model.roles.get(model or role) or self.main
        agent = self.agents[name] = Agent(caller, self, chosen, Conversation(system), offer, scope)
        return agent

    def mark(self) -> Part:
        """Makes this run's prompt prefix its own, so that no run is billed for less because another went before."""
        if self._nonce is None:
            self._nonce = mark(self.run_id)
        return self._nonce

    def ablated(self, role: str, brief: str, before: str = "", after: str = "") -> str:
        """What an agent of this role is told of itself: its brief, or neutral text of equal length if the topology's
        settings leave it out (``topology.ablate``). ``before``, ``after``: what it stands between, a line's end or a
        blank: with it the whole has as many tokens, to the last."""
        return neutral(brief, before, after) if role == self.ablate else brief

    def named(self, name: str) -> str:
        """The full name, as rows have it, of an agent of this session: its own, unless the session stands in
        another's."""
        if self.slot is None or name in RESERVED or name.startswith(f"{self.slot.name}/"):
            return name
        return f"{self.slot.name}/{name}"

    def plain(self, name: str) -> str:
        """The name as this session's own agents have it among each other."""
        return name if self.slot is None else name.removeprefix(f"{self.slot.name}/")

    @property
    def space(self) -> str:
        """What is this session's alone among all that share a bus."""
        return self.run_id if self.slot is None else f"{self.run_id}/{self.slot.name}"

    def inside(
        self, name: str, told: Part, tools: Sequence[Tool], parent: Caller | None = None, *,
        output_schema: Mapping[str, Any] | None = None, specialties: Collection[str] | None = None,
        ablate: str | None = None,
    ) -> Session:  # fmt: skip
        """A session in this one, for a topology that works as one of its workers: same ledger, limits, clock and
        counters, own names, own answer. ``told``: the worker's order (``Whole`` if it is of several parts), and
        ``output_schema``: the schema of the answer that it asks for, if it does. ``parent``: the agent that gives it:
        the worker is then one deeper than it, and else, placed by code, no deeper than this session. ``specialties``:
        as for an agent, of all agents inside. ``ablate``: what the topology's own settings leave out. Raises
        ConfigError for a name that is taken, and for an unknown specialty."""
        base = (0, self.run_id) if self.slot is None else (self.slot.depth, self.slot.session_id)
        depth, above = base if parent is None else (parent.depth + 1, parent.session_id)
        slot = Slot(self.named(name), depth, told, above, self.slot)
        if self.under(name):
            raise ConfigError(f"agent name '{name}' is taken: there is a worker of this name already.", name=name)
        sample = inside_sample(self.sample, told.text, output_schema, specialties)
        made = replace(self, sample=sample, tools=tuple(tools), slot=slot, offered="", ablate=ablate, _task_offer=None)
        made.events = self.events.within(made.named)
        return made

    def under(self, name: str) -> list[Agent]:
        """The agent of this name, or, for a worker that is a topology, all agents inside it."""
        return self._placed_in(self.named(name))

    def own(self) -> list[Agent]:
        """All agents of this session, those inside its workers too."""
        return [*self.agents.values()] if self.slot is None else self._placed_in(self.slot.name)

    def _placed_in(self, place: str) -> list[Agent]:
        return [a for name, a in self.agents.items() if name == place or name.startswith(f"{place}/")]

    def answered(self) -> None:
        """The answer is there: what still runs is late, and its time is not the run's."""
        if self.slot is None:
            self.operator.answered_s = self.time.now()
            return
        self.slot.answered_s = self.time.now()
        for agent in self.own():
            self.abandon(agent.name, f"{self.slot.name} has its answer")

    @property
    def answered_s(self) -> float | None:
        """When this session had its answer, or one that it stands in."""
        own = None if self.slot is None else self.slot.ended_s
        return self.operator.answered_s if own is None else own

    def abandon(self, agent: str, why: str) -> None:
        """Nobody waits for this agent, or this worker that is a topology, any more. What it does later is late."""
        name = self.named(agent)
        if name not in self.operator.abandoned:
            self.operator.abandon(name)
            self.events.emit("abandoned", name, {"text": why})

    def offer(self, answer: str) -> None:
        """What to grade if the run ends before the topology returns."""
        self.offered = answer

    def show(self, text: str) -> None:
        """What whoever has started the command is to read on stdout when it is over, before its summary. It is stored
        nowhere: what has to last goes into an event or a file as well."""
        self.shown.append(text)

    def refuse(self, agent: str, text: str, **data: Any) -> None:
        """Count and log the refusal of something an agent asked for."""
        self.counters.refused += 1
        self.events.emit("refused", agent, {"text": text, **data})

    def leave_out(self, agent: str, why: str) -> None:
        """Count and log that the run goes on without this agent's part, because it failed or took too long: an agent
        counts once, however often."""
        self.counters.left_out[self.named(agent)] = why
        self.events.emit("left_out", agent, {"text": why})

    def left_out(self) -> list[str]:
        """Why each of its own agents that is left out is so; those inside its workers are theirs."""
        own = self.counters.left_out.items()
        return [why for name, why in own if self.named(name) == name and "/" not in self.plain(name)]

    def unparsable(self, agent: str, text: str) -> None:
        """Count and log something that an agent asked for in a form that cannot be read."""
        self.counters.parse_failures += 1
        self.events.emit("parse_failure", agent, {"text": text})

    def refuse_depth(self, caller: Caller, how: str) -> str | None:
        """Whether an agent may create or dispatch another: None if so, else the text it is to read.

        Depth is the creator's plus one; an attempt beyond ``limits.max_depth`` is counted with the depth it asked for.
        """
        asked, most = caller.depth + 1, self.limits.max_depth
        if most is None or asked <= most:
            return None
        self.counters.depth_violations += 1
        self.events.emit("depth_violation", caller.agent, {"depth": asked, "max_depth": most, "how": how})
        return (
            f"Refused: you work at depth {caller.depth} and may not hand work to others (limit "
            f"{most}). Do the work yourself, or say what blocks you."
        )
