"""Tokens by purpose, stacked for each topology, with the total of the single agent as a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.accounting.purposes import CLASS_OF, Purpose
from results.report.document import Picture
from results.report.plots.style import MOST_BARS, PURPOSES, canvas, counts, end_label, legend, only, patch, rows
from results.sheet import Sheet, sheet
from results.summary import Group
from results.writing import NOTHING, count

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Bar:
    """One cell. ``tokens``: purpose → tokens of all its runs (content view); ``single``: the total of the ``single``
    cell that it is compared with and ``single_runs`` its runs, None where there is none."""

    label: str
    runs: int
    tokens: Mapping[str, int]
    single: int | None
    single_runs: int | None

    @property
    def total(self) -> int:
        return sum(self.tokens.values())


@dataclass(frozen=True, slots=True)
class Stack:
    task: str
    simulated: bool
    bars: tuple[Bar, ...]

    @property
    def purposes(self) -> tuple[str, ...]:
        """Those that anything was spent on, in the order of the cost model."""
        return tuple(p for p in PURPOSES if any(bar.tokens.get(p) for bar in self.bars))

    @property
    def uneven(self) -> bool:
        """Whether the sums are of different numbers of runs."""
        return len({bar.runs for bar in self.bars}) > 1


def stack(group: Group) -> Stack:
    """Every cell of a group, in its order."""
    against = {y.cell_id: y.single_cell_id for y in group.yardsticks}
    against |= {single: single for single in against.values()}
    totals = {row.cell_id: (row.tokens, row.runs) for row in group.rows}
    bars = [
        Bar(row.label, row.runs, row.purposes.content.tokens, *totals.get(against.get(row.cell_id, ""), (None, None)))
        for row in group.rows
    ]
    return Stack(group.task, group.simulated, tuple(bars))


def picture(found: Stack, name: str) -> Picture:
    caption = (
        "Tokens of all runs, by what they were spent on: work in blue, coordination from yellow to red, verification "
        "in green. The dashed line is the total of the single agent in the same setting."
    )
    if found.uneven:
        caption = caption.replace("Tokens of all runs", "Tokens a run", 1).replace("the total of", "that of", 1)
        caption += " Topologies differ in their number of runs here: the table has their totals."
    caption += only(len(found.bars))
    totals = "; ".join(f"{bar.label} {count(bar.total)} in {count(bar.runs)} runs" for bar in found.bars)
    alt = f"Stacked bars of tokens by purpose on {found.task}, one a topology. Totals: {totals}."
    return Picture(name, caption, alt, (table(found),), lambda: draw(found))


def table(found: Stack) -> Sheet:
    """The figures of the picture: purposes down, cells across."""
    title = f"Tokens by purpose on {found.task}, content view, all runs"
    made = sheet(title, found.simulated, "purpose (class)", [bar.label for bar in found.bars])
    for purpose in found.purposes:
        cells = [count(bar.tokens[purpose]) if bar.tokens.get(purpose) else NOTHING for bar in found.bars]
        made.add(f"{purpose} ({CLASS_OF[Purpose(purpose)]})", cells)
    made.rule()
    made.add("total", [count(bar.total) for bar in found.bars])
    made.add("runs", [count(bar.runs) for bar in found.bars])
    made.add("tokens a run", [count(round(bar.total / bar.runs)) for bar in found.bars])
    singles = [NOTHING if bar.single is None else count(bar.single) for bar in found.bars]
    made.add("single's total (the line)", singles)
    return made


def draw(found: Stack) -> Figure:
    from matplotlib.lines import Line2D

    a_run = found.uneven
    found = replace(found, bars=found.bars[:MOST_BARS])
    purposes = found.purposes
    height = 1.1 + 0.52 * len(found.bars) + 0.2 * (len(purposes) // 3 + 1)
    figure, (axes,) = canvas(f"Tokens by purpose · {found.task}", found.simulated, height)
    for number, bar in enumerate(found.bars):
        start, share = 0.0, bar.runs if a_run else 1
        for purpose in purposes:
            tokens, look = bar.tokens.get(purpose, 0) / share, PURPOSES[purpose]
            if tokens:
                axes.barh(number, tokens, 0.68, start, color=look.colour, hatch=look.hatch, edgecolor="black",
                          linewidth=0.6, label=purpose)  # fmt: skip
            start += tokens
        end_label(axes, count(round(bar.total / share)), start, number)
    most = max((bar.total / (bar.runs if a_run else 1) for bar in found.bars), default=0)
    axes.set_xlim(0, max(most, 1) * 1.3)
    at = [
        None if b.single is None or not b.single_runs else b.single / (b.single_runs if a_run else 1)
        for b in found.bars
    ]
    singles = set(at)
    if len(singles) == 1:  # the same for all: one line from top to bottom
        lines = [(next(iter(singles)), -0.55, len(found.bars) - 0.45)]
    else:
        lines = [(single, number - 0.45, number + 0.45) for number, single in enumerate(at)]
    for single, top, bottom in lines:
        if single is not None:
            axes.plot([single] * 2, [top, bottom], color="black", linestyle=(0, (4, 2)), linewidth=1.8, gid="single")
    rows(axes, [bar.label for bar in found.bars])
    counts(axes, "tokens a run" if a_run else "tokens")
    handles, names = [patch(PURPOSES[p]) for p in purposes], list(purposes)
    if singles - {None}:
        handles.append(Line2D([], [], color="black", linestyle=(0, (4, 2)), linewidth=1.8))
        names.append("single's, a run" if a_run else "single's total")
    legend(figure, handles, names)
    return figure
