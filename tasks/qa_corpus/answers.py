"""When an answer is right: by rule, on normalised text, and on numbers with their units."""

from __future__ import annotations

from collections.abc import Iterable

from tasks.common.texts import normalise, quantity
from tasks.qa_corpus.questions import Question

MAX_CHARS = 300
"""An answer longer than this is no short answer; it is wrong without being looked at."""


def is_right(question: Question, answer: str) -> bool:
    """Whether the answer is the key, an alias of it, or its number with an accepted unit."""
    if len(answer) > MAX_CHARS:
        return False
    if normalise(answer) in {normalise(right) for right in (question.answer, *question.aliases)}:
        return True
    if question.number is None:
        return False
    found = quantity(answer)
    return found is not None and found[0] == question.number and found[1] in set(map(normalise, question.units))


def accepted_wrong(question: Question, wrong: Iterable[str]) -> list[str]:
    """The answers declared wrong that the rules would take for right: a fault of the key."""
    return [answer for answer in wrong if is_right(question, answer)]
