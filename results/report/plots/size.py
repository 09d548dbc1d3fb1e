"""Coordination per single total against the size of the team."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.columns import Columns
from results.report.document import Picture
from results.report.plots.style import canvas, legend, looks, mark
from results.sheet import Sheet, sheet
from results.summary import Group
from results.writing import NOTHING, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Team:
    """``agents``: that made a call, the mean over its runs, and the fewest and most of one. ``coordination``: tokens /
    single's total on the same samples."""

    label: str
    agents: float
    fewest: int
    most: int
    coordination: float


@dataclass(frozen=True, slots=True)
class Sizes:
    """``left_out``: labels of teams without one ``single`` to compare with."""

    task: str
    simulated: bool
    teams: tuple[Team, ...]
    left_out: tuple[str, ...]


def sizes(group: Group, runs: Columns, agents: Mapping[str, int]) -> Sizes:
    """``runs``: the group's; ``agents``: run → how many."""
    found, left_out = [], []
    by_cell = {cell: rows.texts("run_id").tolist() for (cell,), rows in runs.groups("cell_id")}
    for row in group.rows:
        if row.family == "single":
            continue
        counts = [agents.get(run_id, 0) for run_id in by_cell[row.cell_id]]
        if row.coordination_per_single is None:
            left_out.append(row.label)
        else:
            mean = math.fsum(counts) / len(counts)
            found.append(Team(row.label, mean, min(counts), max(counts), row.coordination_per_single))
    return Sizes(group.task, group.simulated, tuple(found), tuple(left_out))


def table(found: Sizes) -> Sheet:
    title = f"Coordination and size of teams on {found.task}"
    columns = ["agents a run\n(mean)", "fewest", "most", "coordination\nagainst single's total"]
    made = sheet(title, found.simulated, "team", columns)
    for team in found.teams:
        made.add(team.label, [f"{team.agents:.2f}", f"{team.fewest}", f"{team.most}", percent(team.coordination)])
    for label in found.left_out:
        made.add(label, [NOTHING] * 4)
    if found.left_out:
        made.notes.append(f"{NOTHING} no single agent, or more than one, to compare with")
    return made


def picture(found: Sizes, name: str) -> Picture:
    caption = (
        "What coordination takes, against all that the single agent takes on the same samples, by how many agents made "
        "a call in a run (the mean over runs)."
    )
    told = "; ".join(f"{t.label}: {t.agents:.2f} agents, {percent(t.coordination)}" for t in found.teams)
    alt = f"Coordination against team size on {found.task}. {told}."
    return Picture(name, caption, alt, (table(found),), lambda: draw(found))


def draw(found: Sizes) -> Figure:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    height = 3.1 + 0.2 * ((len(found.teams) + 1) // 2)
    figure, (axes,) = canvas(f"Coordination against team size · {found.task}", found.simulated, height)
    handles, names = [], []
    for team, look in zip(found.teams, looks(t.label for t in found.teams).values(), strict=True):
        axes.plot([team.agents], [100 * team.coordination], marker=look.marker, markersize=11, color=look.colour,
                  markerfacecolor="white", markeredgewidth=1.8, linestyle="", gid="team", zorder=3)  # fmt: skip
        handles.append(mark(look, hollow=True))
        names.append(team.label)
    axes.set_xlim(0, max(t.agents for t in found.teams) + 1)
    axes.set_ylim(0, max(100 * max(t.coordination for t in found.teams), 1) * 1.15)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g} %"))
    axes.set_xlabel("agents in a run")
    axes.set_ylabel("coordination, % of\nsingle's total tokens")
    axes.grid(axis="y", color="#D5D5D5", linewidth=0.7)
    legend(figure, handles, names, 2)
    return figure
