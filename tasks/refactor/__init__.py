"""The suite ``refactor``: files that must change together and agree on what is left open (see README.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.refactor.suite import Refactor

__all__ = ["Refactor"]


def __getattr__(name: str) -> Any:
    if name == "Refactor":
        from tasks.refactor.suite import Refactor

        return Refactor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
