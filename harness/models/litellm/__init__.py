"""Any provider's model through litellm, with litellm's prices. The package of that name is imported when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.models.litellm.model import LiteLLMModel

__all__ = ["LiteLLMModel"]


def __getattr__(name: str) -> Any:
    if name == "LiteLLMModel":
        from harness.models.litellm.model import LiteLLMModel

        return LiteLLMModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
