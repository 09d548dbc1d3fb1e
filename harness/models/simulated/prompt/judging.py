"""What is laid before a judge: a task, perhaps its key, and one answer or two, between fences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_JUDGES = re.compile(r"^You (?:judge an answer|compare two answers) to a task\b", re.M)
_HIGHEST = re.compile(r"\bscore: a whole number from 0 to (\d+)\b")
_FENCE = re.compile(r"^={8,}$", re.M)


@dataclass(frozen=True, slots=True)
class Case:
    """``key``: None if it is not shown. ``highest``: the best score; None where two answers are compared."""

    task: str
    key: str | None
    answers: tuple[str, ...]
    highest: int | None


@lru_cache(maxsize=256)
def case_in(system: str, asked: str) -> Case | None:
    """The case of a system prompt and the first user message; None where nobody is asked to judge. The system prompt
    alone says whether: what stands between fences is material."""
    if _JUDGES.search(system) is None:
        return None
    texts = _fenced(asked)
    answers = tuple(text for heading, text in texts.items() if heading.startswith("The answer") or "Answer " in heading)
    task = next((text for heading, text in texts.items() if heading.startswith("The task")), None)
    key = next((text for heading, text in texts.items() if heading.startswith("The key")), None)
    scores = _HIGHEST.findall(system)  # a rubric may say the like: the last counts
    if task is None or not answers or (len(answers) == 1 and not scores):
        return None
    return Case(task, key, answers, int(scores[-1]) if len(answers) == 1 else None)


def _fenced(text: str) -> Mapping[str, str]:
    """Heading → what stands below it, between two lines like the first fence."""
    first = _FENCE.search(text)
    if first is None:
        return {}
    pieces = re.split(rf"^{first[0]}$", text, flags=re.M)
    headings = [piece.strip().splitlines()[-1] if piece.strip() else "" for piece in pieces[::2]]
    return {h: inside[1:-1] for h, inside in zip(headings, pieces[1::2], strict=False)}
