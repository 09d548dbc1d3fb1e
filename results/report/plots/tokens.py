"""Tokens of a run by purpose, stacked for each topology, with those of the single agent as a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.accounting.purposes import CLASS_OF, Purpose
from results.bridge import by_pair
from results.columns import Columns
from results.report.document import Picture
from results.report.plots.style import MOST_BARS, PURPOSES, canvas, counts, end_label, legend, only, patch, rows
from results.sheet import Sheet, sheet
from results.summary import Group
from results.writing import NOTHING, count, counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Bar:
    """One cell. ``tokens``: purpose → tokens of all its ``runs`` (content view); ``single``: tokens a run of the
    ``single`` cell that it is compared with, on the ``pairs`` of runs that both have; None where there are none."""

    label: str
    runs: int
    tokens: Mapping[str, int]
    single: float | None
    pairs: int

    @property
    def total(self) -> int:
        return sum(self.tokens.values())

    @property
    def a_run(self) -> float:
        return self.total / self.runs


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
        """Whether the means are of different numbers of runs."""
        return len({bar.runs for bar in self.bars}) > 1


def stack(group: Group, runs: Columns) -> Stack:
    """Every cell of a group, in its order. ``runs``: the group's."""
    against = {y.cell_id: y.single_cell_id for y in group.yardsticks}
    against |= {single: single for single in against.values()}
    pairs = {cell: by_pair(rows) for (cell,), rows in runs.groups("cell_id")}
    spent = (runs.numbers("prompt_tokens") + runs.numbers("completion_tokens")).tolist()
    tokens = dict(zip(runs.texts("run_id").tolist(), spent, strict=True))
    bars = []
    for row in group.rows:
        mine, its = pairs[row.cell_id], pairs.get(against.get(row.cell_id, ""), {})
        both = mine.keys() & its.keys()
        single = sum(tokens[its[pair]] for pair in both) / len(both) if both else None
        bars.append(Bar(row.label, row.runs, row.purposes.content.tokens, single, len(both)))
    return Stack(group.task, group.simulated, tuple(bars))


def picture(found: Stack, name: str) -> Picture:
    caption = (
        "Tokens of a run, the mean over all runs of a topology, by what they were spent on: work in blue, coordination "
        "from yellow to red, verification in green. The dashed line is what the single agent took in the same setting, "
        "on the samples that both have."
    )
    if found.uneven:
        caption += " n: topologies differ in their number of runs here, and so in the samples that a bar is of."
    caption += only(len(found.bars))
    means = "; ".join(f"{bar.label} {_mean(bar.a_run)} ({counted(bar.runs, 'run')})" for bar in found.bars)
    alt = f"Stacked bars of tokens a run by purpose on {found.task}, one a topology: {means}."
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
    made.add("tokens a run", [_mean(bar.a_run) for bar in found.bars])
    singles = [NOTHING if bar.single is None else _mean(bar.single) for bar in found.bars]
    made.add("single's tokens a run (the line)", singles)
    made.add("on pairs of runs", [count(bar.pairs) if bar.pairs else NOTHING for bar in found.bars])
    return made


def _mean(tokens: float) -> str:
    return count(round(tokens))


def draw(found: Stack) -> Figure:
    from matplotlib.lines import Line2D

    found = replace(found, bars=found.bars[:MOST_BARS])
    purposes = found.purposes
    height = 1.1 + 0.52 * len(found.bars) + 0.2 * (len(purposes) // 3 + 1)
    figure, (axes,) = canvas(f"Tokens of a run by purpose · {found.task}", found.simulated, height)
    for number, bar in enumerate(found.bars):
        start = 0.0
        for purpose in purposes:
            tokens, look = bar.tokens.get(purpose, 0) / bar.runs, PURPOSES[purpose]
            if tokens:
                axes.barh(number, tokens, 0.68, start, color=look.colour, hatch=look.hatch, edgecolor="black",
                          linewidth=0.6, label=purpose)  # fmt: skip
            start += tokens
        end_label(axes, _mean(bar.a_run), start, number)
    most = max((bar.a_run for bar in found.bars), default=0)
    axes.set_xlim(0, max(most, 1) * 1.3)
    singles = {bar.single for bar in found.bars}
    if len(singles) == 1:  # the same for all: one line from top to bottom
        lines = [(next(iter(singles)), -0.55, len(found.bars) - 0.45)]
    else:
        lines = [(bar.single, number - 0.45, number + 0.45) for number, bar in enumerate(found.bars)]
    for single, top, bottom in lines:
        if single is not None:
            axes.plot([single] * 2, [top, bottom], color="black", linestyle=(0, (4, 2)), linewidth=1.8, gid="single")
    rows(axes, [f"{bar.label} n={bar.runs:,}" if found.uneven else bar.label for bar in found.bars])
    counts(axes, "tokens a run")
    handles, names = [patch(PURPOSES[p]) for p in purposes], list(purposes)
    if singles - {None}:
        handles.append(Line2D([], [], color="black", linestyle=(0, (4, 2)), linewidth=1.8))
        names.append("single, same samples")
    legend(figure, handles, names)
    return figure
