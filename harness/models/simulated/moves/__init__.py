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
    expect,
    hand_on,
    hand_out,
    invent,
    judge,
    look,
    note,
    notes,
    pretend,
    read,
    reassign,
    reconsider,
    reopen,
    reply,
    review_own,
    revise,
    search,
    throw_back,
)
from harness.models.simulated.moves.move import Move

MOVES: tuple[Move, ...] = (
    judge,
    notes,
    combine,
    look,
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
    read,
    throw_back,
    expect,
    reconsider,
    choose,
    review_own,
    revise,
    answer,
)

__all__ = ["MOVES", "Move"]
