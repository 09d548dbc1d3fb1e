"""The suite ``monthly_figures``: one year's monthly amounts out of messy papers (see README.md beside this file)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tasks.monthly_figures.suite import MonthlyFigures

__all__ = ["MonthlyFigures"]


def __getattr__(name: str) -> Any:
    if name == "MonthlyFigures":
        from tasks.monthly_figures.suite import MonthlyFigures

        return MonthlyFigures
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
