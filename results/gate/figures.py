"""How the figures of a rule are written, in a table and in a sentence."""

from __future__ import annotations

from results.gate.metrics import Unit
from results.gate.report import Figures
from results.writing import NOTHING, percent, usd

SKEWED = " ~"


def figure(value: float, unit: Unit) -> str:
    """A figure, or a change of one, in the unit of its metric."""
    if unit == "USD":
        return f"-{usd(-value)}" if value < 0 else usd(value)
    if unit == "share":
        return percent(value)
    if unit == "s":
        return f"{value:,.2f} s"
    return f"{value:.3f}" if unit == "score" else f"{value:,.1f}"


def interval(figures: Figures) -> str:
    """From where to where, marked where it holds the truth less often than it says."""
    found, unit = figures.interval, figures.metric.unit
    if found is None:
        return NOTHING
    return f"{figure(found.low, unit)} to {figure(found.high, unit)}{SKEWED if figures.skewed else ''}"


def sentence(figures: Figures) -> str:
    """All of them."""
    was, now, worse, allowed = (
        figure(v, figures.metric.unit) for v in (figures.baseline, figures.candidate, figures.worse, figures.allowed)
    )
    return (
        f"{figures.metric.name} {was} → {now}: worse by {worse} ({interval(figures)}), allowed {allowed}, "
        f"{figures.clusters:,} clusters"
    )
