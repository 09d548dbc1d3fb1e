"""Questions with their keys, and what stands behind one sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tasks.code_search.code.source import SourceFile

DEFINED, CALLERS, SUBCLASSES, GREP = "defined", "callers", "subclasses", "grep"
KINDS = (DEFINED, CALLERS, SUBCLASSES, GREP)
_TEXTS = {
    DEFINED: "At which lines of these files is `{}` defined? Give FILE:LINE for each.",
    CALLERS: "Which functions in these files call `{}`? Give the qualified name of each.",
    SUBCLASSES: "Which classes in these files are subclasses of `{}`, directly or through other classes in these "
    "files? Give the qualified name of each.",
    GREP: "Which of these files contain the word `{}`? Give the name of each file.",
}
NAMING, TELLING = "question", "names"
"""The fields of an entry: ``{"question": "Q07", "names": ["json.encoder.JSONEncoder"]}``."""


@dataclass(frozen=True)
class Question:
    """``label``: unique in the suite; ``about``: the name or word that it asks about; ``pieces``: what the answer is
    made up of, each (the shown lines that prove it, the name); ``wrong``: plausible wrong answers, at least two."""

    label: str
    kind: str
    about: str
    pieces: tuple[tuple[tuple[str, ...], str], ...]
    wrong: tuple[tuple[str, ...], ...]

    @property
    def answer(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.pieces)

    @cached_property
    def text(self) -> str:
        """The whole line that asks it."""
        return f"{self.label}: {_TEXTS[self.kind].format(self.about)}"

    def entry(self, names: tuple[str, ...]) -> Mapping[str, Any]:
        """A deliverable entry for this question."""
        return {NAMING: self.label, TELLING: list(names)}


@dataclass(frozen=True)
class Case:
    """The material of one sample. ``known``: kind of question → all names in the files that answers to it are made of,
    right or not."""

    files: tuple[SourceFile, ...]
    questions: tuple[Question, ...]
    known: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def key(self) -> list[Mapping[str, Any]]:
        """The perfect deliverable."""
        return [question.entry(question.answer) for question in self.questions]
