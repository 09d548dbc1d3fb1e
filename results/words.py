"""The words of the contract that a run's row may have."""

from __future__ import annotations

STATUSES = frozenset({"ok", "limit", "timeout", "failed", "error"})
GRADED = frozenset({"ok", "limit", "timeout"})
"""Of these a run has an answer, or a part of one, to grade."""
FAMILIES = frozenset({"single", "team"})
