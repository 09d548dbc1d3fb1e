"""Which orders are under way on the bus: who owes a result for what, and what the lead still awaits."""

from __future__ import annotations

from collections.abc import Iterable

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent, Step
from harness.delegation.desk import Desk, forbidden_call
from harness.delegation.log import Try
from harness.delegation.order import TaskOrder

MEMBER = "member"
"""Type of delegation: to a member of a roster."""


class Orders:
    """Orders are the lead's tasks and revisions, by message id.

    The lead awaits one until it has read a result for it, has sent its recipient home, or the order or its result was
    lost in a full inbox. A member owes one from reading it until a result for it has been sent.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._awaited: dict[str, str] = {}  # id → recipient
        self._read: set[str] = set()
        self._dismissed: set[str] = set()
        self._closes: dict[str, tuple[str, ...]] = {}  # result → the orders that it is for
        self._given_up: dict[str, str] = {}  # result that the engine wrote for a member → that member
        self._tries: dict[str, Try] = {}  # order → the try that began with it
        self._latest: dict[str, Try] = {}  # delegation → its latest try

    # -- the lead's side -------------------------------------------------------------------------------------------

    def sent(self, msg_id: str, to: str, order: TaskOrder | None, content: str, in_reply_to: str) -> None:
        """A task went out, or, without an ``order``, a revision: it goes on with the order that it replies to, else
        with the one that its recipient had last."""
        self._awaited[msg_id] = to
        last = None if order is not None else self._last(to, in_reply_to)
        if order is None:
            order = self._desk.sentence(content) if last is None else last.order.again((content,))
        self._tries[msg_id] = self._begin(order, to, last)

    def dismiss(self, to: str) -> None:
        """The lead has sent an agent home: it awaits nothing from it any more."""
        self._dismissed.update(m for m, who in self._awaited.items() if who == to)

    def reopen(self, name: str) -> None:
        """An answer to a member that gave up waiting for it: it is loaded again and goes on (000, section 8), so what
        the engine handed in for it closes nothing, and the lead awaits the member's own result. An order that the
        member has meanwhile answered by itself stays closed."""
        given_up = [result for result, who in self._given_up.items() if who == name]
        answered = {order for result, closed in self._closes.items() if result not in given_up for order in closed}
        reopened = [order for result in given_up for order in self._closes[result] if order not in answered]
        self._awaited.update(dict.fromkeys(reopened, name))
        self._closes.update(dict.fromkeys(given_up, ()))
        for last in self._under_way(reopened):
            if not last.open:  # else a revision goes on with it already
                self._begin(last.order, name, last)

    def received(self, result: str) -> None:
        """The lead has read a result."""
        for order in self._closes.get(result, ()):
            self._awaited.pop(order, None)

    def lost(self, msg_id: str) -> None:
        """A message was trimmed: an order, or a result with all that it was for."""
        if msg_id in self._tries:
            self._desk.fail(self._tries[msg_id], "failed", "the order was lost: the inbox was full")
        for order in (msg_id, *self._closes.get(msg_id, ())):
            self._awaited.pop(order, None)

    def awaited(self) -> bool:
        """Whether the lead has handed out work whose result it has yet to read."""
        return not self._awaited.keys() <= self._dismissed

    # -- a member's side -------------------------------------------------------------------------------------------

    def read(self, msg_id: str) -> None:
        """Its recipient has read a message."""
        self._read.add(msg_id)

    def owes(self, name: str) -> bool:
        settled = self._dismissed.union(*self._closes.values())
        return not settled.issuperset(self._held(name))

    def answers(self, name: str, in_reply_to: str = "") -> tuple[str, ...]:
        """The orders that a result by this agent is for: the one that it names, else all that it has read."""
        held = self._held(name)
        return (in_reply_to,) if in_reply_to in held else held

    def closed(self, result: str, sender: str, orders: tuple[str, ...], *, by_engine: bool) -> None:
        """A result for these orders has been sent, by the member or by the engine in its place."""
        self._closes[result] = orders
        if by_engine:
            self._given_up[result] = sender

    async def receive(self, name: str, text: str, in_reply_to: str) -> tuple[list[Part], list[Part]]:
        """A member's result for what it owes: (what the lead is told beside it, the next orders if it is returned)."""
        notes, again = [], []
        for tried in self._under_way(self.answers(name, in_reply_to)):
            receipt, self._latest[tried.delegation_id] = await self._desk.receive(tried, text)
            if receipt.again is not None:
                again.append(receipt.again)
            elif receipt.status != "success":
                why = f": {receipt.text}" if receipt.status == "needs_person" else ""
                notes.append(Part(f"[{receipt.status}] {tried.order.subtask_id}{why}\n", ENGINE, Purpose.REPORT))
        return notes, again

    def fail(self, name: str, status: str, text: str) -> None:
        """A member ends without a result for what it owes."""
        for tried in self.owed(name):
            self._desk.fail(tried, status, text)

    def forbidden(self, agent: Agent, step: Step) -> str | None:
        """What a member has done that an order of its forbids."""
        return next((found for t in self.owed(agent.name) if (found := forbidden_call(t.order, step, agent))), None)

    def owed(self, name: str) -> list[Try]:
        """What a member is at work on: the latest try of each subtask."""
        return self._under_way(self.answers(name))

    def _held(self, name: str) -> tuple[str, ...]:
        return tuple(m for m, who in self._awaited.items() if who == name and m in self._read)

    def _begin(self, order: TaskOrder, to: str, after: Try | None) -> Try:
        begun = self._desk.begin(order, to, MEMBER, after)
        self._latest[begun.delegation_id] = begun
        return begun

    def _under_way(self, orders: Iterable[str]) -> list[Try]:
        """The latest try of each subtask that these orders are about: a task and its revisions are one."""
        return [self._latest[d] for d in dict.fromkeys(self._tries[m].delegation_id for m in orders)]

    def _last(self, name: str, in_reply_to: str) -> Try | None:
        """The latest try of the subtask that a revision replies to, by its order or its result; else of the one that
        this agent was sent last."""
        mine = [m for m, tried in self._tries.items() if tried.worker == name]
        named = set(self._closes.get(in_reply_to, (in_reply_to,)))
        chosen = [m for m in mine if m in named] or mine
        return self._latest[self._tries[chosen[-1]].delegation_id] if chosen else None
