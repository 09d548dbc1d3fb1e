"""All drafts, kind by kind. Their text is data: it is never imported and, but for tests, never run."""

from __future__ import annotations

from tasks.review.drafts import (
    broken_promise,
    edge_case,
    left_open,
    off_by_one,
    shared_state,
    swapped,
    wrong_default,
    wrong_unit,
)
from tasks.review.pairs import Pair

PAIRS: tuple[Pair, ...] = (
    *off_by_one.PAIRS,
    *wrong_default.PAIRS,
    *swapped.PAIRS,
    *edge_case.PAIRS,
    *left_open.PAIRS,
    *wrong_unit.PAIRS,
    *broken_promise.PAIRS,
    *shared_state.PAIRS,
)

__all__ = ["PAIRS"]
