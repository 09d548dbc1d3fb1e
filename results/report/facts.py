"""What was run, and what changes how far its figures can be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from results.comparison.comparison import Comparison
from results.frames import Results
from results.report.document import Banner
from results.sheet import BANNER
from results.summary import Summary, SummaryRow
from results.writing import counted

DRIFT = "tokeniser drift"
"""How the warning of a run begins whose provider reports other numbers of tokens than were counted (0.8 to 1.25)."""
_COLUMNS = (
    "experiment_id", "topology", "task", "model", "simulated", "status", "git_commit", "harness_version", "warnings",
    "sample_id", "epoch", "started_at", "clock",
)  # fmt: skip
MOST_NAMED = 5
"""Experiments that a banner names."""
Row = dict[str, Any]


def rows(results: Results) -> list[Row]:
    """A line of ``runs`` each, with what the first screen tells of it."""
    return list(results.table("runs", list(_COLUMNS)).to_pylist())


def facts(results: Results, runs: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    """Name → text, for the first screen."""
    manifests = {m["experiment_id"]: m for m in results.manifests}
    planned = [m.get("manifest", {}).get("planned_runs") for m in manifests.values()]
    whole = f" of {sum(planned):,} planned" if planned and all(isinstance(n, int) for n in planned) else ""
    failed = sum(run["status"] != "ok" for run in runs)
    simulated = {run["simulated"] for run in runs}
    kind = "simulated and real" if len(simulated) > 1 else "simulated" if simulated == {True} else "real"
    found = [
        ("experiment", ", ".join(results.experiment_ids)),
        ("command", "\n".join(_commands(manifests.values())) or "not recorded"),
        ("model", f"{_names(runs, 'model')} ({kind})"),
        ("commit", ", ".join(_distinct(run["git_commit"] or "not recorded" for run in runs))),
        ("version", _names(runs, "harness_version")),
        ("started", min(run["started_at"] for run in runs)),
        ("topologies", _names(runs, "topology")),
        ("suites", _names(runs, "task")),
        ("runs", f"{len(runs):,}{whole}; {_failed(failed)}"),
        ("samples", f"{len({(r['task'], r['sample_id']) for r in runs}):,}, in "
                    f"{counted(len({r['epoch'] for r in runs}), 'epoch')}"),
    ]  # fmt: skip
    return tuple(found)


def _failed(n: int) -> str:
    """Of runs that did not end ok."""
    return f"{n:,} did not end ok, and {'counts' if n == 1 else 'count'} as all others" if n else "all ended ok"


def _commands(manifests: Iterable[dict[str, Any]]) -> list[str]:
    return [str(c) for m in manifests if (c := m.get("manifest", {}).get("command"))]


def _names(runs: Sequence[Row], column: str) -> str:
    return ", ".join(_distinct(run[column] for run in runs))


def _distinct(values: Iterable[str]) -> list[str]:
    return sorted(set(values))


def banners(
    results: Results,
    runs: Sequence[Row],
    summary: Summary,
    comparisons: Sequence[Comparison] = (),
    others: Sequence[str] = (),
) -> tuple[Banner, ...]:
    """The warnings that stand above everything else, the gravest first. ``others``: experiments that are in the store
    and not in this report."""
    found = [*_simulated(runs), *_others(others), *_mixed(results, runs), *_unfinished(results, runs)]
    found += [*_missing(comparisons), *_incomplete(summary)]
    drifted = sum(any(w.startswith(DRIFT) for w in _warnings(run)) for run in runs)
    if drifted:
        found.append(
            Banner(
                "Tokeniser drift",
                f"in {drifted:,} of {counted(len(runs), 'run')} the provider reported less than 0.8 or more than 1.25 "
                "times the prompt tokens that were counted. Totals are the provider's; how they are split by purpose "
                "is less sure there.",
            )
        )
    return tuple(found)


def _simulated(runs: Sequence[Row]) -> list[Banner]:
    n = sum(run["simulated"] for run in runs)
    if not n:
        return []
    which = "" if n == len(runs) else f" {n:,} of {counted(len(runs), 'run')}, in sections of their own."
    return [Banner(BANNER, f"no model was asked: what-if figures, never evidence about a real model.{which}")]


def _others(ids: Sequence[str]) -> list[Banner]:
    if not ids:
        return []
    more = f" and {len(ids) - MOST_NAMED:,} more" if len(ids) > MOST_NAMED else ""
    names = ", ".join(ids[:MOST_NAMED])
    says = f"the store holds {counted(len(ids), 'experiment')} beside this one ({names}{more}), not reported here."
    return [Banner("Other experiments", f"{says} Choose one with `--experiment {ids[0]}`.")]


def _mixed(results: Results, runs: Sequence[Row]) -> list[Banner]:
    found, ids = [], results.experiment_ids
    if len(ids) > 1:
        found.append(
            Banner(
                "Several experiments",
                f"{len(ids):,} are reported here, each in sections of its own: none is compared with another.",
            )
        )
    for column, what in (("git_commit", "commits"), ("harness_version", "versions of the harness")):
        values = _distinct(run[column] or "not recorded" for run in runs)
        if len(values) > 1 and len(ids) == 1:
            found.append(Banner("Mixed runs", f"one experiment from several {what}: {', '.join(values)}."))
    return found


def _unfinished(results: Results, runs: Sequence[Row]) -> list[Banner]:
    found = []
    for manifest in results.manifests:
        planned = manifest.get("manifest", {}).get("planned_runs")
        here = sum(run["experiment_id"] == manifest["experiment_id"] for run in runs)
        missing = isinstance(planned, int) and here < planned
        if manifest["status"] != "complete" or missing:
            share = f": {here:,} of {planned:,} planned runs are here" if isinstance(planned, int) else ""
            state = manifest["status"] if manifest["status"] != "complete" else "not whole"
            found.append(Banner("Unfinished", f"experiment {manifest['experiment_id']} is {state}{share}."))
    return found


def _missing(comparisons: Sequence[Comparison]) -> list[Banner]:
    """Runs that other cells of the same scenario have: nobody knows how they would have ended."""
    cells = [
        f"{cell.label} on {comparison.scenario.task} {cell.missing:,} of {cell.runs + cell.missing:,}"
        for comparison in comparisons
        for cell in comparison.short
    ]
    if not cells:
        return []
    says = "runs that another topology has are not there. They count as failures against their topology, and what they "
    return [Banner("Missing runs", f"{says}would have cost is in no sum: {', '.join(_distinct(cells))}.")]


def _incomplete(summary: Summary) -> list[Banner]:
    cells: list[tuple[str, SummaryRow]] = [(g.task, r) for g in summary.groups for r in g.rows if not r.cost.complete]
    if not cells:
        return []
    names = ", ".join(_distinct(f"{row.label} on {task}" for task, row in cells))
    says = f"some attempts that ran have no known cost; sums are lower bounds (≥) or unknown, never zero: {names}."
    return [Banner("Incomplete cost", says)]


def _warnings(run: Row) -> list[str]:
    return [str(w) for w in json.loads(run["warnings"])]


def warned(runs: Sequence[Row]) -> list[tuple[str, int]]:
    """The warnings of some runs and how many have each, the most frequent first."""
    found: dict[str, int] = {}
    for run in runs:
        for warning in set(_warnings(run)):
            found[warning] = found.get(warning, 0) + 1
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))
