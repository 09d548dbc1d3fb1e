"""A lead's team in one run: the listener that loads members when they are first addressed, and their running loops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from harness.agents.agent import Agent
from harness.bus.protocol import BusMessage
from harness.dispatch.inside import Insider
from harness.errors import single_fault
from harness.session import Session
from harness.team.insider import InsideWorker
from harness.team.postbox import Postbox
from harness.team.roster import SPACE, Member
from harness.team.worker import Worker, WorkerRules


class Team:
    """Members exist only as configuration until a message reaches them (000, section 4.2)."""

    def __init__(
        self, session: Session, postbox: Postbox, members: Sequence[Member], rules: WorkerRules,
        make: Callable[[Member], Agent | Insider],
    ) -> None:  # fmt: skip
        self._session = session
        self._postbox = postbox
        self._members = {m.name: m for m in members}
        self._rules = rules
        self._make = make
        self._workers: dict[str, Worker | InsideWorker] = {}
        self._loops: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(session.limits.workers_running)

    async def run(self, lead: Coroutine[Any, Any, str], notified: Callable[[], Coroutine[Any, Any, str]]) -> str:
        """Run the lead with its team around it; returns the lead's answer.

        When the lead has answered, idle members leave; one in the middle of a call finishes that call, so that its cost
        is known, and its tokens are marked late. A limit of the run that trips anywhere ends all.
        """
        with single_fault():
            async with asyncio.TaskGroup() as group:
                listener = group.create_task(self._listen(notified, group))
                answer = await lead
                self._session.answered()
                for name, worker in list(self._workers.items()):  # sending takes a turn, and a member may load in it
                    if worker.running:
                        await self._postbox.deliver(self._postbox.lead or "", name, "shutdown", ())
                while self._loops:
                    await asyncio.wait(self._loops)
                listener.cancel()
        return answer

    async def _listen(self, notified: Callable[[], Coroutine[Any, Any, str]], group: asyncio.TaskGroup) -> None:
        """The one listener of the session: wakes whoever is loaded and loads whoever is not."""
        while True:
            name = await notified()
            worker = self._workers.get(name)
            if name == self._postbox.lead or (worker is not None and worker.running):
                self._postbox.notify(name)
            elif self._session.answered_s is None:
                messages = await self._postbox.read(name)
                if messages:  # otherwise a late notification of what was read before the member left
                    await self._load(name, messages, group)

    async def _load(self, name: str, messages: Sequence[BusMessage], group: asyncio.TaskGroup) -> None:
        fault = self._fault(name)
        if fault is not None:
            await self._postbox.give_up(name, fault)
            return
        worker = self._workers.get(name)
        if worker is None:
            member = self._members[name]
            if member.team:  # a lead loaded as a member works alone
                self._session.events.emit("team_ignored", name, {"team": member.team})
            made = self._make(member)
            worker = self._workers[name] = (
                InsideWorker(made, self._postbox, self._slots)
                if isinstance(made, Insider)
                else Worker(made, self._postbox, self._rules, self._slots)
            )
        worker.running = True
        loop = group.create_task(self._live(worker, messages))
        self._loops.add(loop)
        loop.add_done_callback(self._loops.discard)

    def _fault(self, name: str) -> str | None:
        """Why a member cannot be loaded: it must exist, be active and belong to the lead's space."""
        member = self._members.get(name)
        if member is None:
            return f"{name} cannot be loaded: there is no such agent"
        if not member.active:
            return f"{name} cannot be loaded: it is not active"
        if member.space != SPACE:
            return f"{name} cannot be loaded: it belongs to space '{member.space}', not '{SPACE}'"
        return None

    async def _live(self, worker: Worker | InsideWorker, messages: Sequence[BusMessage]) -> None:
        """A member's loadings, one after another.

        A message that came in while the member was leaving (also one sent after a shutdown) loads it again. Between the
        look that finds nothing and the end of ``running`` nothing else can run, so a later message meets the listener.
        """
        caller, events = worker.caller, self._session.events
        while messages and self._session.answered_s is None:
            events.emit("as", caller.agent, {"session_id": caller.session_id, "depth": caller.depth})
            reason = await worker.live(messages)
            events.emit("ax", caller.agent, {"agentId": caller.agent, "reason": reason})
            messages = () if self._session.answered_s is not None else await self._postbox.read_last(caller.agent)
        worker.running = False
