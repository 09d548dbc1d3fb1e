"""Whether two stores hold the same runs."""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa
import pyarrow.compute as pc

from results.schema import SCHEMAS
from results.snapshot import Part


def differs(ids: Collection[str], one: Part, other: Part) -> tuple[str, str] | None:
    """(run, table) of the first run of which two parts have different rows, in whatever order; None where all of these
    runs are equal."""
    if (one.topology, one.task) != (other.topology, other.task):
        return next(((run, "runs") for run in ids), None)
    for table in SCHEMAS:
        mine, its = _rows(one, table, ids), _rows(other, table, ids)
        for run in ids:
            if sorted(mine.get(run, ())) != sorted(its.get(run, ())):
                return run, table
    return None


def _rows(part: Part, table: str, ids: Collection[str]) -> dict[str, list[str]]:
    """Run → its rows as texts, so that NaN is equal to itself."""
    rows = part.table(table)
    found: dict[str, list[str]] = {}
    for row in rows.filter(pc.is_in(rows["run_id"], pa.array(ids, pa.string()))).to_pylist():
        found.setdefault(row["run_id"], []).append(repr(list(row.values())))
    return found
