"""A cell against the single family at equal money, and at equal quality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from results.comparison.cells import Cell, Scenario, Values
from results.comparison.contrast import Difference, Quotient, difference, quotient
from results.comparison.hull import Mixture, Point, at_cost, at_score, hull
from results.stats.mean import PSEUDO


@dataclass(frozen=True, slots=True)
class Equal:
    """``score``: this cell − the family's hull at this cell's mean cost (iso-cost). ``money``: this cell's cost / what
    the hull takes for this cell's score (iso-quality); None where the family does not reach it. ``at_cost`` and
    ``at_score``: which members these are. ``point``: the cell itself; ``corners``: the hull.

    The intervals know that the members, their costs and their scores were measured on the same samples: the hull is
    linearised where it is met, so that a sample's influence is its own score against the mixture's, less the slope
    times its own cost against the mixture's. That the best members were picked by the same data makes the hull look
    better than it is, which is to the family's favour.
    """

    point: Point
    corners: tuple[Point, ...]
    score: Difference
    at_cost: Mixture
    money: Quotient | None
    at_score: Mixture | None


def equal(scenario: Scenario, cell: Cell, cost: str = "usd") -> Equal | None:
    """``cost``: ``usd`` (as billed) or ``uncached_usd``. Members of the family without a known cost are not considered;
    None where none is left, or the cell's own cost is unknown."""
    members = [c for c in scenario.family if c is not cell]
    known = [c for c in members if not np.isnan(c.values[cost][c.has]).all()]
    shared = shared_samples([cell, *known], cost)
    if not known or not shared.any():
        return None
    points = [point(scenario, c, cost, shared) for c in known]
    mine, corners = point(scenario, cell, cost, shared), hull(points)
    bought, reached = at_cost(corners, mine.usd), at_score(corners, mine.score)

    def mixed(metric: str, mixture: Mixture) -> Values:
        """A sample's value of the mixture, NaN where not all have one."""
        low, high = (scenario.cell(p.cell_id).values[metric] for p in (mixture.low, mixture.high))
        return np.where(shared, low + mixture.weight * (high - low), np.nan)

    def against(mixture: Mixture) -> tuple[Values, Values]:
        """Score and cost of each sample, this cell − the mixture."""
        return cell.values["score"] - mixed("score", mixture), cell.values[cost] - mixed(cost, mixture)

    gained, paid = against(bought)
    influence = gained - bought.slope * paid
    found = difference(scenario, influence, np.zeros_like(influence), pseudo=PSEUDO)
    assert found is not None  # there are shared samples
    found = Difference(
        found.value, mine.score, mine.score - found.value, *(getattr(found, f) for f in Difference.__slots__[3:])
    )
    money = None
    if reached is not None:
        gained, _ = against(reached)
        spent = mixed(cost, reached) + (gained / reached.slope if reached.slope else 0.0)
        money = quotient(scenario, np.where(shared, cell.values[cost], np.nan), spent)
    return Equal(mine, corners, found, bought, money, reached)


def shared_samples(cells: Sequence[Cell], cost: str) -> npt.NDArray[np.bool_]:
    """The samples of which every cell has a score and a known cost."""
    shared: npt.NDArray[np.bool_] = np.logical_and.reduce([c.has & ~np.isnan(c.values[cost]) for c in cells])
    return shared


def point(scenario: Scenario, cell: Cell, cost: str, samples: npt.NDArray[np.bool_]) -> Point:
    """A cell's mean cost and score over clusters of these samples."""
    usd, score = (float(scenario.by_cluster(np.where(samples, cell.values[m], np.nan)).mean()) for m in (cost, "score"))
    return Point(cell.cell_id, usd, score)
