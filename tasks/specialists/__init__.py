"""The suite ``specialists``: rules that only one specialist's brief states (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.specialists.suite import Specialists

__all__ = ["Specialists"]


def __getattr__(name: str) -> Any:
    if name == "Specialists":
        from tasks.specialists.suite import Specialists

        return Specialists
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
