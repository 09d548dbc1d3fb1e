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
class Item:
    """One question. ``right`` and each of ``wrong`` are complete deliverable entries, e.g.
    ``{"question": …, "answer": …, "clause_ref": …}``; the field ``question`` repeats the question's text.
    ``mixups`` are wrong entries that are right for another document: usable only when that document is in the prompt,
    recognised by its own evidence text, ``mixups[i] = (evidence, entry)``. ``places``: where else the same evidence
    stands, ``right``'s own place first, each ``(text that marks the place, the fields of an entry that name it)``; an
    entry then names the place that was really read.
    """

    question: str
    evidence: tuple[str, ...]
    right: Entry
    wrong: tuple[Entry, ...]
    mixups: tuple[tuple[str, Entry], ...] = ()
    places: tuple[tuple[str, Entry], ...] = ()


class Oracle(Protocol):
    """Suite-wide: it holds every question of the suite, not those of one sample."""

    def lookup(self, line: str) -> Item | None:
        """The item whose question is exactly ``line`` after stripping white space and list markers, or None."""
