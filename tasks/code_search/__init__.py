"""The suite ``code_search``: questions about a real code base (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.code_search.suite import CodeSearch

__all__ = ["CodeSearch"]


def __getattr__(name: str) -> Any:
    if name == "CodeSearch":
        from tasks.code_search.suite import CodeSearch

        return CodeSearch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
