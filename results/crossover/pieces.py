"""Curves made of pieces of degree two at most, whose sums, limits and crossings are worked out, not searched."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Coefficients: TypeAlias = tuple[float, float, float]
"""c0 + c1·n + c2·n²."""
SAME = 1e-9
"""Values that differ by less than this share of the larger one are equal: nothing but rounding tells them apart."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """``parts[i]`` holds between ``edges[i - 1]`` and ``edges[i]``; the first and the last go on for ever."""

    edges: tuple[float, ...]
    parts: tuple[Coefficients, ...]

    def __call__(self, size: float) -> float:
        return _value(self._part(size), size)

    def _part(self, size: float) -> Coefficients:
        return self.parts[bisect_right(self.edges, size)]

    def times(self, factor: float) -> Pieces:
        """Each value times ``factor``."""
        return Pieces(self.edges, tuple((a * factor, b * factor, c * factor) for a, b, c in self.parts))

    def plus(self, other: Pieces) -> Pieces:
        """The sum of both at every size."""
        edges = tuple(sorted({*self.edges, *other.edges}))
        parts = []
        for inside in _insides(edges):
            (a, b, c), (d, e, f) = self._part(inside), other._part(inside)
            parts.append((a + d, b + e, c + f))
        return Pieces(edges, tuple(parts))

    def within(self, low: float, high: float) -> Pieces:
        """Values below ``low`` or above ``high`` replaced by these."""
        borders = set(self.edges)
        for bound in (low, high):
            if math.isfinite(bound):
                borders |= set(meetings(self, constant(bound)))
        edges = tuple(sorted(borders))
        parts = []
        for inside in _insides(edges):
            value = self(inside)
            parts.append(self._part(inside) if low <= value <= high else (min(max(value, low), high), 0.0, 0.0))
        return Pieces(edges, tuple(parts))


def constant(value: float) -> Pieces:
    return Pieces((), ((value, 0.0, 0.0),))


def joined(sizes: Sequence[float], values: Sequence[float]) -> Pieces:
    """Straight lines between neighbouring points (sizes ascending, one at least); flat beyond their ends."""
    parts: list[Coefficients] = [(values[0], 0.0, 0.0)]
    for (x, y), (x2, y2) in pairwise(zip(sizes, values, strict=True)):
        slope = (y2 - y) / (x2 - x)
        parts.append((y - slope * x, slope, 0.0))
    parts.append((values[-1], 0.0, 0.0))
    return Pieces(tuple(sizes), tuple(parts))


def meetings(one: Pieces, other: Pieces) -> list[float]:
    """Sizes at which two curves have the same value, ascending; none for a stretch that they share."""
    difference = one.plus(other.times(-1.0))
    ends = [-math.inf, *difference.edges, math.inf]
    found = {
        root
        for (low, high), part in zip(pairwise(ends), difference.parts, strict=True)
        for root in _roots(part)
        if low <= root <= high
    }
    return sorted(found)


def best(curves: Sequence[Pieces], low: float, high: float) -> list[tuple[float, float, int]]:
    """(from, to, number of the curve that is highest there), without gaps; of equals the first."""
    borders = {low, high}
    for number, curve in enumerate(curves):
        borders |= {edge for edge in curve.edges if low < edge < high}
        for other in curves[:number]:
            borders |= {size for size in meetings(curve, other) if low < size < high}
    found: list[tuple[float, float, int]] = []
    for start, end in pairwise(_apart(borders, high)):
        number = highest([curve((start + end) / 2) for curve in curves])
        if found and found[-1][2] == number:
            start = found.pop()[0]
        found.append((start, end, number))
    return found


def _apart(borders: Iterable[float], last: float) -> list[float]:
    """In order, without those that rounding alone tells from the one before; the last stays what it is."""
    kept: list[float] = []
    for border in sorted(borders):
        if not kept or border - kept[-1] > SAME * max(abs(border), abs(kept[-1])):
            kept.append(border)
    kept[-1] = last
    return kept


def highest(values: Sequence[float]) -> int:
    """The number of the highest; of equals the first."""
    top = max(values)
    return next(i for i, value in enumerate(values) if top - value <= SAME * max(abs(top), abs(value)))


def _value(part: Coefficients, size: float) -> float:
    a, b, c = part
    return a + size * (b + size * c)


def _insides(edges: Sequence[float]) -> list[float]:
    """A size inside each piece."""
    if not edges:
        return [0.0]
    return [edges[0] - 1.0, *((low + high) / 2 for low, high in pairwise(edges)), edges[-1] + 1.0]


def _roots(part: Coefficients) -> list[float]:
    """Of a + b·n + c·n² = 0, by the form that loses no digits."""
    a, b, c = part
    if c == 0.0:
        return [] if b == 0.0 else [-a / b]
    under = b * b - 4.0 * a * c
    if under < 0.0:
        return []
    q = -(b + math.copysign(math.sqrt(under), b)) / 2.0
    return [0.0] if q == 0.0 else [q / c, a / q]
