"""The suite ``review``: drafts with and without planted defects, to be judged (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.review.suite import Review

__all__ = ["Review"]


def __getattr__(name: str) -> Any:
    if name == "Review":
        from tasks.review.suite import Review

        return Review
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
