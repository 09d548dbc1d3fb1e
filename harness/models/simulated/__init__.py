"""A model that stands in for a real one when there is no key: it reads the prompt, and errs at declared rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.models.simulated.model import SimulatedModel

__all__ = ["SimulatedModel"]


def __getattr__(name: str) -> Any:
    if name == "SimulatedModel":
        from harness.models.simulated.model import SimulatedModel

        return SimulatedModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
