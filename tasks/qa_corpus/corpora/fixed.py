"""A corpus whose documents and questions are all known: cut into disjoint samples by a seed."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from tasks.common.documents import Document
from tasks.qa_corpus.answers import is_right
from tasks.qa_corpus.corpora.grouping import group, shuffled
from tasks.qa_corpus.questions import Bundle, Question

MAX_SIMILAR = 4

log = logging.getLogger(__name__)


class FixedCorpus:
    """Documents and questions in memory. Every question belongs to the sample that got its document; documents beyond
    the last whole sample are left out, and the log says which."""

    def __init__(
        self, label: str, documents: Sequence[Document], questions: Sequence[Question], docs: int, seed: int
    ) -> None:
        self.label = label
        self._seed = seed
        self._documents = {document.name: document for document in documents}
        per_document = Counter(question.document for question in questions)
        counts = {name: per_document[name] for name in self._documents}
        self._groups = group(counts, docs, seed, label)
        self._sample_of = {name: i for i, names in enumerate(self._groups) for name in names}
        self._questions = {q.text: q for q in questions if q.document in self._sample_of}
        left_out = sorted(set(self._documents) - set(self._sample_of))
        if left_out:
            log.info(
                "corpus %s: %d samples of %d documents; %d documents and %d questions beyond the last whole sample "
                "are left out: %s",
                label,
                self.sample_count,
                docs,
                len(left_out),
                len(questions) - len(self._questions),
                ", ".join(left_out),
            )

    @property
    def sample_count(self) -> int:
        return len(self._groups)

    @cached_property
    def _by_sample(self) -> list[list[Question]]:
        asked: list[list[Question]] = [[] for _ in self._groups]
        for text in shuffled(self._questions, self._seed):
            question = self._questions[text]
            asked[self._sample_of[question.document]].append(question)
        return asked

    def bundle(self, index: int) -> Bundle:
        documents = tuple(self._documents[name] for name in self._groups[index])
        return Bundle(documents, tuple(self._by_sample[index]), overlapping=True)

    def locate(self, text: str) -> tuple[int, Question] | None:
        question = self._questions.get(text)
        return None if question is None else (self._sample_of[question.document], question)

    def document(self, index: int, name: str) -> Document:
        return self._documents[name]

    def similar(self, index: int, question: Question) -> Sequence[Question]:
        alike = (
            other
            for other in self._by_sample[index]
            if question.kind
            and other.kind == question.kind
            and other.document != question.document
            and not is_right(question, other.answer)
        )
        return list(alike)[:MAX_SIMILAR]
