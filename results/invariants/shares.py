"""Invariants of one share."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

import numpy as np

from harness.accounting.purposes import CLASS_OF
from results.invariants.attempts import PURPOSES
from results.invariants.invariant import Frame, Invariant, Mask
from results.tally import UNKNOWN

_PURPOSES_OF = {name: frozenset(p.value for p, c in CLASS_OF.items() if c == name) for name in CLASS_OF.values()}
DIRECTIONS = frozenset({"prompt", "completion"})
REREADS = frozenset({"new", "self", "cross"})


def share_not_negative(s: Frame) -> Mask:
    """tokens, cached tokens, reasoning tokens and cost of a share are not negative"""
    return (s["tokens"] < 0) | (s["cached_tokens"] < 0) | (s["reasoning_tokens"] < 0) | (s["cost_pusd"] < 0)


def share_within_tokens(s: Frame) -> Mask:
    """cached tokens are part of a prompt share, reasoning tokens of a completion share, and neither exceeds tokens"""
    prompt, tokens = s.texts("direction").equal("prompt"), s["tokens"]
    return (s["cached_tokens"] > np.where(prompt, tokens, 0)) | (s["reasoning_tokens"] > np.where(prompt, 0, tokens))


def share_purpose(s: Frame) -> Mask:
    """the purpose of a share is known; that of an imported one is unknown"""
    purposes = s.texts("purpose")
    return ~np.where(s["imported"], purposes.equal(UNKNOWN), purposes.among(PURPOSES))


def share_class(s: Frame) -> Mask:
    """purpose_class is the class of the purpose"""
    purposes, classes = s.texts("purpose"), s.texts("purpose_class")
    right = [purposes.among(of_class) & classes.equal(name) for name, of_class in _PURPOSES_OF.items()]
    return ~np.logical_or.reduce(right)


def share_direction(s: Frame) -> Mask:
    """direction is prompt or completion"""
    return ~s.texts("direction").among(DIRECTIONS)


def share_reread(s: Frame) -> Mask:
    """reread is new, self or cross, and new for a completion"""
    reread = s.texts("reread")
    return ~reread.among(REREADS) | (s.texts("direction").equal("completion") & ~reread.equal("new"))


def share_has_author(s: Frame) -> Mask:
    """a share has an author"""
    return s.texts("author").equal("")


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
