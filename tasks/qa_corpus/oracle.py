"""What the suite tells the simulated model; no topology can reach it."""

from __future__ import annotations

from functools import lru_cache

from harness.models.oracle import Item
from tasks.common.documents import reference
from tasks.common.texts import strip_marker
from tasks.qa_corpus.corpora.corpus import Corpus
from tasks.qa_corpus.questions import Question


class CorpusOracle:
    """Every question of the suite, found by its text. Items are made on demand and a few thousand are kept."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._item = lru_cache(maxsize=2048)(self._make)
        self._bundle = lru_cache(maxsize=2)(corpus.bundle)

    def lookup(self, line: str) -> Item | None:
        """The item whose question is the line, list marker and white space aside; None for any other line."""
        located = self._corpus.locate(strip_marker(line))
        return None if located is None else self._item(*located)

    def _make(self, index: int, question: Question) -> Item:
        document = self._corpus.document(index, question.document)
        places = document.find(question.evidence)
        here = reference(document.name, places[0])
        wrong = [question.entry(answer, here) for answer in question.wrong]
        others = [n for n in range(1, len(document.sections) + 1) if n not in places]
        if others:  # the right answer with the place next door
            nearest = min(others, key=lambda n: abs(n - places[0]))
            wrong.append(question.entry(question.answer, reference(document.name, nearest)))
        mixups = []
        for other in self._corpus.similar(index, question):
            there = self._corpus.document(index, other.document)
            place = reference(there.name, there.find(other.evidence)[0])
            mixups.append((other.evidence, question.entry(other.answer, place)))
        right = question.entry(question.answer, here)
        labels = [reference(*place) for place in self._bundle(index).places(question)]
        elsewhere = tuple((f"[{label}]", {"clause_ref": label}) for label in labels) if len(labels) > 1 else ()
        return Item(question.text, (question.evidence,), right, tuple(wrong), tuple(mixups), elsewhere)
