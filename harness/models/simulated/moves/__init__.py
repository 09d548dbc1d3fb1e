"""Everything the model knows how to do, in order: the first move that applies is made.

A new ability is a new file here and its place in ``MOVES``; a move sees only the ``View`` of the request.
"""

from __future__ import annotations

from harness.models.simulated.moves import (
    agree,
    answer,
    ask,
    choose,
    clarify,
    combine,
    evaluate,
    expect,
    explore,
    hand_on,
    hand_out,
    invent,
    judge,
    look,
    note,
    notes,
    plan,
    pretend,
    read,
    reassign,
    reconsider,
    refute,
    reopen,
    reply,
    review_own,
    revise,
    rule,
    search,
    throw_back,
)
from harness.models.simulated.moves.move import Move

MOVES: tuple[Move, ...] = (
    judge,
    evaluate,
    rule,
    notes,
    combine,
    look,
    plan,
    note,
    clarify,
    ask,
    hand_on,
    agree,
    hand_out,
    reply,
    reassign,
    invent,
    pretend,
    search,
    reopen,
    explore,
    read,
    throw_back,
    expect,
    refute,
    reconsider,
    choose,
    review_own,
    revise,
    answer,
)

__all__ = ["MOVES", "Move"]
