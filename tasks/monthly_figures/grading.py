"""The grader: reads whatever came back, and counts the months whose entry is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from harness.suite import Grade
from tasks.common.entries import shown
from tasks.monthly_figures.entries import given, has_two_decimals, has_unit, is_empty, number, of_line, says_missing
from tasks.monthly_figures.problem import MISSING, Month, Problem

RIGHT = "right"
WRONG_UNIT, WRONG_VALUE, WRONG_DECIMALS = "wrong_unit", "wrong_value", "wrong_decimals"
LEFT_OUT, OVERLOOKED = "left_out", "overlooked"
NOT_MARKED, INVENTED, UNFOUNDED = "not_marked", "invented", "unfounded"
CONFLICTING = "conflicting"
OUTCOMES = (
    RIGHT, WRONG_UNIT, WRONG_VALUE, WRONG_DECIMALS, LEFT_OUT, OVERLOOKED, NOT_MARKED, INVENTED, UNFOUNDED, CONFLICTING,
)  # fmt: skip


def grade(problem: Problem, answer: str) -> Grade:
    """Score an answer text: the share of months whose entry is right. Never raises, whatever the text.

    ``detail`` counts, of months with an amount: ``wrong_unit``, ``wrong_value`` (in the right unit), ``wrong_decimals``
    (of the right value), ``left_out`` (no entry, or null), ``overlooked`` (called missing); of missing months:
    ``not_marked`` (no entry, or null), ``invented`` (given an amount), ``unfounded`` (called missing in an answer
    without any right amount: whoever calls everything missing has read nothing); of both: ``right`` and ``conflicting``
    (several entries that are not all right, nor wrong in the same way). ``unmatched``: entries for no month that is
    asked for, which change nothing; ``parsed``: was there an array of objects at all; ``months``: each one's result.
    """
    found, entries = given(answer)
    alone = len(problem.companies) == 1
    by_month = [of_line(found, month.company, month.month, alone) for month in problem.months]
    outcomes = [_outcome(month, given) for month, given in zip(problem.months, by_month, strict=True)]
    if not any(o == RIGHT and m.amount != MISSING for m, o in zip(problem.months, outcomes, strict=True)):
        outcomes = [UNFOUNDED if outcome == RIGHT else outcome for outcome in outcomes]
    counts = {outcome: outcomes.count(outcome) for outcome in OUTCOMES}
    results = [
        {
            "month": month.label,
            "kind": month.kind,
            "outcome": outcome,
            "amount": [shown(entry.get("amount")) for entry in entries[:3]],
            "unit": [shown(entry.get("unit")) for entry in entries[:3]],
            "expected": month.amount,
        }
        for month, outcome, entries in zip(problem.months, outcomes, by_month, strict=True)
    ]
    unmatched = entries - sum(map(len, by_month))
    detail = {**counts, "unmatched": unmatched, "parsed": entries > 0, "months": results}
    return Grade(counts[RIGHT] / len(problem.months), detail)


def _outcome(month: Month, entries: Sequence[Mapping[str, Any]]) -> str:
    """What became of one month; several entries must come to the same."""
    every = {_of_entry(month, entry) for entry in entries} or {_silence(month)}
    return every.pop() if len(every) == 1 else CONFLICTING


def _of_entry(month: Month, entry: Mapping[str, Any]) -> str:
    if is_empty(entry):
        return _silence(month)
    if month.amount == MISSING:
        return RIGHT if says_missing(entry) else INVENTED
    if says_missing(entry):
        return OVERLOOKED
    if not has_unit(entry, month.unit):
        return WRONG_UNIT
    if number(entry) != Decimal(month.amount):
        return WRONG_VALUE
    return RIGHT if has_two_decimals(entry) else WRONG_DECIMALS


def _silence(month: Month) -> str:
    return NOT_MARKED if month.amount == MISSING else LEFT_OUT
