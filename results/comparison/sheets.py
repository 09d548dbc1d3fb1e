"""The tables of a comparison, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from results.comparison.cells import Cell
from results.comparison.comparison import Compared, Comparison
from results.comparison.contrast import MIN_EFFECT, Difference, Quotient
from results.comparison.equal import Equal
from results.comparison.hull import Mixture
from results.sheet import Sheet, sheet
from results.stats import LEVEL, MIN_CLUSTERS, lognormal_coverage
from results.summary_tables import bridge_sheet
from results.writing import NOTHING, count, counted, percent, usd

FRONT = "◆"
SKEWED = " ~"


def comparison_sheets(comparison: Comparison, *, bridged: bool = True) -> Iterator[Sheet | str]:
    """In the order in which they are read, and sentences between them. ``bridged``: with the bridges."""
    yield _scores(comparison)
    yield _ratios(comparison)
    yield _extra(comparison)
    if any(row.equal is not None for row in comparison.rows):
        yield _equal(comparison)
    labels = {c.cell_id: c.label for c in comparison.scenario.cells}
    for bridge in (b for b in comparison.bridges if bridged and not b.untold):
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
        return f"none: {counted(found.clusters, 'cluster')}"
    low, high = found.found.interval.low, found.found.interval.high
    return f"{signed(low, digits)} to {signed(high, digits)}{SKEWED if found.skewed else ''}"


def times(found: Quotient | None) -> str:
    """A ratio, and of real runs its 95 % set."""
    if found is None or found.value is None:
        return NOTHING
    surely = "" if found.found is None or found.clusters < MIN_CLUSTERS else f"\n{ratio_set(found, '{:,.2f}'.format)}"
    return f"{found.value:.2f} ×{surely}"


def ratio_set(found: Quotient, write: Callable[[float], str], *, positive: bool = True) -> str:
    """What the ratio may be: an interval, or all from a number upwards, or anything. ``positive``: it cannot be
    negative."""
    assert found.found is not None
    low, high, gap = found.found.low, found.found.high, found.found.gap
    if found.found.bounded:
        return f"{write(low)} to {write(high)}"
    if gap is not None and not positive:
        return f"≤ {write(gap.low)} or ≥ {write(gap.high)}"
    if not math.isinf(low):
        return f"≥ {write(low)}"
    if not math.isinf(high):
        return f"≤ {write(high)}"
    return "not bounded"


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
    columns = ["USD billed", "USD as if\nuncached", "tokens", "wall-clock"]
    table = sheet(f"Against {single}, ratios of sums over the same samples", comparison.scenario.simulated,
                  "topology", columns)  # fmt: skip
    for row in comparison.rows:
        table.add(row.cell.label, [times(q) for q in (row.usd, row.uncached_usd, row.tokens, row.wall)])
    return table


def _extra(comparison: Comparison) -> Sheet:
    simulated, single = comparison.scenario.simulated, comparison.single.label
    surely = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % intervals below"
    columns = ["USD a\nsample", "Δ USD billed", "Δ USD as if\nuncached", "Δ tokens", "Δ wall-clock, s"]
    table = sheet(f"More than {single} a sample, in the mean ({surely})", simulated, "topology", columns)
    table.add(single, [_own(comparison), *[NOTHING] * 4])
    for row in comparison.rows:
        table.add(
            row.cell.label,
            [
                "unknown" if row.extra_usd is None else usd(row.extra_usd.one),
                _money(row.extra_usd),
                _money(row.extra_uncached_usd),
                _counted(row.extra_tokens, 0),
                _counted(row.extra_wall_s, 1),
            ],
        )
    return table


def _own(comparison: Comparison) -> str:
    """What the baseline costs a sample, missing runs left out, where all of the others' cost is known."""
    cost = comparison.single.values["usd"]
    unknown = comparison.single.unpriced or np.isnan(cost).all()
    return "unknown" if unknown else usd(float(comparison.scenario.by_cluster(cost).mean()))


def signed_usd(value: float) -> str:
    """An amount with its sign, without its unit."""
    return f"{'-' if value < 0 else '+'}{usd(abs(value))}"


def _money(found: Difference | None) -> str:
    if found is None:
        return "unknown"
    return "\n".join([signed_usd(found.value), *_surely(found, signed_usd)])


def _counted(found: Difference | None, digits: int) -> str:
    if found is None:
        return "unknown"
    return "\n".join([signed(found.value, digits), *_surely(found, lambda v: signed(v, digits))])


def _surely(found: Difference, shown: Callable[[float], str]) -> list[str]:
    """How far a difference may be off, in the unit of ``shown``; nothing where nothing can be said."""
    if found.monte_carlo is not None:
        return [f"± {shown(found.monte_carlo).removeprefix('+')}"]
    if found.found is None or found.found.interval is None:
        return []
    low, high = found.found.interval.low, found.found.interval.high
    return [f"{shown(low)} to", f"{shown(high)}{SKEWED if found.skewed else ''}"]


def _equal(comparison: Comparison) -> Sheet:
    simulated = comparison.scenario.simulated
    labels = {c.cell_id: c.label for c in comparison.scenario.cells}
    spread = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % interval"
    columns = ["Δ score at\nequal money", spread, "as if\nuncached", "the same money buys", "USD at equal\nscore"]
    title = f"Against the single family at equal money and at equal score ({FRONT}: nothing is better for less)"
    table = sheet(title, simulated, "topology", columns)
    table.add(_on_front(comparison.single.label, comparison.single_on_front), [NOTHING] * len(columns))
    for row in comparison.rows:
        name = _on_front(row.cell.label, row.on_front)
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


def _on_front(label: str, on_front: bool | None) -> str:
    return f"{label} {FRONT}" if on_front else label


def at_quality(found: Equal) -> str:
    """The cost against what the family takes for the same score."""
    return "not reached" if found.at_score is None else times(found.money)


def _extras(row: Compared) -> tuple[Difference | None, ...]:
    return row.extra_tokens, row.extra_usd, row.extra_uncached_usd, row.extra_wall_s


def _remarks(comparison: Comparison) -> Iterator[str]:
    scenario = comparison.scenario
    if comparison.short:
        names = ", ".join(f"{c.label} {c.missing:,} of {c.runs + c.missing:,}" for c in comparison.short)
        yield f"Missing runs count as failures: score 0; they are left out of cost, tokens and time: {names}."
    if any(b.untold for b in comparison.bridges):
        yield "There is no bridge between rows of which nobody knows what was spent on what (imported ones)."
    if comparison.apart:
        yield f"Without a sample in common with {comparison.single.label}: {', '.join(comparison.apart)}."
    if comparison.unpriced:
        names = ", ".join(comparison.unpriced)
        yield f"The cost of some runs is unknown, and their samples are left out of comparisons of money: {names}."
    if not scenario.simulated:
        few = [r for r in comparison.rows if r.score.clusters < MIN_CLUSTERS]
        if few:
            yield f"No interval from fewer than {MIN_CLUSTERS} clusters of samples."
        tails = [d.clusters for r in comparison.rows for d in _extras(r) if d is not None and d.skewed]
        if tails:
            held = lognormal_coverage(min(tails))
            yield f"{SKEWED.strip()} a long tail: of log-normal costs such an interval holds in about {percent(held)}."
