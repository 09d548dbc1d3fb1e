"""How all pictures look: narrow enough for a phone, told apart without colour, and simulated ones on hatched ground.

Colours are those of Okabe and Ito (Color Universal Design, 2008) and tints of them. Everything that a colour tells is
told by a hatch, a marker or a dash as well. Figures are drawn without pyplot, so that no state is shared.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from results.sheet import BANNER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.2
"""Inches. A phone shows it about 360 pixels wide, which makes 11 points 13 pixels."""
DPI = 180
TALLEST = 60.0
"""Inches; matplotlib draws no more than 65,535 pixels."""
MOST_BARS = 60
"""Cells in one picture; its table has all."""
HEADING_CHARACTERS = 42
LABEL_SIZE = 9.5
"""Points, of figures beside bars."""
LABEL_CHARACTERS = 14
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY, LIGHT_GREY = "#8A8A8A", "#DDDDDD"
SETTINGS: Any = {  # (matplotlib spells out every key it takes as a type)
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so that a picture is the same everywhere
    "font.size": 11,
    "axes.labelsize": 11,
    "xtick.labelsize": 10,
    "ytick.labelsize": 11,
    "legend.fontsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "hatch.linewidth": 0.7,
    "text.parse_math": False,  # a dollar sign in the name of an agent is a dollar sign
    "svg.hashsalt": "report",
}


@dataclass(frozen=True, slots=True)
class Look:
    """Of a bar or a marker: a colour, and a hatch or a marker that tells it without the colour."""

    colour: str
    hatch: str = ""
    marker: str = "o"


PURPOSES = {
    "task": Look(SKY),
    "answer": Look(BLUE),
    "scaffold": Look(YELLOW, "...."),
    "plan": Look(ORANGE, "////"),
    "dispatch": Look("#FFD27F", "\\\\\\\\"),
    "sync": Look(VERMILION, "xxxx"),
    "report": Look("#E8C3D6", "||||"),
    "merge": Look(PURPLE, "----"),
    "review": Look(GREEN, "oo"),
    "feedback": Look("#8FD3BF", "++++"),
    "rework": Look("#BFE6DA", "**"),
    "unknown": Look(LIGHT_GREY, "/."),
}
"""Work is blue, coordination yellow to red, verification green."""
_MARKERS = "osD^vPX<>ph*"
_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, "#4D4D4D")
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "oo", "||||")


def looks(names: Iterable[str]) -> dict[str, Look]:
    """A colour, a hatch and a marker for each name, in this order; markers repeat after 12, hatches after 8."""
    return {
        name: Look(_COLOURS[i % len(_COLOURS)], _HATCHES[i % len(_HATCHES)], _MARKERS[i % len(_MARKERS)])
        for i, name in enumerate(names)
    }


@contextmanager
def settled() -> Iterator[None]:
    """These settings, while something is drawn."""
    import warnings

    import matplotlib

    with matplotlib.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # shown as a box; the table has the text
        yield


def png(draw: Callable[[], Figure]) -> bytes:
    """A picture's file. The same data make the same bytes with the same version of matplotlib."""
    held = io.BytesIO()
    with settled():
        draw().savefig(held, format="png", dpi=DPI, metadata={"Software": None})
    return held.getvalue()


def canvas(heading: str, simulated: bool, height: float, panels: int = 1) -> tuple[Figure, Sequence[Axes]]:
    """An empty picture with its heading, and its panels one below the other. ``height``: inches in all."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    shown = f"{BANNER} · {heading}" if simulated else heading
    lines = textwrap.wrap(shown, HEADING_CHARACTERS, break_on_hyphens=False) or [""]
    figure = Figure(figsize=(WIDTH, min(height, TALLEST) + 0.18 * len(lines)), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    figure.suptitle("\n".join(lines), x=0.01, ha="left", fontsize=11, fontweight="bold")
    found = [figure.add_subplot(panels, 1, i + 1) for i in range(panels)]
    for axes in found:
        if simulated:
            axes.patch.set(facecolor="white", hatch="//", edgecolor="#E4E4E4", linewidth=0)
    return figure, found


def label(text: str) -> str:
    """A name beside an axis, on at most three lines."""
    lines = textwrap.wrap(text, LABEL_CHARACTERS, break_on_hyphens=False, max_lines=3, placeholder=" …")
    return "\n".join(lines)


def only(cells: int) -> str:
    """A sentence where there are more cells than a picture has room for."""
    return f" The first {MOST_BARS} of {cells:,} are drawn; the table has all." if cells > MOST_BARS else ""


def rows(axes: Axes, labels: Sequence[str]) -> None:
    """Names down the left side, the first on top."""
    axes.set_yticks(range(len(labels)), [label(text) for text in labels])
    axes.set_ylim(len(labels) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)


def counts(axes: Axes, what: str) -> None:
    """A horizontal axis of whole numbers, from zero."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel(what)


def end_label(axes: Axes, text: str, x: float, y: float) -> None:
    """A figure beside the end of a bar, in front of whatever line passes there."""
    ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
    axes.annotate(
        text, (x, y), (5, 0), textcoords="offset points", va="center", fontsize=LABEL_SIZE, bbox=ground, zorder=6
    )


def legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], columns: int = 3) -> None:
    """What the marks mean, below the picture."""
    if handles:
        figure.legend(
            handles, labels, loc="outside lower left", ncols=columns, frameon=False, handlelength=1.6, columnspacing=1.0
        )


def patch(look: Look) -> Any:
    """A legend's handle for a bar."""
    from matplotlib.patches import Patch

    return Patch(facecolor=look.colour, hatch=look.hatch, edgecolor="black", linewidth=0.6)


def mark(look: Look, hollow: bool = False) -> Any:
    """A legend's handle for a marker."""
    from matplotlib.lines import Line2D

    fill = "white" if hollow else look.colour
    return Line2D([], [], linestyle="", marker=look.marker, markersize=9, markerfacecolor=fill,
                  markeredgecolor=look.colour, markeredgewidth=1.5)  # fmt: skip
