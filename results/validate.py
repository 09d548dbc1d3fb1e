"""Does every stored run add up? All invariants over a whole store, its small parts together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from results.batch import Batch, batches
from results.columns import Columns
from results.invariants import attempts, delegations, runs, shares, traffic
from results.invariants.invariant import Invariant
from results.invariants.prepared import Prepared
from results.snapshot import FilePart, take

INVARIANTS: tuple[Invariant, ...] = (
    *attempts.INVARIANTS,
    *shares.INVARIANTS,
    *runs.INVARIANTS,
    *delegations.INVARIANTS,
    *traffic.INVARIANTS,
)
UNIQUE = ("run_is_unique", "a run_id is stored once")
HEADLESS = ("part_has_runs", "a part file of another table has its file of runs beside it")
TOGETHER = 50_000
"""Rows of small parts that are checked at once: as many as the store lets one part have."""
KEPT = 10
"""Offending rows named for each invariant; the rest are counted."""

_TABLE = {"attempts": "calls", "operations": "calls", "subtasks": "delegations", "workers": "delegations"}


@dataclass(frozen=True, slots=True)
class Violation:
    """One offending row: where it stands, and the numbers that do not agree."""

    file: str
    run_id: str | None
    operation_id: str | None
    attempt: int | None
    numbers: dict[str, Any]

    def __str__(self) -> str:
        where = {"run": self.run_id, "operation": self.operation_id, "attempt": self.attempt}
        said = [f"{k} {v}" for k, v in where.items() if v is not None]
        numbers = ", ".join(f"{k}={v}" for k, v in self.numbers.items())
        return f"{self.file}: {', '.join(said)}{': ' if said and numbers else ''}{numbers}"


@dataclass(slots=True)
class Fault:
    """One broken invariant: how often, and the first rows."""

    name: str
    says: str
    count: int = 0
    first: list[Violation] = field(default_factory=list)

    def add(self, count: int, rows: Iterator[Violation]) -> None:
        self.count += count
        for row in rows:
            if len(self.first) >= KEPT:
                break
            self.first.append(row)


@dataclass(frozen=True, slots=True)
class Report:
    """``checked``: invariants tried. ``faults``: those broken, in the order of the table."""

    runs: int
    rows: int
    parts: int
    checked: int
    faults: tuple[Fault, ...]
    notes: tuple[str, ...]

    @property
    def clean(self) -> bool:
        return not self.faults


def check(dir: str | Path = "runs") -> Report:
    """Check a store. Memory holds ``TOGETHER`` rows, or one larger part, and the run ids.

    Raises StoreError when it cannot be evaluated: nothing there, or another schema.
    """
    snapshot = take(Path(dir))
    faults = {i.name: Fault(i.name, i.says) for i in INVARIANTS}
    faults |= {name: Fault(name, says) for name, says in (UNIQUE, HEADLESS)}
    seen: dict[str, str] = {}
    rows = 0
    for batch in batches(snapshot.parts, TOGETHER):
        prepared = Prepared(batch)
        for invariant in INVARIANTS:
            frame = prepared.frame(invariant.frame)
            mask = invariant.broken(frame)
            if mask.any():
                broken = frame.where(mask)
                faults[invariant.name].add(len(broken), _violations(batch, broken, invariant))
        rows += sum(
            len(prepared.frame(name)) for name in ("runs", "attempts", "shares", "messages", "delegations", "events")
        )
        for placed in prepared.frame("runs").texts("run_id").tolist():
            part, run_id = batch.origin(placed)
            file = str(part.path("runs"))
            if run_id in seen:
                faults[UNIQUE[0]].add(1, iter([Violation(file, run_id, None, None, {"also in": seen[run_id]})]))
            seen[run_id] = file
    for part in snapshot.headless:
        faults[HEADLESS[0]].add(len(part.files), _headless(part))
    return Report(
        runs=len(seen),
        rows=rows,
        parts=len(snapshot.parts),
        checked=len(faults),
        faults=tuple(f for f in faults.values() if f.count),
        notes=snapshot.notes,
    )


def _headless(part: FilePart) -> Iterator[Violation]:
    return (Violation(str(path), None, None, None, {}) for path in part.files.values())


def _violations(batch: Batch, broken: Columns, invariant: Invariant) -> Iterator[Violation]:
    table = _TABLE.get(invariant.frame, invariant.frame)
    first = broken.take(range(min(len(broken), KEPT)))
    where = {c: first.values(c) for c in ("run_id", "operation_id", "attempt") if c in first.columns}
    shown = {c: ["null" if v is None else v for v in first.values(c)] for c in invariant.shows}
    for i in range(len(first)):
        part, run = batch.origin(str(where["run_id"][i]))
        operation, attempt = (where[c][i] if c in where else None for c in ("operation_id", "attempt"))
        yield Violation(str(part.path(table)), run, operation, attempt, {c: values[i] for c, values in shown.items()})
