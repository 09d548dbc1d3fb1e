"""A measured figure beside the bound it should hold, and the table of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEADER = ("figure", "measured", "bound", "verdict")


@dataclass(frozen=True, slots=True)
class Figure:
    """``measured`` and ``bound`` in ``unit``; ``bound`` None: there is none, the figure is printed for comparison."""

    name: str
    measured: float
    unit: str
    bound: float | None = None

    @property
    def verdict(self) -> str:
        if self.bound is None:
            return ""
        return "held" if self.measured <= self.bound else "missed"

    def cells(self) -> tuple[str, str, str, str]:
        bound = "" if self.bound is None else f"≤ {_number(self.bound)} {self.unit}"
        return self.name, f"{_number(self.measured)} {self.unit}", bound, self.verdict


def table(figures: Sequence[Figure]) -> list[str]:
    """Aligned lines: a header, a rule, one line a figure in the order given."""
    rows = [HEADER, *(f.cells() for f in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [lines[0], "  ".join("─" * width for width in widths), *lines[1:]]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
