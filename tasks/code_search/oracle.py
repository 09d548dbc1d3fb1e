"""What the suite tells the simulated model; no topology can reach it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from harness.models.oracle import Item
from tasks.code_search.questions import Question
from tasks.common.texts import strip_marker

_ASKED = re.compile(r"(?P<label>Q(?P<number>\d+))(?::.*)?")


class CodeOracle:
    """Every question of the suite, found by its line or its label. ``ask``: from a number of a question to it, None
    where there is none; items are made on demand."""

    def __init__(self, ask: Callable[[int], Question | None]) -> None:
        self._ask = ask
        self._item = lru_cache(maxsize=4096)(_item)

    def lookup(self, line: str) -> Item | None:
        """The item that a line asks for or names, list marker and white space aside; None for any other line."""
        plain = strip_marker(line)
        asked = _ASKED.fullmatch(plain)
        question = None if asked is None or len(asked["number"]) > 9 else self._ask(int(asked["number"]))
        if asked is None or question is None or plain not in (question.label, question.text):
            return None
        return self._item(question)


def _item(question: Question) -> Item:
    wrong: tuple[Mapping[str, object], ...] = tuple(question.entry(names) for names in question.wrong)
    evidence = tuple(dict.fromkeys(line for lines, _ in question.pieces for line in lines))
    return Item(question.text, evidence, question.entry(question.answer), wrong, pieces=question.pieces)
