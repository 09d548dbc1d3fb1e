"""The table of claims on a terminal, 100 columns wide."""

from __future__ import annotations

import math

from rich.console import Console
from rich.text import Text

from results.claims.report import ClaimRow, ClaimTable, Swing, compare
from results.frames import Results
from results.sheet import BANNER, sheet
from results.terminal import banner, show, terminal
from results.writing import NOTHING

NOT_YET = "not measured yet"


def print_claims(results: Results, experiment: str | None = None, console: Console | None = None) -> None:
    """Print the claims of the source documents beside what one experiment (an id or ``last``) measured.

    Without a console: to standard output, 100 columns wide. Raises StoreError for an experiment that is not there.
    """
    console = console or terminal()
    table = compare(results if experiment is None else results.of(experiment))
    banner(f"experiment {table.experiment_id} · claims", table.simulated, console)
    _print_claims(table, console)
    _print_reasons(table, console)
    _print_swings(table, console)


def _print_claims(table: ClaimTable, console: Console) -> None:
    shown = sheet("Claims and measured figures", table.simulated, "claim", ["claimed", "measured", "runs"])
    for row in table.rows:
        shown.add(f"{row.claim.name} ({row.claim.source}): {row.claim.says}", [_claimed(row), _measured(row),
            f"{row.runs:,}" if row.runs else NOTHING])  # fmt: skip
    show(shown, console)


def _print_reasons(table: ClaimTable, console: Console) -> None:
    told = [row for row in table.rows if row.measured is not None]
    if not told:
        return
    title = "What the figures are made of, from the ledger; first those that differ by more than a fifth"
    console.print(Text(f"{BANNER} · {title}" if table.simulated else title, style="bold"))
    for row in sorted(told, key=lambda row: not row.differs):
        how = "differs" if row.differs else "agrees"
        show(f"* {row.claim.name}: {how}, {_measured(row)} for {_claimed(row)}: {row.made_of}.", console)
    console.print()


def _print_swings(table: ClaimTable, console: Console) -> None:
    columns = ["default", "at half", "measured", "at double"]
    shown = sheet("At half and at double each parameter that matters", table.simulated, "claim · parameter", columns)
    for row in table.rows:
        for swing in row.swings:
            shown.add(f"{row.claim.name} · {swing.key}", [f"{swing.default:g}", *_swung(row, swing)])
    if shown.rows:
        show(shown, console)


def _swung(row: ClaimRow, swing: Swing) -> list[str]:
    unit = row.claim.unit
    return [
        _figure(swing.half, unit),
        _figure(None if row.measured is None else row.measured.value, unit),
        _figure(swing.double, unit),
    ]


def _claimed(row: ClaimRow) -> str:
    claim = row.claim
    if not claim.unit:
        return NOTHING
    if math.isinf(claim.high):
        return f"over {_figure(claim.low, claim.unit)}"
    low, high = _figure(claim.low, claim.unit), _figure(claim.high, claim.unit)
    return low if claim.low == claim.high else f"{claim.low:g} to {high}"


def _measured(row: ClaimRow) -> str:
    if row.measured is None:
        return f"{NOT_YET}: no {row.claim.missing}" if row.claim.missing else f"{NOT_YET}: not in this experiment"
    return _figure(row.measured.value, row.claim.unit)


def _figure(value: float | None, unit: str) -> str:
    return NOTHING if value is None else f"{value:,.3g} {unit}"
