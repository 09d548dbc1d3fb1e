"""One sample and its key: the documents, and every month that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from tasks.common.documents import Document

MISSING = "missing"
"""What an entry gives as the amount of a month that the documents give none for."""

Entry = dict[str, str]


@dataclass(frozen=True)
class Month:
    """One line of the statement and its key. ``label``: what its entry calls it; ``amount``: with two decimals, or
    ``MISSING``; ``kind``: how the document tells it (``material.year``); ``evidence``: what has to be read;
    ``partial``: the amount by the first piece of it alone; ``wrong``: plausible wrong pairs of amount and unit."""

    label: str
    company: str
    month: str
    question: str
    kind: str
    amount: str
    unit: str
    evidence: tuple[str, ...]
    partial: str | None
    wrong: tuple[tuple[str, str], ...]

    def entry(self, amount: str, unit: str) -> Entry:
        """A deliverable entry for this month."""
        return {"month": self.label, "amount": amount, "unit": unit}

    @property
    def key(self) -> Entry:
        return self.entry(self.amount, self.unit)


@dataclass(frozen=True)
class Problem:
    """``months``: of every company, in the order of the statement. ``unit``: wanted, the same for all."""

    documents: tuple[Document, ...]
    months: tuple[Month, ...]
    unit: str

    @cached_property
    def companies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(month.company for month in self.months))
