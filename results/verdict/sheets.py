"""The tables of a verdict, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Iterator

from results.comparison.contrast import Difference
from results.comparison.sheets import ratio_set
from results.sheet import Sheet, sheet
from results.stats import LEVEL
from results.verdict.breakeven import BreakEven
from results.verdict.prices import COSTS, Prices
from results.verdict.returns import Return
from results.verdict.roi import Roi, Worth
from results.verdict.simulated import PRICE
from results.verdict.tree.sheets import Unasked, confusion_sheets, tree_sheets, unasked
from results.verdict.verdict import signed_usd
from results.writing import NOTHING, counted, usd


def verdict_sheets(worth: Worth) -> Iterator[Sheet | str]:
    """One scenario: the tree, the sentences, the money, the verdict."""
    yield from tree_sheets(worth.tree, worth.comparison.scenario.simulated)
    yield from worth.sentences
    yield from money_sheets(worth)
    yield priced(worth.prices)
    yield from said(worth)


def said(worth: Worth) -> Iterator[str]:
    """The verdict, and why."""
    yield f"Verdict: {worth.verdict.says}"
    yield f"  because: {worth.verdict.why}."


def money_sheets(worth: Worth) -> Iterator[Sheet]:
    """Net returns and break-even prices."""
    if worth.prices.score_usd is not None and any(worth.returns.values()):
        yield _returns(worth)
    if any(worth.even.values()):
        yield _even(worth)
    if worth.stretches:
        yield _stretches(worth)


def questions(found: Roi) -> tuple[Unasked, ...]:
    """Those of the tree that the rows of some scenario do not answer."""
    return unasked((about(worth, found), worth.tree) for worth in found.worths)


def about(worth: Worth, among: Roi) -> str:
    """A scenario's task, and its setting where several are of this task."""
    scenario = worth.comparison.scenario
    alike = [w for w in among.worths if w.comparison.scenario.task == scenario.task]
    return scenario.task if len(alike) == 1 else f"{scenario.task} {scenario.setting}"


def confusions(found: Roi) -> Iterator[Sheet | str]:
    """Tree against money."""
    for one in found.confusions:
        yield from confusion_sheets(one)


def turned(found: Roi) -> Iterator[str]:
    """Where simulated verdicts flip along a swept parameter."""
    for turn in found.turns:
        yield (
            f"sim: depends on {turn.parameter} (flips at {turn.at:.3g}): {turn.first} at {turn.before:g}, {turn.then} "
            f"at {turn.after:g}; in between, a straight line of the means."
        )


def priced(prices: Prices) -> str:
    """What was given a price, and what was not."""
    given = [
        NOTHING if prices.score_usd is None else f"a point of score USD {usd(prices.score_usd)}",
        f"an hour USD {usd(prices.hour_usd)}" if prices.hour_usd else "time is not priced",
        f"a wrong answer delivered USD {usd(prices.escape_usd)}"
        if prices.escape_usd
        else "wrong answers are not priced",
    ]
    if prices.score_usd is None:
        given[0] = f"score is not priced (--score-usd): the break-even {PRICE} stands instead"
    return f"Prices: {'; '.join(given)}."


def _returns(worth: Worth) -> Sheet:
    simulated = worth.comparison.scenario.simulated
    labels = {c.cell_id: c.label for c in worth.comparison.scenario.cells}
    spread = "± Monte-Carlo" if simulated else f"{100 * LEVEL:.0f} % bounds,\nadjusted"
    columns = ["counting\ncosts", "against", "USD net\na sample", spread]
    columns += [] if simulated else ["p, Holm-\nadjusted"]
    columns += ["clusters", "cost\nunknown"]
    title = "Net return of each team against the member of the single family that it beats least surely"
    table = sheet(title, simulated, "team", columns)
    for way in COSTS:
        for r in worth.returns[way]:
            cells = [way, labels[r.against.cell_id], signed_usd(r.net.value), _bounds(r)]
            if not simulated:
                cells.append(NOTHING if r.adjusted is None else f"{r.adjusted:.3g}")
            table.add(r.team.label, [*cells, f"{r.net.clusters:,}", f"{r.unknown:,}" if r.unknown else NOTHING])
    if any(r.unknown for some in worth.returns.values() for r in some):
        table.notes.append(
            "cost unknown, missing runs included: samples, of the team or of whom it is held against; a "
            "team takes as much there as on its dearest sample and the family nothing, and for the upper bound the "
            "reverse"
        )
    unpriced = {m.label for some in worth.returns.values() for r in some for m in r.unpriced}
    if unpriced:
        table.notes.append(f"no cost of {', '.join(sorted(unpriced))} is known: no team can be shown to beat it")
    return table


def _bounds(found: Return) -> str:
    net: Difference = found.net
    if net.found is None:
        return NOTHING if net.monte_carlo is None else f"± {usd(net.monte_carlo)}"
    if found.lower is None or found.upper is None:
        return f"none: {counted(net.clusters, 'cluster')}"
    return f"{signed_usd(found.lower)} to\n{signed_usd(found.upper)}"


def _even(worth: Worth) -> Sheet:
    labels = {c.cell_id: c.label for c in worth.comparison.scenario.cells}
    columns = ["counting\ncosts", f"break-even\n{PRICE}", "Δ cost / Δ score", "against", "until"]
    title = f"From which price of score on a team pays ({PRICE}, by the means)"
    table = sheet(title, worth.comparison.scenario.simulated, "team", columns)
    for way, by_cell in worth.even.items():
        for cell_id, even in by_cell.items():
            table.add(labels[cell_id], [way, _from(even), _ratio(even), labels[even.against],
                      NOTHING if even.never or math.isinf(even.until) else usd(even.until)])  # fmt: skip
    return table


def _from(even: BreakEven) -> str:
    if even.never:
        return "at none"
    return "at any" if not even.score_usd else usd(even.score_usd)


def _ratio(even: BreakEven) -> str:
    if even.never or even.ratio is None or even.ratio.value is None:
        return NOTHING
    surely = "" if even.ratio.found is None else f"\n{ratio_set(even.ratio, _plain_usd, positive=False)}"
    return f"{_plain_usd(even.ratio.value)}{surely}"


def _plain_usd(value: float) -> str:
    return f"{'-' if value < 0 else ''}{usd(abs(value))}"


def _stretches(worth: Worth) -> Sheet:
    labels = {c.cell_id: c.label for c in worth.comparison.scenario.cells}
    title = "What pays best at each price of score (means, as billed)"
    table = sheet(title, worth.comparison.scenario.simulated, f"{PRICE}", ["pays best"])
    for s in worth.stretches:
        end = "up" if math.isinf(s.end) else usd(s.end)
        table.add(
            f"{usd(s.start)} to {end}" if not math.isinf(s.end) else f"{usd(s.start)} and more", [labels[s.cell_id]]
        )
    return table
