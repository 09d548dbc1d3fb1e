"""What a suite tells the simulated model beside the prompt, and never shows to a topology.

For each question, found by its text in the prompt: the evidence that must really be in the prompt before the answer may
be used, the right entry, and plausible wrong ones. A closed-book item declares its question to be its evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that several items depend on and that is free as long as all decide alike (the name of a field that
    one file writes and another reads). ``name``: of the decision, the same in all its items. ``options``: each ``(text
    that gives the decision away wherever it stands, the item's right entry under it)``, at least two, in the same order
    in all its items."""

    name: str
    options: tuple[tuple[str, Entry], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One question. ``right`` and each of ``wrong`` are complete deliverable entries of the same form, e.g.
    ``{"question": …, "answer": …, "clause_ref": …}``: the first field names the question (by its text or by a label
    that ``Oracle.lookup`` knows), the second says what the answer is, others say more about it.
    ``mixups`` are wrong entries that are right for another document: usable only when that document is in the prompt,
    recognised by its own evidence text, ``mixups[i] = (evidence, entry)``. ``places``: where else the same evidence
    stands, ``right``'s own place first, each ``(text that marks the place, the fields of an entry that name it)``; an
    entry then names the place that was really read. ``partial``: what is answered by whoever holds the first piece of
    evidence and not the rest, and does not know that there is more. ``pieces``: of an answer that is a list, what it is
    made up of, in the same order: each (all texts that prove it, the element), and ``evidence`` is all of these texts;
    who holds the texts of some finds these, and who has divided the material puts together what others found.
    ``choice``: the decision that the answer depends
    on; ``right`` is then the entry under its first option. ``draft``: the question is whether a draft has a defect
    (True: it has one, False: it is clean), so that the odds are a reviewer's. ``field``: whose field the question is,
    by the name or the title of a specialist; None: nobody's in particular.
    """

    question: str
    evidence: tuple[str, ...]
    right: Entry
    wrong: tuple[Entry, ...]
    mixups: tuple[tuple[str, Entry], ...] = ()
    places: tuple[tuple[str, Entry], ...] = ()
    partial: Entry | None = None
    pieces: tuple[tuple[tuple[str, ...], str], ...] = ()
    choice: Choice | None = None
    draft: bool | None = None
    field: str | None = None

    @property
    def naming(self) -> str:
        """The field by which an entry names its question."""
        return next(iter(self.right))

    @property
    def telling(self) -> str:
        """The field that holds the answer itself."""
        return (*self.right, "")[1]


class Oracle(Protocol):
    """Suite-wide: it holds every question of the suite, not those of one sample."""

    def lookup(self, line: str) -> Item | None:
        """The item whose question is exactly ``line``, or whose label it is, after stripping white space and list
        markers; None for any other line."""
