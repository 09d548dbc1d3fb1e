"""A cell against the single family at equal money, and at equal quality."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from results.comparison.cells import Cell, Scenario, Values, assumed
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
    """``cost``: ``usd`` (as billed) or ``uncached_usd``. Samples of unknown cost stay in: this cell's take as much as
    its dearest, the family's nothing; its missing runs have failed, those of the family solved all. Members without any
    known cost are not considered; None where none is left, or no cost of the cell is known."""
    costs = {c.cell_id: assumed(c.values[cost], c.has, dear=c is cell) for c in (*scenario.family, cell)}
    own = costs[cell.cell_id]
    known = [c for c in scenario.family if c is not cell and costs[c.cell_id] is not None]
    shared: npt.NDArray[np.bool_] = np.logical_and.reduce([c.has for c in (cell, *known)])
    if own is None or not known or not shared.any():
        return None

    def scores(cell_id: str) -> Values:
        return scenario.cell(cell_id).scores(at_best=cell_id != cell.cell_id)

    def paid_by(cell_id: str) -> Values:
        return np.asarray(costs[cell_id])

    def at(cell_id: str) -> Point:
        paid, scored = (scenario.by_cluster(np.where(shared, v, np.nan)) for v in (paid_by(cell_id), scores(cell_id)))
        return Point(cell_id, float(paid.mean()), float(scored.mean()))

    mine, corners = at(cell.cell_id), hull([at(c.cell_id) for c in known])
    bought, reached = at_cost(corners, mine.usd), at_score(corners, mine.score)

    def mixed(values: Callable[[str], Values], mixture: Mixture) -> Values:
        """A sample's value of the mixture, NaN where not all have one."""
        low, high = (values(p.cell_id) for p in (mixture.low, mixture.high))
        return np.where(shared, low + mixture.weight * (high - low), np.nan)

    def against(mixture: Mixture) -> tuple[Values, Values]:
        """Score and cost of each sample, this cell − the mixture."""
        return cell.values["score"] - mixed(scores, mixture), own - mixed(paid_by, mixture)

    gained, paid = against(bought)
    influence = gained - bought.slope * paid
    found = difference(scenario, influence, np.zeros_like(influence), pseudo=PSEUDO)
    assert found is not None  # there are shared samples
    found = replace(found, one=mine.score, other=mine.score - found.value)
    money = None
    if reached is not None:
        gained, _ = against(reached)
        spent = mixed(paid_by, reached) + (gained / reached.slope if reached.slope else 0.0)
        money = quotient(scenario, np.where(shared, own, np.nan), spent)
    return Equal(mine, corners, found, bought, money, reached)


def shared_samples(cells: Sequence[Cell], cost: str) -> npt.NDArray[np.bool_]:
    """The samples of which every cell has a score and a known cost."""
    shared: npt.NDArray[np.bool_] = np.logical_and.reduce([c.has & ~np.isnan(c.values[cost]) for c in cells])
    return shared


def point(scenario: Scenario, cell: Cell, cost: str, samples: npt.NDArray[np.bool_]) -> Point:
    """A cell's mean cost and score over clusters of these samples."""
    usd, score = (float(scenario.by_cluster(np.where(samples, cell.values[m], np.nan)).mean()) for m in (cost, "score"))
    return Point(cell.cell_id, usd, score)
