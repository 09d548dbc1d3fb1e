"""The suite ``briefing``: a report that only whoever asks back can get right (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.briefing.suite import Briefing

__all__ = ["Briefing"]


def __getattr__(name: str) -> Any:
    if name == "Briefing":
        from tasks.briefing.suite import Briefing

        return Briefing
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
