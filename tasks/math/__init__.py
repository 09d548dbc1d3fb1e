"""The suite ``math``: word problems with one number for an answer (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.math.suite import Math

__all__ = ["Math"]


def __getattr__(name: str) -> Any:
    if name == "Math":
        from tasks.math.suite import Math

        return Math
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
