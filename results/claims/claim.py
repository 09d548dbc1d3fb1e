"""A claim: what a document says, which cells are needed to look at it, and how it is measured in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from results.claims.picture import CellRows

APART = 0.2
"""Difference from the claimed figure, as a share of it, from which a reason is given."""

Params = Mapping[str, Any]
"""What distinguishes a cell in its sweep, ``topology`` included."""


@dataclass(frozen=True, slots=True)
class Measured:
    """``value``: in the claim's unit. ``parts``: what it is made of, in the same unit; ``ledger``: what else the rows
    say about where it comes from, a clause or two. ``runs``: on which it stands, None: on all of its cells."""

    value: float
    parts: Mapping[str, float]
    ledger: str
    runs: int | None = None


Measure = Callable[[Mapping[str, CellRows]], Measured | None]
"""None: these rows have nothing to measure it by."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A parameter of the simulated model on which a measured figure depends. ``moves``: the names of the cells that it
    changes; the others are taken as they are."""

    key: str
    default: float
    moves: tuple[str, ...]

    @property
    def half(self) -> float:
        return self.default / 2

    @property
    def double(self) -> float:
        return self.default * 2


@dataclass(frozen=True, slots=True)
class Claim:
    """``name`` and ``source`` (document and section); ``says``: the claim in a clause; ``low`` and ``high``: the
    claimed figure, the same where it is one (``high`` infinite: more than ``low``); ``unit``: ``×``, ``%`` or a noun.
    ``parts``: what the source makes the figure up from, in the same unit. ``cells``: a name → the parameters of a cell
    that is needed. ``missing``: what there is not yet, for a claim that cannot be measured."""

    name: str
    source: str
    says: str
    low: float = 0.0
    high: float = 0.0
    unit: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    cells: Mapping[str, Params] = field(default_factory=dict)
    measure: Measure | None = None
    matters: tuple[Matter, ...] = ()
    missing: str = ""

    def differs(self, value: float) -> bool:
        """Whether a measured figure lies more than a fifth outside the claimed one, or does not exceed what is only
        claimed to be exceeded."""
        if math.isinf(self.high):
            return value <= self.low
        return not self.low * (1 - APART) <= value <= self.high * (1 + APART)
