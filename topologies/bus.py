"""A lead and its members as peers that send each other messages over a bus and wait for nothing (seed document 000).

The lead hands out work by message, goes on with its own, and reads replies in its next turn. Members are loaded when
they are first addressed, work in parallel, may ask back, and leave when they are done or idle. Costs: each order is
written once and read once, each result is read and restated by the lead. Pays: when parts of the task can be worked on
at the same time, or do not fit one context together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from harness.accounting.purposes import Purpose, Stance
from harness.accounting.restating import looks_like_json
from harness.agents.agent import Agent
from harness.agents.tools import asking
from harness.delegation.desk import Desk
from harness.delegation.rules import Delegation
from harness.dispatch.inside import Insider
from harness.errors import ConfigError, above_zero, unknown
from harness.limits import exceeded
from harness.session import Session
from harness.suite import Sample
from harness.team.postbox import Postbox
from harness.team.roster import LEAD, NAMES, ROSTER_CAP, Member, check_roster
from harness.team.team import Team
from harness.team.worker import WorkerRules
from harness.topology import Answer, Topology, refuse_ablation

WAKE = ("needed", "each")

FIRE_AND_FORGET = (
    "After sending messages, go on with your own work and never wait for a reply: replies arrive in your inbox, and "
    "you will see them in your next turn. Do not write replies yourself."
)

LOST = "A full inbox lost what you were waiting for. No more replies will come to what you have sent so far."

LEAD_PROMPT = """\
You lead a team. You may send messages to: {members}.
A member sees only what you send it, and has the tools for reading the material.
Use send_message: `task` hands out work, `clarify_resp` answers a member's `clarify`, `revision` asks for changes to a \
result, `shutdown` sends a member home.
Split the work into parts that do not depend on each other. {each}{share}
{fire_and_forget}
A result that begins with [error], [blocked] or [needs_person] was not accepted: do that part yourself, or hand it out \
anew. When only replies are missing and there is nothing to send, say so in a few words without any tool call.
When you have every result, give the final answer in the format the task asks for, without any tool call."""

AGREE = ", to report that long work is under way (`progress`), or to agree on something with another member"
NO_AGREE = " or to report that long work is under way (`progress`)"

EACH = "In each task, name the documents to read, repeat the questions word for word, and say what to send back. "
SHARE = "Keep one part for yourself."
NO_SHARE = "Keep no part for yourself."

MEMBER_PROMPT = """\
You are {name}, a member of a team. The agent "{lead}" sends you work as messages in your inbox; other members: \
{others}.
Use send_message only to ask (`clarify`){agree}.
{fire_and_forget}
When the work is done, give your result as your answer, without any tool call: it is sent to the lead."""


@dataclass(frozen=True)
class Bus:
    """``workers``: how many members of the default roster there are; ``roster``: the members themselves, instead.
    ``lead_works``: the lead has the task's tools and keeps a part for itself; without it, it has only those that ask
    whoever set the task. ``fire_and_forget``: whether the prompts carry the sentence that tells agents not to wait.
    ``lead_steps``, ``worker_steps``: model calls (a worker: 8 in 000, section 8). ``idle_timeout_s``: 60 s in 000.
    ``wake``: what ends the parking of a lead that can only wait: ``needed`` (the last awaited result, a question, an
    error) or ``each`` message. ``messages``: whether members may write to each other; they always may to the lead.
    ``ablate``: the member whose brief, and part of the task's brief, is replaced by neutral text. ``delegation``: how
    work is handed out and taken back. ``inside``: name of a member → the topology that it is, instead of an agent."""

    family: ClassVar[Literal["single", "team"]] = "team"
    workers: int = 3
    roster: list[Member] = field(default_factory=list)
    lead_works: bool = True
    fire_and_forget: bool = True
    lead_steps: int = 24
    worker_steps: int = 8
    idle_timeout_s: float = 60.0
    wake: str = "needed"
    messages: bool = True
    ablate: str | None = None
    inside: dict[str, Topology] = field(default_factory=dict)
    delegation: Delegation = field(default_factory=Delegation)

    def __post_init__(self) -> None:
        if not self.roster and not 1 <= self.workers <= ROSTER_CAP:
            raise ConfigError(f"topology.workers={self.workers}: a team has 1 to {ROSTER_CAP} members.")
        check_roster(self.members())
        if self.wake not in WAKE:
            raise ConfigError(unknown("topology.wake", self.wake, WAKE))
        above_zero(self, "topology", "lead_steps", "worker_steps", "idle_timeout_s")
        own = [m for m in self.members() if m.inside is None]
        refuse_ablation(self.ablate, [m.name for m in own if m.brief or m.specialties])

    def members(self) -> list[Member]:
        """As configured. Raises ConfigError for a member in ``inside`` that there is none of."""
        members = list(self.roster) or [Member(name) for name in NAMES[: self.workers]]
        for name in self.inside:
            if name not in (names := [m.name for m in members]):
                raise ConfigError(unknown("member in topology.inside", name, names))
        return [replace(m, inside=self.inside.get(m.name, m.inside)) for m in members]

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        members = [replace(m, name=session.named(m.name)) for m in self.members()]
        channel = await session.bus.join(session.space, session.time)
        try:
            desk, named = Desk(session, self.delegation), session.named(LEAD)
            teams = [m.name for m in members if m.inside is not None]
            postbox = Postbox(
                session, channel, named, [m.name for m in members], desk, peers=self.messages, teams=teams
            )
            lead = session.agent(
                named,
                role="lead",
                stance=Stance.LEAD,
                tools=[*(session.tools if self.lead_works else asking(session.tools)), postbox.tool],
                scaffold=self._lead_prompt(members),
            )
            rules = WorkerRules(self.worker_steps, self.idle_timeout_s)

            def make(member: Member) -> Agent | Insider:
                if member.inside is not None:
                    return Insider(
                        session,
                        member.inside,
                        member.name,
                        member.tools(session.tools),
                        lead.caller,
                        specialties=member.specialties,
                    )
                return session.agent(
                    member.name,
                    role="worker",
                    stance=Stance.WORKER,
                    tools=[*member.tools(session.tools), postbox.tool],
                    scaffold=self._member_prompt(
                        replace(member, brief=session.ablated(session.plain(member.name), member.brief, "\n")),
                        members,
                        named,
                    ),
                    specialties=member.specialties,
                    parent=lead.caller,
                )

            team = Team(session, postbox, members, rules, make)
            return Answer(await team.run(self._lead(lead, postbox, session), channel.notified))
        finally:
            await channel.close()

    async def _lead(self, lead: Agent, postbox: Postbox, session: Session) -> str:
        """The lead's loop: read the inbox, think, act; parked without a model call when it can only wait."""
        lead.tell(session.statement())
        for _ in range(self.lead_steps):
            inbox = await postbox.read(lead.name)
            if inbox:
                lead.tell(*postbox.parts(inbox))
            awaited = postbox.orders.awaited()
            step = await lead.step(Purpose.SYNC if awaited else Purpose.ANSWER, aside=Purpose.SYNC if awaited else None)
            product = step.final and looks_like_json(step.text)
            if step.final and (product or not postbox.orders.awaited()):
                session.offer(step.text)  # kept if a member that is still at work passes a limit of the run
                return step.text
            if not step.unread and postbox.orders.awaited():
                replies = await postbox.wait(patient=self.wake == "needed")
                if replies:
                    lead.tell(*postbox.parts(replies))
                else:
                    lead.note(LOST)
        raise exceeded("lead_steps", self.lead_steps, self.lead_steps + 1, "run")

    def _lead_prompt(self, members: list[Member]) -> str:
        names = ", ".join(f"{m.name} ({m.brief})" if m.brief else m.name for m in members)
        return LEAD_PROMPT.format(
            members=names,
            each="" if self.delegation.order == "structured" else EACH,  # the order's own fields ask for it
            share=SHARE if self.lead_works else NO_SHARE,
            fire_and_forget=FIRE_AND_FORGET if self.fire_and_forget else "",
        )

    def _member_prompt(self, member: Member, members: list[Member], lead: str) -> str:
        others = ", ".join(m.name for m in members if m.name != member.name and self.messages) or "none"
        prompt = MEMBER_PROMPT.format(
            name=member.name,
            lead=lead,
            others=others,
            agree=AGREE if self.messages else NO_AGREE,
            fire_and_forget=FIRE_AND_FORGET if self.fire_and_forget else "",
        )
        return f"{prompt}\n{member.brief}" if member.brief else prompt
