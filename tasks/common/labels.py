"""Parts of samples by their labels: ``b03-2`` is part 2 of sample 3, and a part's line begins with its label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.common.entries import entries_in
from tasks.common.texts import normalise, strip_marker

_LABEL = re.compile(r"([a-z]+)(\d{2,9})-(\d{1,9})")


def label(prefix: str, sample: int, part: int) -> str:
    """The label of one part, the only one of its kind in a suite: ``prefix`` is the suite's letter, parts count from
    1."""
    return f"{prefix}{sample:02d}-{part}"


def place_of(text: str, prefix: str, samples: int, parts: int) -> tuple[int, int] | None:
    """(sample, part), both from 0, whose label a text is; None if it is none of a suite of so many samples with so many
    parts each."""
    found = _LABEL.fullmatch(text)
    if found is None:
        return None
    sample, part = int(found[2]), int(found[3])
    known = sample < samples and 1 <= part <= parts and label(prefix, sample, part) == text
    return (sample, part - 1) if known else None


def entries_by_label(answer: str, naming: str, labels: Iterable[str]) -> tuple[dict[str, list[dict[str, Any]]], int]:
    """Label → the entries of an answer that name it in the field ``naming``, by the label alone or by the line that
    begins with it; and how many entries there are in all."""
    found: dict[str, list[dict[str, Any]]] = {known: [] for known in labels}
    count = 0
    for entry in entries_in(answer):
        count += 1
        named = entry.get(naming)
        if isinstance(named, str):
            found.get(_head(named), []).append(entry)
    return found, count


def _head(line: str) -> str:
    return normalise(strip_marker(line).partition(":")[0]).strip("[]()")


@dataclass(frozen=True)
class OneEntryEach:
    """Visible tests of the form alone (``harness.suite.VisibleTests``): each label has one entry, and that an answer.
    ``naming``, ``telling``: the fields with the label and with the answer."""

    naming: str
    telling: str
    labels: tuple[str, ...]

    async def __call__(self, answer: str) -> list[str]:
        """What fails, one sentence each."""
        given, _ = entries_by_label(answer, self.naming, self.labels)
        told = ((known, self._fault(given[known])) for known in self.labels)
        return [f"{known}: {fault}" for known, fault in told if fault is not None]

    def _fault(self, entries: Sequence[Mapping[str, Any]]) -> str | None:
        if len(entries) != 1:
            return f"{len(entries)} entries instead of one" if entries else "no entry"
        return f"no {self.telling}" if entries[0].get(self.telling) in (None, "") else None
