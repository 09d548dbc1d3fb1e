"""The tables of a comparison, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Iterator

from results.comparison.cells import Cell
from results.comparison.comparison import Comparison
from results.comparison.contrast import MIN_EFFECT, Difference, Quotient
from results.comparison.equal import Equal
from results.comparison.hull import Mixture
from results.sheet import Sheet, sheet
from results.stats import LEVEL, MIN_CLUSTERS
from results.summary_tables import bridge_sheet
from results.writing import NOTHING, count, percent, usd

FRONT = "◆"
SKEWED = " ~"


def comparison_sheets(comparison: Comparison) -> Iterator[Sheet | str]:
    """In the order in which they are read, and sentences between them."""
    yield _scores(comparison)
    yield _ratios(comparison)
    if any(row.equal is not None for row in comparison.rows):
        yield _equal(comparison)
    labels = {c.cell_id: c.label for c in comparison.scenario.cells}
    for bridge in (b for b in comparison.bridges if not b.untold):
        yield bridge_sheet(bridge, labels[bridge.cell_id])
    yield from _remarks(comparison)


def signed(value: float, digits: int = 3) -> str:
    return f"{value:+,.{digits}f}"


def sure(found: Difference | None, digits: int = 3) -> str:
    """How far a difference may be off: an interval, the simulation's own spread, or why there is none."""
    if found is None:
        return NOTHING
    if found.found is None:
        return NOTHING if found.monte_carlo is None else f"± {found.monte_carlo:,.{digits}f}"
    if found.found.interval is None:
        return f"none: {found.clusters} clusters"
    low, high = found.found.interval.low, found.found.interval.high
    return f"{signed(low, digits)} to {signed(high, digits)}{SKEWED if found.skewed else ''}"


def times(found: Quotient | None) -> str:
    """A ratio, and of real runs its 95 % set."""
    if found is None or found.value is None:
        return NOTHING
    if found.found is None or found.clusters < MIN_CLUSTERS:
        return f"{found.value:.2f} ×"
    return f"{found.value:.2f} ×\n{ratio_set(found)}"


def ratio_set(found: Quotient) -> str:
    """What the ratio may be: an interval, or all from a number upwards, or anything."""
    assert found.found is not None
    low, high, gap = found.found.low, found.found.high, found.found.gap
    if found.found.bounded:
        return f"{low:,.2f} to {high:,.2f}"
    if not math.isinf(low):
        return f"≥ {low:,.2f}"
    if not math.isinf(high):
        return f"≤ {high:,.2f}"
    return "anything" if gap is None else f"≤ {gap.low:,.2f} or ≥ {gap.high:,.2f}"


def bought(mixture: Mixture, labels: dict[str, str]) -> str:
    """Which members of the family a point of the hull is made of."""
    low, high = labels[mixture.low.cell_id], labels[mixture.high.cell_id]
    if low == high or not mixture.weight:
        return f"{low}{' (dearer)' if mixture.dearer else ''}"
    return f"{percent(1 - mixture.weight)} {low},\n{percent(mixture.weight)} {high}"


def _scores(comparison: Comparison) -> Sheet:
    simulated = comparison.scenario.simulated
    single = comparison.single.label
    spread = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % interval"
    columns = ["samples\n(clusters)", "not ok,\nmissing", "score", f"Δ {single}", spread]
    columns += [] if simulated else ["by\nbootstrap", f"clusters for\nΔ {MIN_EFFECT:g}"]
    title = f"Score against {single}, the mean over clusters of the samples that both have"
    table = sheet(title, simulated, "topology", columns)
    cells = [f"{count(int(comparison.single.has.sum()))}", _troubles(comparison.single), "", NOTHING, NOTHING]
    known = comparison.scenario.by_cluster(comparison.single.values["score"])
    cells[2] = f"{known.mean():.3f}"
    cells[0] += f" ({len(known)})"
    table.add(single, [*cells, *([] if simulated else [NOTHING] * 2)])
    for row in comparison.rows:
        d = row.score
        cells = [f"{count(d.samples)} ({d.clusters})", _troubles(row.cell), f"{d.one:.3f}", signed(d.value), sure(d)]
        if d.found is not None:
            check = d.found.check
            cells.append(NOTHING if check is None else f"{signed(check.low)} to {signed(check.high)}")
            cells.append(NOTHING if d.n_needed is None else count(d.n_needed))
        elif not simulated:
            cells += [NOTHING] * 2
        table.add(row.cell.label, cells)
    return table


def _troubles(cell: Cell) -> str:
    return f"{sum(cell.statuses.values()):,}, {cell.missing:,}"


def _ratios(comparison: Comparison) -> Sheet:
    single = comparison.single.label
    columns = ["USD a\nsample", "USD billed", "USD as if\nuncached", "tokens", "wall-clock", "Δ USD a\nsample"]
    table = sheet(f"Against {single}, ratios of sums over the same samples", comparison.scenario.simulated,
                  "topology", columns)  # fmt: skip
    for row in comparison.rows:
        extra = row.extra_usd
        table.add(
            row.cell.label,
            [
                "unknown" if extra is None else usd(extra.one),
                *(times(q) for q in (row.usd, row.uncached_usd, row.tokens, row.wall)),
                "unknown" if extra is None else f"{'+' if extra.value > 0 else '-'}{usd(abs(extra.value))}",
            ],
        )
    return table


def _equal(comparison: Comparison) -> Sheet:
    simulated = comparison.scenario.simulated
    labels = {c.cell_id: c.label for c in comparison.scenario.cells}
    spread = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % interval"
    columns = ["Δ score at\nequal money", spread, "as if\nuncached", "the same money buys", "USD at equal\nscore"]
    title = f"Against the single family at equal money and at equal score ({FRONT}: nothing is better for less)"
    table = sheet(title, simulated, "topology", columns)
    for row in comparison.rows:
        name = f"{row.cell.label}{f' {FRONT}' if row.on_front else ''}"
        if row.equal is None:
            table.add(name, [NOTHING] * len(columns))
            continue
        other = row.equal_uncached
        table.add(
            name,
            [
                signed(row.equal.score.value),
                sure(row.equal.score),
                NOTHING if other is None else f"{signed(other.score.value)}\n{sure(other.score)}",
                bought(row.equal.at_cost, labels),
                at_quality(row.equal),
            ],
        )
    return table


def at_quality(found: Equal) -> str:
    """The cost against what the family takes for the same score."""
    return "not reached" if found.at_score is None else times(found.money)


def _remarks(comparison: Comparison) -> Iterator[str]:
    scenario = comparison.scenario
    if any(c.missing for c in scenario.cells):
        yield "Missing runs count as failures: score 0; they are left out of cost, tokens and time."
    if any(b.untold for b in comparison.bridges):
        yield "There is no bridge between rows of which nobody knows what was spent on what (imported ones)."
    if comparison.apart:
        yield f"Without a sample in common with {comparison.single.label}: {', '.join(comparison.apart)}."
    if comparison.unpriced:
        names = ", ".join(comparison.unpriced)
        yield f"Some cost is unknown, and its samples are left out of comparisons of money: {names}."
    if not scenario.simulated:
        few = [r for r in comparison.rows if r.score.clusters < MIN_CLUSTERS]
        if few:
            yield f"No interval from fewer than {MIN_CLUSTERS} clusters of samples."
        if any(d is not None and d.skewed for r in comparison.rows for d in (r.score, r.extra_usd, r.saved_s)):
            yield f"{SKEWED.strip()} a long tail: the interval covers less often than it says (docs/coverage.md)."
