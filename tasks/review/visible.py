"""Visible tests: what anybody who sees the drafts can say against an answer, without the key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tasks.common.entries import entries_in
from tasks.common.texts import normalise
from tasks.review.cases import CLEAN, DEFECT, NAMING, PLACE, verdict_of
from tasks.review.places import MOST_LINES, spans


@dataclass(frozen=True)
class VisibleTests:
    """``drafts``: (label, path, text) of each. Every draft needs one entry with one of the two verdicts, and for a
    defect a place that stands in it (``harness.suite.VisibleTests``)."""

    drafts: tuple[tuple[str, str, str], ...]

    async def __call__(self, answer: str) -> Sequence[str]:
        """What fails, one sentence each."""
        entries = list(entries_in(answer))
        if not entries:
            return ["the answer holds no JSON array of objects"]
        failures = []
        for label, path, text in self.drafts:
            given = [e for e in entries if isinstance(e.get(NAMING), str) and normalise(e[NAMING]) == normalise(label)]
            if len(given) != 1:
                failures.append(f"{len(given)} entries instead of one for {label}")
                continue
            verdict, where = verdict_of(given[0]), given[0].get(PLACE)
            if verdict is None:
                failures.append(f"the verdict on {label} is neither '{DEFECT}' nor '{CLEAN}'")
            elif verdict == DEFECT and not spans(text, where, path):
                failures.append(
                    f"what is said to be wrong in {label} is no line of {path}, nor up to {MOST_LINES} in a row"
                )
        return failures
