"""The engine's side of the bus for one run: sending with permissions, reading as parts, and the record of both."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from hashlib import blake2b

from harness.accounting.ledger import Caller
from harness.accounting.parts import ENGINE, Part, joined
from harness.accounting.purposes import Purpose
from harness.accounting.tokens import count_tokens
from harness.agents.tools import Arguments, Tool, ToolFailed
from harness.bus.protocol import BusMessage, BusSession
from harness.delegation.desk import Desk
from harness.delegation.order import TaskOrder
from harness.dispatch.inside import for_a_topology
from harness.records import MessageRow
from harness.session import Session
from harness.team.orders import Orders
from harness.team.roster import TYPE_PURPOSE, allowed_types
from harness.team.sending import send_schema

_SAYING = frozenset({"revision", "clarify_resp"})
"""Types of message that mean nothing without words."""
_EVENT = {"result": "ar", "progress": "ap", "clarify": "ac"}


class Returned(ToolFailed):
    """A result was not accepted. ``orders``: the next order for each subtask that it was for."""

    def __init__(self, orders: Sequence[Part]) -> None:
        super().__init__("\n".join(part.text for part in orders), Purpose.FEEDBACK)
        self.orders = tuple(orders)


class Postbox:
    """Mailboxes of one session's agents. ``lead``: who leads them, None for a team of equals; ``peers``: whether others
    than the lead may write to each other; ``teams``: members that are topologies.

    The bus carries text; what each payload's stretches are to the ledger stays here, by message id.
    """

    def __init__(
        self, session: Session, bus: BusSession, lead: str | None, members: Sequence[str], desk: Desk,
        *, peers: bool = True, teams: Collection[str] = (),
    ) -> None:  # fmt: skip
        self._session = session
        self.lead = lead
        self._peers = peers
        self._teams = frozenset(teams)
        self._bus = bus
        self._desk = desk
        self.orders = Orders(desk)
        self._everyone = (*((lead,) if lead is not None else ()), *members)
        self._payload: dict[str, tuple[Part, ...]] = {}
        self._rows: dict[str, MessageRow] = {}
        self._sent: dict[str, int] = {}
        self._sending: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._woken = {name: asyncio.Event() for name in self._everyone}

    # -- sending ---------------------------------------------------------------------------------------------------

    def tool(self, sender: Caller) -> Tool:
        """``send_message`` for one agent. Who may send what to whom is enforced here, not in the prompt."""

        async def run(arguments: Arguments) -> Sequence[Part]:
            to, type = arguments["to"], arguments["type"]
            self._permit(sender, arguments)
            around = arguments.get("context") or "", arguments.get("inReplyTo") or ""
            if type == "result" and to == self.lead:
                sent = await self.hand_in(sender.agent, arguments.payload, *around)
            else:
                order, payload = None, arguments.payload
                if type == "task":
                    written = arguments["order" if self._desk.structured else "content"]
                    order = await self._desk.take(written, sender.agent)
                    order = for_a_topology(order) if to in self._teams else order
                    payload = tuple(self._desk.told(order, sender.agent))
                sent = await self.deliver(sender.agent, to, type, payload, *around, order=order)
            return (Part(f"sent {sent}", ENGINE, self._session.engine_purpose),)

        return Tool(
            name="send_message",
            description="Send a message to another agent. Returns at once with the id of the message.",
            parameters=send_schema(self._desk, leads=sender.agent == self.lead),
            tags=frozenset({"message"}),
            run=run,
            purpose_of=lambda arguments: TYPE_PURPOSE.get(str(arguments.get("type")), Purpose.SYNC),
        )

    def _permit(self, sender: Caller, arguments: Arguments) -> None:
        """Raise ToolFailed, counted as refused, for a message that may not be sent, or lacks what its type needs: the
        tool's schema leaves ``content`` and ``order`` open, since no type needs both."""
        to, type = arguments["to"], arguments["type"]
        others = self._others(sender.agent)
        allowed = allowed_types(sender.agent, to, self.lead)
        text: str | None = None
        if type == "task":  # handing out work is dispatching, whoever it goes to
            text = self._session.refuse_depth(sender, "send_message")
        if text is None and to not in others:
            text = f"Refused: there is no agent '{to}' to whom you may send. You may send to: {', '.join(others)}."
        if text is None and type not in allowed:
            text = f"Refused: you may not send '{type}' to {to}. Types you may send: {', '.join(sorted(allowed))}."
        if text is None and type == "task" and self._desk.structured and "order" not in arguments:
            text = "a message of the type 'task' needs an order (objective, input_ref, …). Send it again with one."
        if text is None and type in _SAYING and not str(arguments.get("content") or "").strip():
            text = f"a message of the type '{type}' needs content. Send it again with what you have to say."
        if text is not None:
            self._session.refuse(sender.agent, text, to=to, type=type)
            raise ToolFailed(text)

    def _others(self, name: str) -> list[str]:
        """To whom an agent may send at all."""
        if self._peers or name == self.lead:
            return [n for n in self._everyone if n != name]
        return [] if self.lead is None else [self.lead]

    async def hand_in(self, name: str, payload: Sequence[Part], context: str = "", in_reply_to: str = "") -> str:
        """A member's result for what it owes: goes to the lead, and its id is returned. Raises Returned instead when
        one of the orders that it is for asks for another try."""
        notes, again = await self.orders.receive(name, joined(tuple(payload)), in_reply_to)
        if again:
            raise Returned(again)
        return await self._to_lead(name, [*notes, *payload], context, in_reply_to)

    async def give_up(self, name: str, text: str, status: str = "failed") -> None:
        """A member ends without a result for what it owes, and the lead is told why."""
        self.orders.fail(name, status, text)
        note = Part(f"[error] {text}", ENGINE, Purpose.REPORT)
        await self._to_lead(name, [note], by_engine=True)

    async def _to_lead(
        self, name: str, payload: Sequence[Part], context: str = "", in_reply_to: str = "", *, by_engine: bool = False
    ) -> str:
        assert self.lead is not None, "equals owe nobody a result"
        return await self.deliver(name, self.lead, "result", payload, context, in_reply_to, by_engine=by_engine)

    async def deliver(
        self, sender: str, to: str, type: str, payload: Sequence[Part], context: str = "", in_reply_to: str = "",
        *, order: TaskOrder | None = None, by_engine: bool = False,
    ) -> str:  # fmt: skip
        """Queue one message and record it; returns its id, which depends on nothing but the run's seed and the sender's
        count of messages. ``order``: what a task asks for; ``by_engine``: a result that its sender did not write."""
        s = self._session
        ordinal = self._sent[sender] = self._sent.get(sender, 0) + 1
        key = f"{s.seed}|{s.sample.id}|{s.epoch}|{s.topology}|{sender}|{ordinal}"
        msg_id = f"msg_{blake2b(key.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
        content = joined(list(payload))
        if type in ("task", "revision"):
            self.orders.sent(msg_id, to, order, content, in_reply_to)
        if type == "revision":
            s.counters.revisions += 1
        if type == "shutdown":
            self.orders.dismiss(to)
        if type == "clarify_resp":
            self.orders.reopen(to)
        if type == "result" and to == self.lead:
            closed = self.orders.answers(sender, in_reply_to)
            self.orders.closed(msg_id, sender, closed, by_engine=by_engine)
            in_reply_to = in_reply_to or (closed[-1] if closed else "")
        self._payload[msg_id] = tuple(payload)
        message = BusMessage(msg_id, in_reply_to, sender, to, type, content, context, s.time.timestamp())
        row = MessageRow(
            s.run_id, msg_id, in_reply_to or None, sender, to, type, content, context,
            count_tokens(content) + count_tokens(context), s.time.now(), None, "expired",
        )  # fmt: skip
        self._rows[msg_id] = row
        s.messages.append(row)
        s.events.emit(
            _EVENT.get(type, "am"), sender,
            {"msgId": msg_id, "inReplyTo": in_reply_to, "from": sender, "to": to, "type": type, "content": content},
        )  # fmt: skip
        async with self._sending[sender]:  # messages of one step arrive in the order in which they were written
            trimmed = await self._bus.send(message)
        for lost in trimmed:
            self._rows[lost.msg_id].delivery = "trimmed"
            self.orders.lost(lost.msg_id)
            if self.lead is not None:
                self.notify(self.lead)  # which may be waiting for just this
            s.events.emit("trimmed", lost.recipient, {"msgId": lost.msg_id, "from": lost.sender, "type": lost.type})
        return msg_id

    # -- receiving -------------------------------------------------------------------------------------------------

    def notify(self, name: str) -> None:
        """A notification for this agent has come in."""
        self._woken[name].set()

    async def read(self, name: str) -> tuple[BusMessage, ...]:
        """Take everything out of an agent's mailbox, oldest first; repeats are recorded, not returned."""
        self._woken[name].clear()  # before the look, so that a message sent after it wakes the agent again
        inbox = await self._bus.read(name)
        now = self._session.time.now()
        for message in inbox.messages:
            row = self._rows[message.msg_id]
            row.delivery, row.read_s = "read", now
            self.orders.read(message.msg_id)
            if name == self.lead and message.type == "result":
                self.orders.received(message.msg_id)
        for message in inbox.duplicates:
            row = self._rows[message.msg_id]
            self._session.messages.append(replace(row, read_s=now, delivery="duplicate"))
        return inbox.messages

    async def wait(self, *, patient: bool) -> tuple[BusMessage, ...]:
        """The lead's wait until there is something to read; empty once nothing is awaited any more.

        ``patient``: not woken by a result or a report of progress while other results are awaited; what has come in
        meanwhile is returned together, when nothing is awaited any more or something needs the lead: a question, or an
        error that the engine reports.
        """
        assert self.lead is not None, "only a lead waits for all"
        come: list[BusMessage] = []
        while True:
            come += await self.read(self.lead)
            if not self.orders.awaited() or (come and not patient) or any(map(self._needs_lead, come)):
                return tuple(come)
            await self._woken[self.lead].wait()

    def _needs_lead(self, message: BusMessage) -> bool:
        return message.type == "clarify" or any(p.author == ENGINE for p in self._payload[message.msg_id])

    async def read_last(self, name: str) -> tuple[BusMessage, ...]:
        """Read before leaving: looks again if a notification overtook the look, so that its message is not left."""
        while True:
            messages = await self.read(name)
            if messages or not self._woken[name].is_set():
                return messages

    async def wait_at_most(self, name: str, seconds: float) -> tuple[BusMessage, ...]:
        """As ``wait``, but empty after ``seconds`` without a message; looks once more at the very end."""
        try:
            async with self._session.time.timeout(seconds, name):
                while True:
                    await self._woken[name].wait()
                    messages = await self.read(name)
                    if messages:
                        return messages
        except TimeoutError:
            return await self.read(name)

    def parts(self, messages: Sequence[BusMessage], *, envelopes: bool = True) -> list[Part]:
        """An inbox as an agent reads it: each message as an envelope, the payload as its author wrote it, context.
        Without ``envelopes`` for whoever has no mailbox to answer from."""
        out = []
        for m in messages:
            purpose = TYPE_PURPOSE[m.type]
            reply = f", in reply to {m.in_reply_to}" if m.in_reply_to else ""
            if envelopes:
                out.append(Part(f"[inbox] {m.type} {m.msg_id} from {m.sender}{reply}:\n", ENGINE, purpose))
            out.extend(p.forwarded() for p in self._payload[m.msg_id])
            if m.context:
                out.append(Part(f"\n[context] {m.context}", m.sender, purpose, m.context))
            out.append(Part("\n", ENGINE, purpose))
        return out
