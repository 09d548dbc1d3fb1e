"""What an invariant is."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from results.columns import Columns, Mask

Frame: TypeAlias = Columns

__all__ = ["Frame", "Invariant", "Mask", "differ", "usd_differs"]


@dataclass(frozen=True, slots=True)
class Invariant:
    """``broken`` marks the rows of one prepared frame (``results.invariants.prepared``) that break the rule.

    The function's name is the invariant's name, the first line of its docstring what must hold. ``shows``: the columns
    whose values go into the report.
    """

    frame: str
    broken: Callable[[Frame], Mask]
    shows: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.broken.__name__

    @property
    def says(self) -> str:
        return (self.broken.__doc__ or "").strip().splitlines()[0]


def differ(rows: Frame, left: str, right: str) -> Mask:
    """Whether two integers that may be unknown are not the same: both unknown is the same, one is not."""
    one, other = rows.unknown(left), rows.unknown(right)
    off: Mask = rows[left] != rows[right]
    return (one != other) | (~one & ~other & off)


def usd_differs(rows: Frame, usd: str, pusd: str) -> Mask:
    """Whether a float in USD is not the integer in pUSD divided by 10¹² (to the 12th digit)."""
    exact = rows[pusd] / 1e12
    off: Mask = np.abs(rows[usd] - exact) > 1e-12 * np.abs(exact)
    one, other = rows.unknown(usd), rows.unknown(pusd)
    return (one != other) | (~one & ~other & off)
