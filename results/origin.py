"""Whose rows these are: our own, or brought in from elsewhere by ``python -m results import``."""

from __future__ import annotations

from results.columns import Columns, Mask

IMPORTED = "imported"
"""``harness_version`` and ``grader`` of a run that another harness made. What it was spent on, by whom and when is not
known: its one call has the purpose ``unknown``, no times, and, where no tokens were recorded, no usage."""


def imported(runs: Columns) -> Mask:
    """Which of these runs are; they need ``harness_version``."""
    return runs.texts("harness_version").equal(IMPORTED)
