"""How good an answer looks to somebody who did not give it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.agreement import normal
from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.judging import Case
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.answering import is_right


def share_right(view: View, case: Case, answer: str) -> tuple[float, Sequence[str]]:
    """How much of an answer seems right, from 0 to 1, and the questions that do not.

    Each question of the task counts the same. With the key, or the evidence, before it the model notices a wrong entry
    with ``review.catch`` and takes a right one for wrong with ``review.false_alarm``; without either it can only see
    whether there is an answer. A key that has no entries is compared with the whole answer. The same entry looks the
    same in two answers.
    """
    questions = view.knowledge.questions(case.task)
    of_key = view.entries_in([case.key or ""], empty=True)
    if not questions or (case.key is not None and not of_key):
        seems = _whole_seems_right(view, case, answer)
        return float(seems), () if seems else ("the answer",)
    given = view.entries_in([answer], empty=True)
    faults = [
        item.question
        for item in questions
        if not _seems_right(view, case, item, of_key.get(item.question, [None])[0], given.get(item.question, []))
    ]
    return 1 - len(faults) / len(questions), faults


def _seems_right(view: View, case: Case, item: Item, key: Entry | None, given: Sequence[Entry]) -> bool:
    answers = [e for e in given if e.get(item.telling) is not None]
    if key is not None and key.get(item.telling) is None:
        return not answers
    if not answers:
        return False  # nothing there: nobody overlooks that
    closed_book = item.evidence == (item.question,)
    held = bool(item.evidence) and all(view.knowledge.where(case.task, e) >= 0 for e in item.evidence)
    if key is None and not (held or closed_book):
        return True
    return all(_passes(view, item, key, entry) for entry in answers)


def _passes(view: View, item: Item, key: Entry | None, entry: Entry) -> bool:
    """Not noticed as wrong, nor taken for wrong."""
    right = is_right(item, entry) if key is None or is_right(item, key) else False
    right = right or (key is not None and all(normal(entry.get(name)) == normal(value) for name, value in key.items()))
    return lets_pass(view, right, item.question, repr(sorted(map(repr, entry.items()))))


def _whole_seems_right(view: View, case: Case, answer: str) -> bool:
    """An answer that is no list of entries, or has no questions to go by: it says what the key says, somewhere, or,
    without a key, it says anything at all."""
    said = normal(answer)
    if not said or said == "[]":
        return False
    if not (case.key or "").strip():
        return True
    right = re.search(rf"(?<!\w){re.escape(normal(case.key))}(?!\w)", said) is not None
    return lets_pass(view, right, "", answer)


def lets_pass(view: View, right: bool, question: str, entry: str) -> bool:
    """Whether somebody else's entry is let pass: by the rates of a reviewer who knows whether it is right."""
    rules = view.behaviour.review
    return view.draws.request("judges", question, entry) >= (rules.false_alarm if right else rules.catch)
