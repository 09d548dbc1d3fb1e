"""Records as results, without a store on disk: for tests of analyses, which do not care where rows come from."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness.records import RunRecord
from results.frames import Results
from results.parts import Pending
from results.schema import SCHEMAS
from results.snapshot import Snapshot, SpoolPart
from results.spool import SpoolContent

_TABLES = ("calls", "shares", "messages", "delegations", "events")


def held(records: Iterable[RunRecord]) -> Results:
    """As the store would give them back, in parts by experiment, topology and task."""
    pending: dict[tuple[str, str, str], Pending] = {}
    for made in records:
        key = (made.run.experiment_id, made.run.topology, made.run.task)
        rows = {"runs": [made.run], **{table: getattr(made, table) for table in _TABLES}}
        columns = {table: SCHEMAS[table].transpose(some) for table, some in rows.items() if some}
        pending.setdefault(key, Pending()).add(columns)
    parts = tuple(
        SpoolPart(SpoolContent(Path("nowhere"), None, some, 0), topology, task, experiment)
        for (experiment, topology, task), some in sorted(pending.items())
    )
    return Results(Snapshot(Path("nowhere"), parts))
