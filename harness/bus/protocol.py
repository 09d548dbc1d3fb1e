"""The message bus: mailboxes a session, a notification a message (seed document 000, section 3).

One backend an experiment, one ``BusSession`` a run. Every backend obeys the same contract, so that results do not
depend on which one carried the messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.clock.protocol import Clock, Timeline

MESSAGE_TYPES = ("task", "clarify", "clarify_resp", "progress", "result", "revision", "shutdown")
INBOX_CAP = 50
"""Most messages queued for one agent; beyond it the oldest are trimmed (000, section 8)."""
TTL_S = 3600
"""Seconds until a mailbox key expires by itself (000, section 3.3)."""


@dataclass(frozen=True, slots=True)
class BusMessage:
    """The eight fields of a message. ``in_reply_to`` and ``context`` are empty when not given."""

    msg_id: str
    in_reply_to: str
    sender: str
    recipient: str
    type: str
    content: str
    context: str
    ts: str

    def to_json(self) -> str:
        return json.dumps(
            {
                "msgId": self.msg_id,
                "inReplyTo": self.in_reply_to,
                "from": self.sender,
                "to": self.recipient,
                "type": self.type,
                "content": self.content,
                "context": self.context,
                "ts": self.ts,
            },
            ensure_ascii=False,
        )

    @staticmethod
    def from_json(text: str | bytes) -> BusMessage:
        d = json.loads(text)
        return BusMessage(
            d["msgId"], d["inReplyTo"], d["from"], d["to"], d["type"], d["content"], d["context"], d["ts"]
        )


@dataclass(frozen=True, slots=True)
class Inbox:
    """What one consuming read returned, oldest first. ``duplicates`` carry a msgId that this mailbox has delivered."""

    messages: tuple[BusMessage, ...]
    duplicates: tuple[BusMessage, ...] = ()


class BusSession(Protocol):
    """The mailboxes of one run. Nothing of another session can be reached through it."""

    async def send(self, message: BusMessage) -> Sequence[BusMessage]:
        """Queue for the recipient, then notify; returns the messages that the cap trimmed (oldest first)."""

    async def read(self, agent: str) -> Inbox:
        """Take everything out of an agent's mailbox, atomically."""

    async def notified(self) -> str:
        """Wait for the next notification: the name of an agent whose mailbox has grown. One consumer a session.
        A notification is never lost between ``join`` and ``close``."""

    async def close(self) -> None:
        """Delete the session's keys and stop listening; safe to call twice."""


class BusBackend(Protocol):
    """Where mailboxes live."""

    name: str

    async def open(self, clock: Clock) -> None:
        """Start or reach the server; raises BusError before any sample starts."""

    async def join(self, session_id: str, time: Timeline) -> BusSession:
        """Open a session; subscribed when this returns. Of several that a run opens at one instant each returns in its
        turn, by id."""

    async def close(self) -> None: ...
