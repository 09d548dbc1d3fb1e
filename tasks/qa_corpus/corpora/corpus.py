"""What a source of material is to the suite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tasks.common.documents import Document
from tasks.qa_corpus.questions import Bundle, Question


class Corpus(Protocol):
    """Samples are numbered from 0; what a number stands for depends on the options only, never on what was asked
    before."""

    label: str
    """First part of every sample id."""

    @property
    def sample_count(self) -> int:
        """How many samples there are."""

    def bundle(self, index: int) -> Bundle:
        """Documents and questions of one sample, with at least one question."""

    def locate(self, text: str) -> tuple[int, Question] | None:
        """The sample and the question that has exactly this text, or None; constant time."""

    def document(self, index: int, name: str) -> Document:
        """One document of a sample, without making the others where they need not be."""

    def similar(self, index: int, question: Question) -> Sequence[Question]:
        """A few questions of the same sample whose answers could be taken for this one's: same type, other value."""
