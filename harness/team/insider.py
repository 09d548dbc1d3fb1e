"""A member of a bus team that is a whole topology: it works on what its inbox holds, and then is done."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from harness.accounting.ledger import Caller
from harness.accounting.parts import Part
from harness.agents.faults import own_fault
from harness.agents.panel import place
from harness.bus.protocol import BusMessage
from harness.dispatch.inside import BETWEEN, SILENT, Insider
from harness.team.postbox import Postbox, Returned


@dataclass(slots=True)
class InsideWorker:
    """As ``Worker``. For whatever it owes the topology runs anew, on all that the member has been sent so far, with
    what was wrong with its last result in front. It does not look at its inbox while it works, and writes to nobody but
    the lead."""

    insider: Insider
    postbox: Postbox
    slots: asyncio.Semaphore
    running: bool = False
    _told: tuple[Part, ...] = ()
    _times: int = 0

    @property
    def caller(self) -> Caller:
        return self.insider.caller

    async def live(self, first: Sequence[BusMessage]) -> str:
        """Work on the messages that caused the loading; returns why it left. A fault of the topology's own is sent to
        the lead; a breach of the run's limit is raised, and so is a defect."""
        inbox, name = first, self.caller.agent
        while inbox:
            if all(m.type == "shutdown" for m in inbox):
                return "shutdown"
            self._hear(self.postbox.parts(inbox, envelopes=False))
            try:
                if self.postbox.orders.owes(name):
                    await self._answer()
            except Exception as fault:
                own = own_fault(fault)
                if own is None:
                    raise
                await self.postbox.give_up(name, own.text or SILENT)
                return own.reason
            inbox = await self.postbox.read(name)
        return "completed"

    def _hear(self, parts: Sequence[Part]) -> None:
        self._told = (*self._told, *((BETWEEN,) if self._told else ()), *parts)

    async def _answer(self) -> None:
        """Hand in the topology's answer, and another one as long as it is returned."""
        while True:
            orders = [tried.order for tried in self.postbox.orders.owed(self.caller.agent)]
            self._times += 1
            again = f"time_{self._times}" if self._times > 1 else ""
            async with place(self.insider.session, self.slots):
                answer = await self.insider.answer(self._told, orders, again=again)
            try:
                await self.postbox.hand_in(self.caller.agent, [p.forwarded() for p in answer])
                return
            except Returned as returned:
                self._told = (*returned.orders, BETWEEN, *self._told)
