"""What a session has delivered so far."""

from __future__ import annotations

from collections.abc import Iterable

from harness.bus.protocol import BusMessage, Inbox


class Deliveries:
    """Tells first deliveries from repeated ones, mailbox by mailbox, for the life of a session."""

    def __init__(self) -> None:
        self._seen: dict[str, set[str]] = {}

    def inbox(self, agent: str, messages: Iterable[BusMessage]) -> Inbox:
        """Sort what was taken from ``agent``'s mailbox (oldest first) by whether its msgId is new there."""
        seen = self._seen.setdefault(agent, set())
        fresh: list[BusMessage] = []
        repeated: list[BusMessage] = []
        for message in messages:
            (repeated if message.msg_id in seen else fresh).append(message)
            seen.add(message.msg_id)
        return Inbox(tuple(fresh), tuple(repeated))
