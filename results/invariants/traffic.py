"""Invariants of messages and events."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

from results.invariants.invariant import Frame, Invariant, Mask

DELIVERIES = frozenset({"read", "trimmed", "duplicate", "redelivered", "expired"})


def message_reply(m: Frame) -> Mask:
    """in_reply_to is a message of the same run"""
    return ~m["reply_known"]


def message_words(m: Frame) -> Mask:
    """delivery is a word of the contract"""
    return ~m.texts("delivery").among(DELIVERIES)


def message_times(m: Frame) -> Mask:
    """a message is read after it was sent, and sent after the run began"""
    return (m["sent_s"] < 0) | (m["read_s"] < m["sent_s"])


def message_has_run(m: Frame) -> Mask:
    """a message belongs to a stored run"""
    return m["orphan"]


def events_numbered(e: Frame) -> Mask:
    """the events of a run are numbered 0, 1, 2 … without a gap"""
    return e["seq"] != e["expected_seq"]


def event_has_run(e: Frame) -> Mask:
    """an event belongs to a stored run"""
    return e["orphan"]


INVARIANTS = (
    Invariant("messages", message_reply, ("msg_id", "in_reply_to")),
    Invariant("messages", message_words, ("msg_id", "delivery")),
    Invariant("messages", message_times, ("msg_id", "sent_s", "read_s")),
    Invariant("messages", message_has_run, ("msg_id",)),
    Invariant("events", events_numbered, ("seq", "expected_seq")),
    Invariant("events", event_has_run, ("seq",)),
)
