"""Every claim with what is measured beside it, as a typed table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import ConfigError
from results.claims.claim import Claim, Matter, Measured
from results.claims.picture import CellRows, Picture
from results.claims.registry import CLAIMS
from results.frames import Results


@dataclass(frozen=True, slots=True)
class Swing:
    """The measured figure at half and at double a parameter's default; None where that was not run."""

    key: str
    default: float
    half: float | None
    double: float | None


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """``measured``: None for what cannot be measured, or has not been run. ``made_of``: where the measured figure comes
    from; ``differs``: it lies more than a fifth outside the claimed one. ``runs``: on which it stands."""

    claim: Claim
    measured: Measured | None
    made_of: str
    differs: bool
    swings: tuple[Swing, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class ClaimTable:
    experiment_id: str
    simulated: bool
    rows: tuple[ClaimRow, ...]


def refuse_foreign(params: Sequence[Mapping[str, Any]]) -> None:
    """Raise ConfigError unless some claim can be measured in cells that differ in these settings, not run yet."""
    needed = [claim.cells.values() for claim in CLAIMS if claim.cells]
    if not any(all(dict(cell) in params for cell in cells) for cells in needed):
        raise ConfigError(
            "report=claims: none of the cells that claims are measured in would be run as it is asked for. Run "
            "+experiment=claims (or claims_real) by itself, without a sweep around it."
        )


def compare(results: Results) -> ClaimTable:
    """Look at every claim in the rows of one experiment. Raises StoreError for rows of several."""
    picture = Picture(results)
    return ClaimTable(picture.experiment_id, picture.simulated, tuple(_row(picture, claim) for claim in CLAIMS))


def _row(picture: Picture, claim: Claim) -> ClaimRow:
    cells = _cells(picture, claim)
    measured = None if claim.measure is None or cells is None else claim.measure(cells)
    if measured is None or cells is None:
        return ClaimRow(claim, None, "", False, (), 0)
    swings = tuple(_swing(picture, claim, matter) for matter in claim.matters)
    runs = sum(rows.count for rows in cells.values()) if measured.runs is None else measured.runs
    return ClaimRow(claim, measured, _made_of(claim, measured), claim.differs(measured.value), swings, runs)


def _cells(
    picture: Picture, claim: Claim, matter: Matter | None = None, value: float = 0.0
) -> Mapping[str, CellRows] | None:
    """The cells of a claim, those that ``matter`` moves at ``value``; None unless all of them have been run."""
    found = {}
    for name, params in claim.cells.items():
        moved = matter is not None and name in matter.moves
        rows = picture.find({**params, matter.key: value} if matter is not None and moved else params)
        if rows is None:
            return None
        found[name] = rows
    return found


def _swing(picture: Picture, claim: Claim, matter: Matter) -> Swing:
    def at(value: float) -> float | None:
        cells = _cells(picture, claim, matter, value)
        measured = None if cells is None or claim.measure is None else claim.measure(cells)
        return None if measured is None else measured.value

    return Swing(matter.key, matter.default, at(matter.half), at(matter.double))


def _made_of(claim: Claim, measured: Measured) -> str:
    """The parts side by side where the source has them, the largest difference first; then what the ledger says."""
    parts = measured.parts
    if claim.parts:
        names = sorted({*claim.parts, *parts}, key=lambda n: -abs(parts.get(n, 0.0) - claim.parts.get(n, 0.0)))
        told = [f"{n} {parts.get(n, 0.0):.3g} where {claim.parts.get(n, 0.0):.3g} is claimed" for n in names]
    else:
        told = [f"{name} {value:.3g}" for name, value in sorted(parts.items(), key=lambda p: -p[1])]
    made = f"made up of {', '.join(told)} {claim.unit}; " if told else ""
    return f"{made}{measured.ledger}"
