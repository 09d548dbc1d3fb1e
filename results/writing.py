"""How figures are written, wherever they are shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from results.summary import Cost

NOTHING = "-"


def count(value: int) -> str:
    """Whole numbers with thousands separators."""
    return f"{value:,}"


def counted(value: int, one: str, many: str | None = None) -> str:
    """A number of things with their noun: ``1 run``, ``12 runs``. ``many``: of more than one, and of none, where it is
    not ``one`` with an s."""
    return f"{count(value)} {one if value == 1 else many or f'{one}s'}"


def usd(value: float | None) -> str:
    """An amount in USD to four significant digits, and to the cent at least; ``unknown`` is never 0."""
    if value is None:
        return "unknown"
    if not value:
        return "0"
    return f"{value:,.{max(2, 3 - math.floor(math.log10(abs(value))))}f}"


def cost(value: Cost) -> str:
    """A cost that may be a lower bound only."""
    return usd(value.usd) if value.complete or value.usd is None else f"≥ {usd(value.usd)} (incomplete)"


def percent(fraction: float | None) -> str:
    return NOTHING if fraction is None else f"{100 * fraction:.1f} %"
