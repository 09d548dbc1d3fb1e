"""Questions with their keys, and what a corpus hands over for one sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from tasks.common.documents import Document, reference

Entry = dict[str, str]


@dataclass(frozen=True)
class Question:
    """One question and its key.

    ``evidence`` is text of ``document`` exactly as it stands there, in one section. With ``number`` set, an answer is
    right if it is that number with one of ``units`` ("" stands for no unit); ``aliases`` are other right wordings.
    ``wrong`` are plausible wrong answers of the same type, ``kind`` names that type.
    """

    text: str
    answer: str
    document: str
    evidence: str
    aliases: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    number: Decimal | None = None
    units: tuple[str, ...] = ()
    kind: str = ""

    def entry(self, answer: str, clause_ref: str) -> Entry:
        """A deliverable entry for this question."""
        return {"question": self.text, "answer": answer, "clause_ref": clause_ref}


@dataclass(frozen=True)
class Bundle:
    """The material of one sample. ``overlapping``: several documents may carry the same passage, so that a question's
    evidence can be cited from each of them."""

    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    overlapping: bool = False

    @cached_property
    def by_name(self) -> dict[str, Document]:
        return {document.name: document for document in self.documents}

    def places(self, question: Question) -> list[tuple[str, int]]:
        """Every (document, section) that holds the question's evidence, the question's own document first."""
        own = self.by_name[question.document]
        others = [d for d in self.documents if d is not own] if self.overlapping else []
        return [(document.name, n) for document in [own, *others] for n in document.find(question.evidence)]

    def key(self) -> Sequence[Entry]:
        """The perfect deliverable."""
        return [q.entry(q.answer, reference(*self.places(q)[0])) for q in self.questions]
