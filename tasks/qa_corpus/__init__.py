"""The suite ``qa_corpus``: messy documents become question-and-answer entries (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.qa_corpus.suite import QaCorpus

__all__ = ["QaCorpus"]


def __getattr__(name: str) -> Any:
    if name == "QaCorpus":
        from tasks.qa_corpus.suite import QaCorpus

        return QaCorpus
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
