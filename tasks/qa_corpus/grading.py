"""The grader: reads whatever came back, and counts the questions whose answer and reference are both right."""

from __future__ import annotations

from typing import Any

from harness.suite import Grade
from tasks.common.entries import entries_in, shown
from tasks.common.texts import normalise, strip_marker
from tasks.qa_corpus.answers import is_right
from tasks.qa_corpus.questions import Bundle, Question
from tasks.qa_corpus.references import parse

RIGHT, WRONG_ANSWER, WRONG_REFERENCE, MISSING = "right", "wrong_answer", "wrong_reference", "missing"


def grade(bundle: Bundle, answer: str) -> Grade:
    """Score an answer text: share of questions answered and cited rightly. Never raises, whatever the text.

    ``detail``: counts of ``right``, ``wrong_answer`` (several entries that differ count here), ``wrong_reference``
    (the answer is right, the place is not) and ``missing`` (no entry, or null), ``unmatched`` entries that repeat no
    question, ``parsed`` (was there an array of objects at all), and a result for each question.
    """
    entries = list(entries_in(answer))
    by_question: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        if isinstance(asked := entry.get("question"), str):
            by_question.setdefault(asked_for(asked), []).append(entry)
    counts = dict.fromkeys((RIGHT, WRONG_ANSWER, WRONG_REFERENCE, MISSING), 0)
    results: list[dict[str, Any]] = []
    matched = 0
    for question in bundle.questions:
        given = by_question.get(asked_for(question.text), [])
        matched += len(given)
        outcome = _outcome(bundle, question, given)
        counts[outcome] += 1
        results.append(
            {
                "question": question.text,
                "outcome": outcome,
                "answer": [shown(entry.get("answer")) for entry in given[:3]],
                "clause_ref": [shown(entry.get("clause_ref")) for entry in given[:3]],
                "expected": question.answer,
            }
        )
    detail = {**counts, "unmatched": len(entries) - matched, "parsed": bool(entries), "questions": results}
    return Grade(counts[RIGHT] / len(bundle.questions), detail)


def asked_for(question: str) -> str:
    """A question as entries are matched to it."""
    return normalise(strip_marker(question))


def _outcome(bundle: Bundle, question: Question, given: list[dict[str, Any]]) -> str:
    answers = [entry.get("answer") for entry in given]
    if all(answer is None or answer == "" for answer in answers):
        return MISSING
    if not all(isinstance(a, (str, int, float)) and is_right(question, str(a)) for a in answers):
        return WRONG_ANSWER
    places = {(name.casefold(), section) for name, section in bundle.places(question)}
    cited = [ref if isinstance(ref := entry.get("clause_ref"), str) else "" for entry in given]
    return RIGHT if all(parse(ref) in places for ref in cited) else WRONG_REFERENCE
