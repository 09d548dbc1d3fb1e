"""Cost against score, with what the single family buys for the same money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from results.comparison.cells import SINGLE, Cell, Scenario
from results.comparison.comparison import Comparison
from results.comparison.equal import point, shared_samples
from results.comparison.hull import Point, hull
from results.report.document import Picture
from results.report.plots.style import canvas, legend, looks, mark
from results.sheet import Sheet, sheet
from results.stats import mean, spread
from results.writing import NOTHING, counted, usd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CORNER = "corner"
LONGEST = 22
"""Characters of a name in a legend of two columns."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One cell. ``low`` and ``high``: of real runs the 95 % interval of its score, of simulated ones its Monte-Carlo
    standard error to both sides; None where there is none."""

    label: str
    at: Point
    single_family: bool
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Money:
    """``spots``: cells of known cost, on ``samples`` that all of them have. ``corners``: the hull of the single family,
    from its cheapest member to its best. ``absent``: labels of the other cells, each with why it has no place."""

    task: str
    simulated: bool
    samples: int
    clusters: int
    spots: tuple[Spot, ...]
    corners: tuple[Point, ...]
    absent: Mapping[str, str]


def money(comparison: Comparison) -> Money | None:
    """None where no cost is known on samples that its cells share, or the single family has none."""
    scenario = comparison.scenario
    absent = absentees(comparison)
    cells = [c for c in (*scenario.family, *scenario.teams) if c.label not in absent]
    if not any(c.family == SINGLE for c in cells):
        return None
    shared = shared_samples(cells, "usd")
    if not shared.any():
        return None
    spots = tuple(_spot(scenario, c, shared) for c in cells)
    corners = hull([s.at for s in spots if s.single_family])
    clusters = len(scenario.by_cluster(np.where(shared, 0.0, np.nan)))
    return Money(scenario.task, scenario.simulated, int(shared.sum()), clusters, spots, corners, absent)


def absentees(comparison: Comparison) -> dict[str, str]:
    """Every cell without a place in the picture → why."""
    scenario = comparison.scenario
    found = {}
    for cell in scenario.cells:
        why = []
        if cell.ablate:
            why.append(f"an ablation ({cell.ablate})")
        elif cell not in (*scenario.family, *scenario.teams):
            why.append(f"no sample in common with {comparison.single.label}")
        if cell.missing:
            why.append(f"{cell.missing:,} of {counted(cell.runs + cell.missing, 'run')} missing")
        if cell.unpriced:
            why.append(f"cost of {counted(cell.unpriced, 'run')} unknown")
        if why:
            found[cell.label] = ", ".join(why)
    return found


def no_picture(comparison: Comparison) -> str:
    """A sentence for where there is none."""
    why = absent_said(absentees(comparison)) or "no sample of known cost that all cells share"
    return f"No picture of cost against score: {why}."


def absent_said(absent: Mapping[str, str]) -> str:
    """The cells that are not shown, and why."""
    return "; ".join(f"{label} ({why})" for label, why in absent.items())


def _spot(scenario: Scenario, cell: Cell, shared: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Spot:
    at = point(scenario, cell, "usd", shared)
    values = scenario.by_cluster(np.where(shared, cell.values["score"], np.nan)).tolist()
    low = high = None
    if scenario.simulated:
        error = spread(values)
        low, high = (None, None) if error is None else (at.score - error, at.score + error)
    else:
        interval = mean(values, scores=True).interval
        low, high = (None, None) if interval is None else (interval.low, interval.high)
    return Spot(cell.label, at, cell.family == SINGLE, low, high)


def spread_name(simulated: bool) -> str:
    """What the whiskers are."""
    return "± Monte-Carlo standard error" if simulated else "95 % interval"


def picture(found: Money, name: str, where: str = "") -> Picture:
    """``where``: the setting, where there are several."""
    caption = (
        "Mean cost and score a sample. Filled marks are the single family, hollow ones teams. The line is what one "
        "agent buys for the money, choosing among its family: a team below it is worse than one agent that may spend "
        f"as much. Whiskers: {spread_name(found.simulated)} of the score."
    )
    told = "; ".join(f"{s.label} USD {usd(s.at.usd)}, score {s.at.score:.3f}" for s in found.spots)
    alt = f"Cost against score on {found.task}. {told}."
    if found.absent:
        caption += f" Not shown: {absent_said(found.absent)}."
        alt += f" Not shown: {absent_said(found.absent)}."
    return Picture(name, caption, alt, (table(found),), lambda: draw(found, where))


def _clusters(found: Money) -> str:
    return f"{counted(found.clusters, 'cluster')} of {counted(found.samples, 'sample')}"


def table(found: Money) -> Sheet:
    title = f"Cost and score on {found.task}, means over {_clusters(found)}"
    columns = ["USD a sample", "score", spread_name(found.simulated), "family", "on the family's line"]
    made = sheet(title, found.simulated, "topology", columns)
    corners = {p.cell_id for p in found.corners}
    for spot in found.spots:
        family = "single" if spot.single_family else "team"
        known = spot.low is not None and spot.high is not None
        error = NOTHING
        if known:
            error = f"± {spot.high - spot.at.score:.3f}" if found.simulated else f"{spot.low:.3f} to {spot.high:.3f}"  # type: ignore[operator]
        line = CORNER if spot.at.cell_id in corners else NOTHING
        made.add(spot.label, [usd(spot.at.usd), f"{spot.at.score:.3f}", error, family, line])
    if found.absent:
        made.notes.append(f"not shown: {absent_said(found.absent)}")
    return made


def draw(found: Money, where: str = "") -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    height = 3.3 + 0.2 * ((len(found.spots) + 1) // 2)
    figure, (axes,) = canvas(
        " · ".join(filter(None, ("Cost against score", found.task, where))), found.simulated, height
    )
    most = max(s.at.usd for s in found.spots) * 1.12 or 1.0
    line = [(p.usd, p.score) for p in found.corners]
    line.append((most, line[-1][1]))
    axes.plot([x for x, _ in line], [y for _, y in line], color="black", linestyle=(0, (4, 2)), linewidth=1.6,
              gid="hull", zorder=2)  # fmt: skip
    handles, names = [], []
    for spot, look in zip(found.spots, looks(s.label for s in found.spots).values(), strict=True):
        if spot.low is not None and spot.high is not None:
            axes.plot([spot.at.usd] * 2, [spot.low, spot.high], color=look.colour, linewidth=1.2, zorder=3)
        axes.plot([spot.at.usd], [spot.at.score], marker=look.marker, markersize=10, color=look.colour, linestyle="",
                  markerfacecolor=look.colour if spot.single_family else "white", markeredgewidth=1.8, zorder=4,
                  gid="spot")  # fmt: skip
        handles.append(mark(look, hollow=not spot.single_family))
        names.append(spot.label)
    axes.set_xlim(0, most)
    axes.set_ylim(-0.03, 1.06)
    axes.set_xlabel("USD a sample, as billed")
    axes.set_ylabel("mean score")
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.4g}"))
    handles.append(Line2D([], [], color="black", linestyle=(0, (4, 2)), linewidth=1.6))
    names.append("best of the family")
    for label in found.absent:
        handles.append(Line2D([], [], linestyle=""))
        names.append(f"not shown: {label}")
    legend(figure, handles, names, 2 if max(map(len, names)) <= LONGEST else 1)
    return figure
