"""Visible tests: what anybody can say against the form of an answer, without the key and without the documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.common.entries import shown
from tasks.monthly_figures.entries import given, has_two_decimals, has_unit, is_empty, number, of_line, says_missing
from tasks.monthly_figures.problem import MISSING


@dataclass(frozen=True)
class VisibleTests:
    """The visible tests of one sample (``harness.suite.Sample.visible``). ``lines``: (label, company, month) of each
    month; ``unit``: the wanted one. A wrong amount in the right form passes, and so does a wrong ``missing``."""

    lines: tuple[tuple[str, str, str], ...]
    unit: str

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, a sentence each, whatever the text: it holds no array of entries for months; a month has no
        entry, or several; its amount is null, no number, or one without exactly two decimals; its unit is another."""
        found, _ = given(answer)
        if not found:
            return ["the answer holds no JSON array of entries with a month"]
        alone = len({company for _, company, _ in self.lines}) == 1
        told = ((label, self._fault(of_line(found, company, month, alone))) for label, company, month in self.lines)
        return [f"{label}: {fault}" for label, fault in told if fault is not None]

    def _fault(self, entries: Sequence[Mapping[str, Any]]) -> str | None:
        """What is wrong with what is given for one month."""
        if len(entries) != 1:
            return f"{len(entries)} entries instead of one" if entries else "no entry"
        entry = entries[0]
        if is_empty(entry):
            return f'no amount: give a number, or "{MISSING}"'
        if says_missing(entry):
            return None
        if number(entry) is None or not has_two_decimals(entry):
            return f'the amount {shown(entry.get("amount"))!r} is no text with exactly two decimals, nor "{MISSING}"'
        return None if has_unit(entry, self.unit) else f"the unit {shown(entry.get('unit'))!r} is not {self.unit}"
