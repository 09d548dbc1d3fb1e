"""The suite ``jsonl``: a file of one's own, a sample a line (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.jsonl.suite import Jsonl

__all__ = ["Jsonl"]


def __getattr__(name: str) -> Any:
    if name == "Jsonl":
        from tasks.jsonl.suite import Jsonl

        return Jsonl
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
