"""What stands behind one sample: the drafts that it shows, and the files beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from harness.models.oracle import Item
from tasks.common.documents import Document
from tasks.common.texts import normalise
from tasks.review.pairs import Context, Pair
from tasks.review.places import names

NAMING, TELLING, PLACE = "draft", "verdict", "where"
"""The fields of an entry: ``{"draft": "D00-03", "verdict": "defect", "where": "return fields"}``."""
DEFECT, CLEAN = "defect", "clean"

_VERDICTS = {CLEAN: CLEAN, DEFECT: DEFECT, "defective": DEFECT}


def verdict_of(entry: Mapping[str, Any]) -> str | None:
    """What an entry says of its draft, ``DEFECT`` or ``CLEAN``, in any case; None: neither."""
    told = entry.get(TELLING)
    return _VERDICTS.get(normalise(told)) if isinstance(told, str) else None


@dataclass(frozen=True)
class Draft:
    """One version of a pair. ``label``: what a sample calls it, unique in the suite."""

    label: str
    pair: Pair
    defective: bool

    @property
    def text(self) -> str:
        return self.pair.text(self.defective)

    @property
    def line(self) -> str:
        """The line that asks about it, complete in itself."""
        return f"{self.label}: is {self.pair.file} right? Its contract: {self.pair.contract}"

    def is_place(self, where: object) -> bool:
        """Whether ``where`` names the planted defect: ``places.names``, with the lines of the pair."""
        return self.defective and names(self.text, self.pair.places, where, self.pair.file)

    def entry(self, line: int | None) -> Mapping[str, Any]:
        """A deliverable entry: clean, or a defect in a line, counted from 1."""
        where = None if line is None else self.text.split("\n")[line - 1].strip()
        return {NAMING: self.label, TELLING: CLEAN if line is None else DEFECT, PLACE: where}

    @cached_property
    def right(self) -> Mapping[str, Any]:
        return self.entry(min(self.pair.places) if self.defective else None)

    @cached_property
    def item(self) -> Item:
        """For the simulated model. Whoever has not read the other file that it takes finds nothing wrong with a
        draft."""
        places = self.pair.places if self.defective else frozenset[int]()
        lines = [n for n, line in enumerate(self.text.split("\n"), 1) if line.strip() and n > 1 and n not in places]
        elsewhere = tuple(self.entry(n) for n in (lines[-1], lines[0]))  # what looks wrong and is not
        clean = self.entry(None)
        evidence: tuple[str, ...] = (self.pair.telling(self.defective),)
        if self.pair.context is not None:
            evidence = (*evidence, self.pair.context.telling)
        wrong = (clean, *elsewhere) if self.defective else elsewhere
        partial = None if self.pair.context is None else clean
        return Item(self.line, evidence, self.right, wrong, partial=partial, draft=self.defective)


@dataclass(frozen=True)
class Case:
    """``drafts``: in the order in which they stand in the statement."""

    drafts: tuple[Draft, ...]

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What an entry may call a draft, in normal form (its label, its path, the line that asks about it) → label."""
        return {normalise(name): d.label for d in self.drafts for name in (d.label, d.pair.file, d.line)}

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """The files that are no drafts, each once, by name."""
        found = {d.pair.context.file: d.pair.context for d in self.drafts if d.pair.context is not None}
        return tuple(found[name] for name in sorted(found))

    @cached_property
    def documents(self) -> tuple[Document, ...]:
        """All files, drafts first."""
        drafts = (Document(d.pair.file, "draft", (d.text,)) for d in self.drafts)
        return (*drafts, *(Document(c.file, "no draft", (c.text.rstrip("\n"),)) for c in self.contexts))

    def key(self) -> list[Mapping[str, Any]]:
        """The perfect deliverable."""
        return [draft.right for draft in self.drafts]
