"""The grader: a line is right if its value, its unit and the reading named are those that the requester means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.suite import Grade
from tasks.briefing.fields import Field
from tasks.common.entries import shown
from tasks.common.labels import entries_by_label
from tasks.common.texts import normalise, quantity

RIGHT, WRONG_READING, WRONG_UNIT, WRONG_VALUE, MISSING = (
    "right",
    "wrong_reading",
    "wrong_unit",
    "wrong_value",
    "missing",
)
OUTCOMES = (RIGHT, WRONG_READING, WRONG_UNIT, WRONG_VALUE, MISSING)


def grade(fields: Sequence[Field], answer: str) -> Grade:
    """Score an answer text: the share of lines that are right. Never raises, whatever the text.

    ``detail``: counts of ``right``, ``wrong_reading`` (another reading's figure, or the right figure under another
    reading's name or none), ``wrong_unit`` (the right number with no unit, another, or more than one), ``wrong_value``
    (several entries that differ count here, unless all are wrong in one way) and ``missing`` (no entry, or null); the
    same counts ``of_ambiguous`` lines; ``unmatched`` entries that name no line; ``parsed`` (was there an array of
    objects at all), and a result for each line.
    """
    given, count = entries_by_label(answer, "field", (f.label for f in fields))
    totals, of_ambiguous = dict.fromkeys(OUTCOMES, 0), dict.fromkeys(OUTCOMES, 0)
    results: list[dict[str, Any]] = []
    for field in fields:
        outcome = _outcome(field, given[field.label])
        totals[outcome] += 1
        of_ambiguous[outcome] += field.ambiguous
        results.append(
            {
                "field": field.label,
                "term": field.term.name,
                "ambiguous": field.ambiguous,
                "outcome": outcome,
                "given": [[shown(e.get("value")), shown(e.get("reading"))] for e in given[field.label][:3]],
                "expected": str(field.figures[field.meant]),
            }
        )
    matched = sum(len(given[field.label]) for field in fields)
    detail = {
        **totals,
        "of_ambiguous": of_ambiguous,
        "unmatched": count - matched,
        "parsed": count > 0,
        "fields": results,
    }
    return Grade(totals[RIGHT] / len(fields), detail)


def _outcome(field: Field, entries: Sequence[Mapping[str, Any]]) -> str:
    if all(entry.get("value") in (None, "") for entry in entries):
        return MISSING
    outcomes = {_of_entry(field, entry) for entry in entries}
    return outcomes.pop() if len(outcomes) == 1 else WRONG_VALUE


def _of_entry(field: Field, entry: Mapping[str, Any]) -> str:
    value = entry.get("value")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return WRONG_VALUE
    told = quantity(str(value))
    same = [f for f in field.figures if told is not None and quantity(f.number) == (told[0], "")]
    if told is None or not same:
        return WRONG_VALUE
    meant = field.figures[field.meant]
    if same != [meant]:
        return WRONG_READING
    if told[1] not in {normalise(unit) for unit in meant.unit.names}:
        return WRONG_UNIT
    named = [f.reading for f in field.figures if _names(entry.get("reading"), f.reading)]
    return RIGHT if named == [meant.reading] else WRONG_READING


def _names(text: Any, reading: str) -> bool:
    """Whether a text holds a reading's name, as words by themselves."""
    if not isinstance(text, str):
        return False
    return re.search(rf"(?<!\w){re.escape(normalise(reading))}(?!\w)", normalise(text)) is not None
