"""What an invariant is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import pandas as pd

Frame: TypeAlias = pd.DataFrame
Mask: TypeAlias = "pd.Series[bool]"


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


def differ(left: pd.Series[int], right: pd.Series[int]) -> Mask:
    """Whether two nullable integers are not the same: both null is the same, one null is not."""
    one_null: Mask = left.isna() != right.isna()
    return one_null | (left != right).fillna(False).astype(bool)


def usd_differs(usd: pd.Series[float], pusd: pd.Series[int]) -> Mask:
    """Whether a float in USD is not the integer in pUSD divided by 10¹² (to the 12th digit)."""
    exact = pusd.astype("Float64") / 1e12
    off = ((usd - exact).abs() > 1e-12 * exact.abs()).fillna(False).astype(bool)
    return (usd.isna() != pusd.isna()) | off
