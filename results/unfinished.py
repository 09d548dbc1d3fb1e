"""Experiments of which not all planned runs are there: what is said of them may still turn."""

from __future__ import annotations

from results.columns import Columns
from results.frames import Results


def unfinished(results: Results) -> tuple[str, ...]:
    """A sentence for each experiment that was interrupted or is still running, or lacks planned runs."""
    runs = dict(Columns.of(results.table("runs", ["experiment_id"])).groups("experiment_id"))
    found = []
    for manifest in results.manifests:
        planned = manifest.get("manifest", {}).get("planned_runs")
        here = len(runs.get((manifest["experiment_id"],), ()))
        missing = isinstance(planned, int) and here < planned
        if manifest["status"] != "complete" or missing:
            share = f": {here:,} of {planned:,} planned runs are here" if isinstance(planned, int) else ""
            state = manifest["status"] if manifest["status"] != "complete" else "not whole"
            found.append(f"experiment {manifest['experiment_id']} is {state}{share}")
    return tuple(found)
