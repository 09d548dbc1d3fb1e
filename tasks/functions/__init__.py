"""The suite ``functions``: small functions that hidden tests are run on (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.functions.suite import Functions

__all__ = ["Functions"]


def __getattr__(name: str) -> Any:
    if name == "Functions":
        from tasks.functions.suite import Functions

        return Functions
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
