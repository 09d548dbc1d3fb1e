"""Which choice is best at which size: what was measured, and what the fitted curves say in between and beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from results.crossover.sheets import BEST, sheets, size
from results.crossover.tables import Crossing, Crossover, Verdict
from results.report.document import Picture
from results.report.plots.style import LIGHT_GREY, Look, canvas, legend, looks, patch, rows
from results.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEEP = 8
"""Largest size over smallest, from which the axis is logarithmic."""
TABLES = 2
"""The winners at each size, and where the best choice changes, come first of the tables of a sweep."""


def tables(found: Crossover) -> tuple[Sheet, ...]:
    """All of them."""
    return tuple(s for s in sheets(found) if isinstance(s, Sheet))


def picture(found: Crossover, name: str) -> Picture:
    caption = (
        f"A row is a way to say what is best. Bars: the choice that the fitted curves call best over {found.by}. "
        "Marks: the choice that was measured best at a size, hollow where the second may as well be the best. "
        "Grey ground: sizes beyond the measured ones, where a change (dashed) is extrapolated."
    )
    told = []
    for verdict in found.verdicts:
        at = [
            f"{c.below} to {c.above} at {size(c.size)}{' (extrapolated)' if c.extrapolated else ''}"
            for c in verdict.crossings
        ]
        told.append(f"{_name(verdict)}: {', '.join(at) or 'no change'}")
    alt = f"Map of the best choice over {found.by} on {found.task}. {'; '.join(told)}."
    return Picture(name, caption, alt, tables(found)[:TABLES], lambda: draw(found))


def draw(found: Crossover) -> Figure:
    from matplotlib.lines import Line2D
    from matplotlib.ticker import FuncFormatter, NullLocator

    look_of = looks(c.label for c in found.choices)
    height = 1.2 + 0.62 * len(found.verdicts) + 0.2 * ((len(found.choices) + 3) // 2)
    figure, (axes,) = canvas(f"Best choice over {found.by} · {found.task}", found.simulated, height)
    for number, verdict in enumerate(found.verdicts):
        _row(axes, number, verdict, look_of)
    ends = (found.sizes[0], found.sizes[-1])
    beyond = [c.size for v in found.verdicts for c in v.crossings if c.extrapolated]
    low, high = min((*ends, *beyond)), max((*ends, *beyond))
    steep = low > 0 and high / low >= STEEP
    axes.set_xscale("log" if steep else "linear")
    left, right = (low / 1.15, high * 1.15) if steep else (low - 0.05 * (high - low), high + 0.05 * (high - low))
    for start, end in ((left, ends[0]), (ends[1], right)):
        axes.axvspan(start, end, facecolor=LIGHT_GREY, alpha=0.6, zorder=0, linewidth=0)
    axes.set_xlim(left, right)
    shown = [*found.sizes] if len(found.sizes) < 7 else [found.sizes[i] for i in range(0, len(found.sizes), 2)]
    axes.set_xticks(shown)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size(value)))
    rows(axes, [_name(v) for v in found.verdicts])
    axes.set_xlabel(found.by)
    handles: list[Any] = [patch(look_of[c.label]) for c in found.choices]
    names = [c.label for c in found.choices]
    measured = {w.choice for v in found.verdicts for w in v.winners}
    for choice in found.choices:
        if choice.label in measured:
            look = look_of[choice.label]
            handles.append(Line2D([], [], linestyle="", marker=look.marker, color="black", markersize=7))
            names.append(f"{choice.label} measured best")
    legend(figure, handles, names, 1 if max(map(len, names)) > 22 else 2)
    return figure


def _name(verdict: Verdict) -> str:
    return BEST[verdict.criterion].replace("\n", " ")


def _row(axes: Axes, number: int, verdict: Verdict, look_of: dict[str, Look]) -> None:
    for stretch in verdict.stretches:
        look = look_of[stretch.choice]
        axes.barh(number, stretch.high - stretch.low, 0.42, stretch.low, color=look.colour, hatch=look.hatch,
                  edgecolor="black", linewidth=0.6, label=stretch.choice, zorder=2)  # fmt: skip
    for winner in verdict.winners:
        fill = "white" if winner.close else "black"
        axes.plot([winner.size], [number - 0.33], marker=look_of[winner.choice].marker, color="black", markersize=7,
                  markerfacecolor=fill, linestyle="", zorder=4, gid=f"winner {winner.choice}")  # fmt: skip
    for crossing in verdict.crossings:
        _change(axes, number, crossing)


def _change(axes: Axes, number: int, crossing: Crossing) -> None:
    style = (0, (3, 2)) if crossing.extrapolated else "solid"
    axes.plot([crossing.size] * 2, [number - 0.24, number + 0.4], color="black", linewidth=2.2, linestyle=style,
              zorder=5, gid="crossing")  # fmt: skip
