"""A worker's life: idle until a message comes, then one round after another until it is done (000, section 4.3)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from harness.accounting.ledger import Caller
from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent, Step
from harness.agents.faults import own_fault
from harness.agents.panel import place
from harness.bus.protocol import BusMessage
from harness.team.postbox import Postbox, Returned


@dataclass(frozen=True, slots=True)
class WorkerRules:
    """``max_steps``: rounds of one loading. ``idle_timeout_s``: seconds without a message until it leaves by itself."""

    max_steps: int
    idle_timeout_s: float


@dataclass(slots=True)
class Worker:
    """One loaded member. Loaded again after it left, it goes on as the same agent: same child session, same memory.

    ``slots``: places for workers in the middle of a round; whoever only waits for a message holds none. ``running``:
    between loading and leaving.
    """

    agent: Agent
    postbox: Postbox
    rules: WorkerRules
    slots: asyncio.Semaphore
    running: bool = False

    @property
    def caller(self) -> Caller:
        return self.agent.caller

    async def live(self, first: Sequence[BusMessage]) -> str:
        """Work from the messages that caused the loading until an exit; returns its reason.

        A fault of the provider, a timeout and a limit of this agent's own are sent to the lead as a result message. A
        breach of the run's or the experiment's limit is raised, and so is a defect of a tool or of the engine: it must
        not pass for an agent's failure.
        """
        try:
            reason = await self._rounds(first)
        except Exception as fault:
            own = own_fault(fault)
            if own is None:
                raise
            reason = own.reason
            await self._give_up(own.text)
        return reason

    async def _rounds(self, inbox: Sequence[BusMessage]) -> str:
        unread = False
        for _ in range(self.rules.max_steps):
            if not inbox and not unread:
                inbox = await self.postbox.wait_at_most(self.agent.name, self.rules.idle_timeout_s)
                if not inbox:
                    if self.postbox.orders.owes(self.agent.name):
                        await self._give_up(
                            f"idle_timeout_s: no message in {self.rules.idle_timeout_s:g} s; write again to go on"
                        )
                    return "idle_timeout"
            if inbox and all(m.type == "shutdown" for m in inbox):
                return "shutdown"
            if inbox:
                self.agent.tell(*self.postbox.parts(inbox))
            step = await self._round()
            if step is None:
                return "shutdown"
            forbidden = self.postbox.orders.forbidden(self.agent, step)
            if forbidden is not None:
                await self._give_up(f"forbidden action: {forbidden}", "forbidden")
                return "forbidden"
            if step.final:
                again = await self._hand_in(step)
                if not again:
                    return "completed"
                self.agent.tell(*again)
                unread, inbox = True, await self.postbox.read(self.agent.name)
                continue
            if _sent_home(inbox, self.postbox.lead):
                return "shutdown"
            unread = step.unread
            inbox = await self.postbox.read(self.agent.name)
            if not unread and not inbox and _handed_in(step, self.postbox.lead):
                if not self.postbox.orders.owes(self.agent.name):
                    return "completed"
                unread = True  # one of several orders is done: on to the next
        await self._give_up(f"max_steps: not done after {self.rules.max_steps} rounds")
        return "max_steps"

    async def _round(self) -> Step | None:
        """One model call and its tools, once there is a slot; None if the run has its answer before or after it."""
        session, name = self.agent.session, self.agent.name
        limit = session.limits.round_timeout_s
        async with place(session, self.slots):
            if session.answered_s is not None:
                return None
            try:
                async with session.time.timeout(limit, name):
                    step = await self.agent.step(Purpose.ANSWER)
            except TimeoutError as inner:
                text = str(inner) or f"round_timeout_s: no answer in {limit:g} s"
                session.events.emit("timeout", name, {"text": text})
                raise TimeoutError(text) from None
        return None if session.answered_s is not None else step

    async def _hand_in(self, step: Step) -> tuple[Part, ...]:
        """The natural end: what the worker last said goes to the lead as its result. The next orders, if it was not
        accepted."""
        try:
            await self.postbox.hand_in(self.agent.name, [p.forwarded() for p in step.parts])
        except Returned as returned:
            return returned.orders
        return ()

    async def _give_up(self, text: str, status: str = "failed") -> None:
        await self.postbox.give_up(self.agent.name, text, status)


def _handed_in(step: Step, lead: str | None) -> bool:
    sent = [c.parsed for c in step.calls if c.name.text == "send_message" and c.parsed]
    return any(m.get("type") == "result" and m.get("to") == lead for m in sent)


def _sent_home(inbox: Sequence[BusMessage], lead: str | None) -> bool:
    """Whether the lead's last word is a shutdown: what it orders after one counts."""
    types = [m.type for m in inbox if m.sender == lead]
    return bool(types) and types[-1] == "shutdown"
