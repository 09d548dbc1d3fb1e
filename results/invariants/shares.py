"""Invariants of one share."""

from __future__ import annotations

from harness.accounting.purposes import CLASS_OF
from results.invariants.attempts import PURPOSES
from results.invariants.invariant import Frame, Invariant, Mask
from results.tally import UNKNOWN

_PAIRS = frozenset((p.value, c) for p, c in CLASS_OF.items())
DIRECTIONS = frozenset({"prompt", "completion"})
REREADS = frozenset({"new", "self", "cross"})


def share_not_negative(s: Frame) -> Mask:
    """tokens, cached tokens, reasoning tokens and cost of a share are not negative"""
    counts = s[["tokens", "cached_tokens", "reasoning_tokens"]]
    return (counts < 0).any(axis=1) | (s["cost_pusd"].fillna(0) < 0)


def share_within_tokens(s: Frame) -> Mask:
    """cached tokens are part of a prompt share, reasoning tokens of a completion share, and neither exceeds tokens"""
    prompt = s["direction"] == "prompt"
    return (s["cached_tokens"] > s["tokens"].where(prompt, 0)) | (s["reasoning_tokens"] > s["tokens"].where(~prompt, 0))


def share_purpose(s: Frame) -> Mask:
    """the purpose of a share is known; that of an imported one is unknown"""
    return ~s["purpose"].isin(PURPOSES).where(~s["imported"], s["purpose"] == UNKNOWN)


def share_class(s: Frame) -> Mask:
    """purpose_class is the class of the purpose"""
    return ~(s["purpose"] + "|" + s["purpose_class"]).isin([f"{p}|{c}" for p, c in _PAIRS])


def share_direction(s: Frame) -> Mask:
    """direction is prompt or completion"""
    return ~s["direction"].isin(DIRECTIONS)


def share_reread(s: Frame) -> Mask:
    """reread is new, self or cross, and new for a completion"""
    return ~s["reread"].isin(REREADS) | ((s["direction"] == "completion") & (s["reread"] != "new"))


def share_has_author(s: Frame) -> Mask:
    """a share has an author"""
    return s["author"] == ""


def share_has_call(s: Frame) -> Mask:
    """a share belongs to a stored attempt"""
    return ~s["has_call"]


def share_has_run(s: Frame) -> Mask:
    """a share belongs to a stored run"""
    return s["orphan"]


_WHAT = ("direction", "purpose", "author")

INVARIANTS = (
    Invariant("shares", share_not_negative, (*_WHAT, "tokens", "cached_tokens", "reasoning_tokens", "cost_pusd")),
    Invariant("shares", share_within_tokens, (*_WHAT, "tokens", "cached_tokens", "reasoning_tokens")),
    Invariant("shares", share_purpose, _WHAT),
    Invariant("shares", share_class, ("purpose", "purpose_class")),
    Invariant("shares", share_direction, ("direction", "purpose")),
    Invariant("shares", share_reread, ("direction", "purpose", "reread")),
    Invariant("shares", share_has_author, ("direction", "purpose")),
    Invariant("shares", share_has_call, _WHAT),
    Invariant("shares", share_has_run, _WHAT),
)
