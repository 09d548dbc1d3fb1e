"""The grader: reads whatever came back, and counts the right answers, by whose rule they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.suite import Grade
from tasks.common.entries import shown
from tasks.common.labels import entries_by_label
from tasks.common.texts import normalise, quantity
from tasks.specialists.rules import Question

RIGHT, WRONG, MISSING = "right", "wrong", "missing"


def grade(questions: Sequence[Question], answer: str) -> Grade:
    """Score an answer text: the share of questions answered rightly. Never raises, whatever the text.

    ``detail``: counts of ``right``, ``wrong`` (several entries that are not all right count here) and ``missing`` (no
    entry, or null); ``by_tag``: the same counts and ``asked`` for each tag; ``unmatched``: entries that name no
    question; ``parsed``: was there an array of objects at all; and a result for each question.
    """
    given, count = entries_by_label(answer, "question", (q.label for q in questions))
    totals = dict.fromkeys((RIGHT, WRONG, MISSING), 0)
    by_tag = {q.tag: {"asked": 0, **totals} for q in questions}
    results: list[dict[str, Any]] = []
    for q in questions:
        outcome = _outcome(q, given[q.label])
        totals[outcome] += 1
        by_tag[q.tag]["asked"] += 1
        by_tag[q.tag][outcome] += 1
        answers = [shown(entry.get("answer")) for entry in given[q.label][:3]]
        results.append({"question": q.label, "tag": q.tag, "outcome": outcome, "answer": answers, "expected": q.answer})
    matched = sum(len(given[q.label]) for q in questions)
    detail = {**totals, "by_tag": by_tag, "unmatched": count - matched, "parsed": count > 0, "questions": results}
    return Grade(totals[RIGHT] / len(questions), detail)


def _outcome(question: Question, entries: Sequence[Mapping[str, Any]]) -> str:
    answers = [entry.get("answer") for entry in entries]
    if all(answer is None or answer == "" for answer in answers):
        return MISSING
    return RIGHT if all(_is_right(question, answer) for answer in answers) else WRONG


def _is_right(question: Question, answer: Any) -> bool:
    """A number must be equal, with no unit or an accepted one; a word must be the same."""
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return False
    told, wanted = quantity(str(answer)), quantity(question.answer)
    if wanted is None:
        return normalise(str(answer)) == normalise(question.answer)
    return told is not None and told[0] == wanted[0] and told[1] in {"", *map(normalise, question.units)}
