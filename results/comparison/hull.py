"""What money buys from one agent: the upper concave hull of the single family in cost and score.

A point between two members is bought by choosing between them at random, sample by sample; nothing cheaper than the
cheapest member is for sale, and more money than the best member costs buys no more than its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Point:
    """A cell's means over the same samples. ``usd``: a sample."""

    cell_id: str
    usd: float
    score: float


@dataclass(frozen=True, slots=True)
class Mixture:
    """``weight`` of ``high`` and the rest of ``low`` (the same member where one alone is meant). ``slope``: score a USD
    along the hull there, 0 beyond its ends. ``dearer``: it costs more than was asked for, since nothing costs less."""

    low: Point
    high: Point
    weight: float
    slope: float
    dearer: bool = False

    @property
    def usd(self) -> float:
        return self.low.usd + self.weight * (self.high.usd - self.low.usd)

    @property
    def score(self) -> float:
        return self.low.score + self.weight * (self.high.score - self.low.score)


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """The corners from the cheapest point to the best one, both costs and scores rising. Of equals, the first."""
    corners: list[Point] = []
    for point in sorted(points, key=lambda p: (p.usd, -p.score)):
        if corners and point.score <= corners[-1].score:
            continue
        while len(corners) > 1 and _below(corners[-2], corners[-1], point):
            corners.pop()
        corners.append(point)
    return tuple(corners)


def at_cost(corners: Sequence[Point], usd: float) -> Mixture:
    """The best that costs no more, in the mean; the cheapest corner where all cost more."""
    if usd < corners[0].usd:
        return Mixture(corners[0], corners[0], 0.0, 0.0, dearer=True)
    for low, high in pairwise(corners):
        if usd < high.usd:
            return _between(low, high, (usd - low.usd) / (high.usd - low.usd))
    return Mixture(corners[-1], corners[-1], 0.0, 0.0)


def at_score(corners: Sequence[Point], score: float) -> Mixture | None:
    """The cheapest that scores no less, in the mean; None where no corner reaches it."""
    if score <= corners[0].score:
        return Mixture(corners[0], corners[0], 0.0, 0.0)
    for low, high in pairwise(corners):
        if score <= high.score:
            return _between(low, high, (score - low.score) / (high.score - low.score))
    return None


def front(points: Sequence[Point]) -> frozenset[str]:
    """The cells that no other beats: none scores as much for less money, or more for as much."""
    return frozenset(
        p.cell_id
        for p in points
        if not any(q.usd <= p.usd and q.score >= p.score and (q.usd, q.score) != (p.usd, p.score) for q in points)
    )


def _between(low: Point, high: Point, weight: float) -> Mixture:
    return Mixture(low, high, weight, (high.score - low.score) / (high.usd - low.usd))


def _below(first: Point, middle: Point, last: Point) -> bool:
    """Whether the middle corner is on or under the line from first to last."""
    rise = (middle.score - first.score) * (last.usd - first.usd)
    return rise <= (last.score - first.score) * (middle.usd - first.usd)
