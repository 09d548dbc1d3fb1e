"""The suite ``modules``: independent functions in as many modules (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.modules.suite import Modules

__all__ = ["Modules"]


def __getattr__(name: str) -> Any:
    if name == "Modules":
        from tasks.modules.suite import Modules

        return Modules
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
