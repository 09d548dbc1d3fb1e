"""A real small model, run here: a GGUF file in a llama.cpp server of our own, with no key and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.models.local.model import LocalModel

__all__ = ["LocalModel"]


def __getattr__(name: str) -> Any:
    if name == "LocalModel":
        from harness.models.local.model import LocalModel

        return LocalModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
