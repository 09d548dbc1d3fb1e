"""The reference topics that ship with CPython (``pydoc_data.topics``), with questions written for them.

The topics change with Python's patch version, and their text is not ours to ship. A question therefore stores where its
evidence is (topic, an anchor of at most eight words) and the sha256 of the span, one for each wording of it that was
checked; a question whose span the installed Python does not have is left out.
"""

from __future__ import annotations

import hashlib
import json
import logging
from decimal import Decimal
from importlib import resources
from typing import Any

from harness.errors import CorpusError
from tasks.common.documents import Document, blocks, flat, heading, pack
from tasks.qa_corpus.corpora.fixed import FixedCorpus
from tasks.qa_corpus.questions import Question

LABEL = "python_docs"
QUESTIONS = "python_docs.jsonl"

log = logging.getLogger(__name__)


def load(docs: int, seed: int) -> FixedCorpus:
    """The corpus for samples of ``docs`` documents. Raises CorpusError when this Python has no topics or too few."""
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise CorpusError(
            "this Python ships without its reference topics (the module pydoc_data.topics). "
            "Install a full CPython, or choose task.corpus=generated or a folder."
        ) from error
    questions, absent = verified(topics)
    if absent:
        log.warning(
            "corpus %s: %d of %d questions are left out, because this Python's topics do not hold their evidence: %s",
            LABEL,
            len(absent),
            len(absent) + len(questions),
            "; ".join(absent),
        )
    documents = [_document(topic, text) for topic, text in sorted(topics.items())]
    return FixedCorpus(LABEL, documents, questions, docs, seed)


def digest(span: str) -> str:
    """The sha256 of a span, white space made uniform first, so that re-wrapping a paragraph does not change it."""
    return hashlib.sha256(flat(span).encode()).hexdigest()


def verified(topics: dict[str, str]) -> tuple[list[Question], list[str]]:
    """The questions whose evidence these topics hold, and the texts of those whose evidence they do not.

    The span of a question is the one paragraph of its topic in which its anchor occurs.
    """
    questions: list[Question] = []
    absent: list[str] = []
    for row in _rows():
        spans = [block for block in blocks(topics.get(row["topic"], "")) if row["anchor"] in flat(block)]
        if len(spans) == 1 and digest(spans[0]) in row["sha256"]:
            questions.append(_question(row, spans[0].strip()))
        else:
            absent.append(row["question"])
    return questions, absent


def _rows() -> list[dict[str, Any]]:
    shipped = resources.files("tasks.qa_corpus.corpora").joinpath(QUESTIONS).read_text(encoding="utf-8")
    return [json.loads(line) for line in shipped.splitlines()]


def _question(row: dict[str, Any], span: str) -> Question:
    units = tuple(row.get("units", ()))
    return Question(
        text=row["question"],
        answer=row["answer"],
        document=_name(row["topic"]),
        evidence=span,
        aliases=tuple(row.get("aliases", ())),
        wrong=tuple(row["wrong"]),
        number=Decimal(row["answer"]) if units else None,
        units=units,
        kind=row["kind"],
    )


def _name(topic: str) -> str:
    return f"{topic}.txt"


def _document(topic: str, text: str) -> Document:
    paragraphs = blocks(text)
    return Document(_name(topic), heading(paragraphs[0]) or topic, pack(paragraphs))
