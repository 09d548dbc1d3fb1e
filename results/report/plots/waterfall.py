"""The bridge from ``single`` to a team, as a waterfall: in tokens and, where all costs are known, in USD."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from results.bridge import TERMS, Bridge, Terms
from results.report.document import Picture
from results.report.plots.style import GREY, ORANGE, SKY, Look, canvas, end_label, legend, patch, rows
from results.summary_tables import TERM_NAMES, bridge_sheet
from results.writing import count, counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROOM = 2.1
"""Times the longest bar: half of the picture is for what stands beside the bars."""
TOTAL, MORE, LESS = Look(GREY), Look(ORANGE, "////"), Look(SKY, "\\\\\\\\")


READ = (
    "Each bar begins where the one above it ends; percentages are of single's total. Δ is the team's minus single's. "
    "Duplicated task text is task material that another agent of the run had been sent before."
)
"""How to read the pictures, once for all of them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One bar, from ``start`` to ``end``, in tokens or pUSD. ``total``: whether it is one of both sides' totals."""

    name: str
    start: int
    end: int
    total: bool = False

    @property
    def change(self) -> int:
        return self.end - self.start


def steps(terms: Terms, team: str, *, untold: bool) -> tuple[Step, ...]:
    """From the total of single over every term to the total of the team. Fees and what has no known purpose only where
    there are any, and where nobody knows what anything was spent on (``untold``), nothing else that is zero."""
    made, at = [Step("single total", 0, terms.single_total, total=True)], terms.single_total
    for term in TERMS:
        change = int(getattr(terms, term))
        if change or (term not in ("fees", "unknown") and not untold):
            made.append(Step(TERM_NAMES[term], at, at + change))
        at += change
    return (*made, Step(f"{team} total", 0, at, total=True))


def picture(bridge: Bridge, label: str, name: str) -> Picture:
    pairs = counted(bridge.pairs, "(sample, epoch) pair")
    caption = f"From what single spent to what {label} spent, on the same {pairs}."
    if bridge.pusd is None:
        caption += " Some cost is unknown, so there is no bridge in USD."
    t = bridge.tokens
    told = ", ".join(f"{s.name} {s.change:+,}" for s in steps(t, label, untold=bridge.untold)[1:-1])
    alt = f"Waterfall in tokens: single {count(t.single_total)}; {told}; {label} {count(t.team_total)}."
    return Picture(name, caption, alt, (bridge_sheet(bridge, label),), lambda: draw(bridge, label))


def draw(bridge: Bridge, label: str) -> Figure:
    sides = [("tokens", bridge.tokens, 1)] + ([] if bridge.pusd is None else [("USD billed", bridge.pusd, 10**12)])
    found = [(steps(terms, label, untold=bridge.untold), unit, scale) for unit, terms, scale in sides]
    number = max(len(made) for made, _, _ in found)
    heading = f"From single to {label} · {bridge.task}"
    figure, panels = canvas(heading, bridge.simulated, 0.4 + (0.7 + 0.36 * number) * len(sides), len(sides))
    for axes, (made, unit, scale) in zip(panels, found, strict=True):
        _panel(axes, made, unit, scale)
    fewer = any(step.change < 0 for made, _, _ in found for step in made)
    shown = [(TOTAL, "total"), (MORE, "more"), *([(LESS, "less")] if fewer else [])]
    legend(figure, [patch(look) for look, _ in shown], [name for _, name in shown])
    return figure


def _panel(axes: Axes, found: tuple[Step, ...], unit: str, scale: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    single = found[0].end
    for number, step in enumerate(found):
        look = TOTAL if step.total else MORE if step.change >= 0 else LESS
        axes.barh(number, step.change / scale, 0.66, step.start / scale, color=look.colour, hatch=look.hatch,
                  edgecolor="black", linewidth=0.6)  # fmt: skip
        if number:
            axes.plot([found[number - 1].end / scale] * 2, [number - 0.67, number - 0.33], color="black", linewidth=0.8)
        end_label(axes, _told(step, single, scale), max(step.start, step.end) / scale, number)
    low = min(min(s.start, s.end) for s in found) * 1.05 / scale
    high = max(max(s.start, s.end, 1) for s in found) * ROOM / scale
    axes.set_xlim(low, high)
    rows(axes, [step.name for step in found])
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if scale == 1 else f"{value:.3g}"))
    axes.set_xlabel(unit)


def _told(step: Step, single: int, scale: int) -> str:
    """The amount, and what it is of single's total."""
    sign = "" if step.total or not step.change else "+" if step.change > 0 else "−"
    figure = count(abs(step.change)) if scale == 1 else _dollars(abs(step.change) / scale)
    if step.total or not single:
        return f"{sign}{figure}"
    share = 100 * abs(step.change) / single
    if not share:
        return "0"
    shown = "<0.1" if share < 0.05 else f"{sign}{share:.1f}" if share < 10 else f"{sign}{share:,.0f}"
    return f"{sign}{figure} ({shown} %)"


def _dollars(value: float) -> str:
    """To three digits, which is what there is room for; the table has more."""
    return f"{value:.{max(2, 2 - math.floor(math.log10(value)))}f}" if value else "0"
