"""Retries by kind, refusals, violations and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from results.report.document import Picture
from results.report.plots.style import (
    BLUE,
    GREEN,
    GREY,
    MOST_BARS,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    YELLOW,
    Look,
    canvas,
    counts,
    end_label,
    legend,
    only,
    patch,
    rows,
)
from results.sheet import Sheet, sheet
from results.summary import Group
from results.writing import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {
    "retries_transport": ("transport retry", Look(SKY)),
    "retries_validation": ("validation retry", Look(BLUE, "....")),
    "revisions": ("revision", Look(GREEN, "oo")),
    "escalations": ("escalation", Look(ORANGE, "////")),
    "depth_violations": ("depth violation", Look(VERMILION, "xxxx")),
    "refused": ("refused", Look(PURPLE, "----")),
    "left_out": ("agent left out", Look(YELLOW, "\\\\\\\\")),
    "parse_failures": ("unreadable", Look(GREY, "++++")),
}
"""Column of ``runs`` → what it is called, and how it looks."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """``cells``: label, runs, and kind → how many in all runs."""

    task: str
    simulated: bool
    cells: tuple[tuple[str, int, Mapping[str, int]], ...]

    @property
    def any(self) -> bool:
        return any(n for _, _, by_kind in self.cells for n in by_kind.values())


def troubles(group: Group) -> Troubles:
    cells = [(row.label, row.runs, {kind: int(getattr(row, kind)) for kind in KINDS}) for row in group.rows]
    return Troubles(group.task, group.simulated, tuple(cells))


def table(found: Troubles) -> Sheet:
    title = f"Retries and violations on {found.task}, all runs"
    made = sheet(title, found.simulated, "topology", ["runs", *(name.replace(" ", "\n") for name, _ in KINDS.values())])
    for label, runs, by_kind in found.cells:
        made.add(label, [count(runs), *(count(by_kind[kind]) for kind in KINDS)])
    return made


def picture(found: Troubles, name: str) -> Picture:
    caption = (
        "How often something had to be done again or was not allowed. Validation retry: an order given once more "
        "because its result failed a check; revision: after a reviewer's verdict; depth violation: an agent tried to "
        "create or dispatch agents beyond the limit; left out: an agent failed or took too long; unreadable: a tool "
        "call, tag or verdict that could not be parsed."
    )
    caption += only(len(found.cells))
    told = "; ".join(f"{label} {sum(by_kind.values()):,}" for label, _, by_kind in found.cells)
    alt = f"Stacked bars of retries and violations on {found.task}, one a topology: {told}."
    return Picture(name, caption, alt, (table(found),), lambda: draw(found))


def draw(found: Troubles) -> Figure:
    found = replace(found, cells=found.cells[:MOST_BARS])
    kinds = [kind for kind in KINDS if any(by_kind[kind] for _, _, by_kind in found.cells)]
    height = 1.1 + 0.52 * len(found.cells) + 0.2 * ((len(kinds) + 1) // 2)
    figure, (axes,) = canvas(f"Retries and violations · {found.task}", found.simulated, height)
    for number, (_, _, by_kind) in enumerate(found.cells):
        start = 0
        for kind in kinds:
            look = KINDS[kind][1]
            if by_kind[kind]:
                axes.barh(number, by_kind[kind], 0.68, start, color=look.colour, hatch=look.hatch, edgecolor="black",
                          linewidth=0.6, label=kind)  # fmt: skip
            start += by_kind[kind]
        end_label(axes, count(start), start, number)
    most = max(sum(by_kind.values()) for _, _, by_kind in found.cells)
    axes.set_xlim(0, max(most, 1) * 1.15)
    rows(axes, [label for label, _, _ in found.cells])
    counts(axes, "times, all runs")
    legend(figure, [patch(KINDS[kind][1]) for kind in kinds], [KINDS[kind][0] for kind in kinds], 2)
    return figure
