"""What a run ends with, as typed tables: one row a cell; failures in every denominator; unknown cost never zero."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from results.bridge import Bridge, bridges
from results.frames import Results
from results.purposes import PurposeTable, by_purpose
from results.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class Cost:
    """A sum of money in USD. ``usd`` is None when none of it is known, ``complete`` false when some is not."""

    usd: float | None
    complete: bool

    def per(self, count: int) -> Cost:
        """This cost for each of ``count`` (which must not be 0)."""
        return Cost(None if self.usd is None else self.usd / count, self.complete)


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One cell. Means are over all its runs, failed ones included; tokens, USD and counts are sums over them.

    ``label``: topology and the swept parameters that tell cells apart. ``statuses``: status → runs, without ``ok``.
    ``coordination_per_single``: coordination tokens / single's tokens on the same pairs; None unless there is exactly
    one ``single`` cell to compare with. ``reread_self``, ``reread_cross``: prompt tokens sent before to this agent, or
    first to another agent of the run.
    """

    label: str
    topology: str
    cell_id: str
    family: str
    runs: int
    statuses: Mapping[str, int]
    score_mean: float
    passed: int
    wall_mean_s: float
    tokens: int
    judge_tokens: int
    cost: Cost
    uncached: Cost
    judge_cost: Cost
    cost_per_success: Cost | None
    purposes: PurposeTable
    coordination_per_single: float | None
    reread_self: int
    reread_cross: int
    messages: int
    redelivery_tokens: int
    retries_transport: int
    retries_validation: int
    revisions: int
    escalations: int
    depth_violations: int
    refused: int


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may stand in one table: one experiment, one task, all simulated or all real."""

    experiment_id: str
    task: str
    simulated: bool
    rows: tuple[SummaryRow, ...]
    bridges: tuple[Bridge, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """``notes``: sentences about what could not be read."""

    groups: tuple[Group, ...]
    notes: tuple[str, ...]


def summarize(results: Results) -> Summary:
    """Everything the terminal shows, worked out from stored rows alone. Raises StoreError if the bridge is broken."""
    sums = tally(results)
    across = bridges(sums)
    groups = []
    for (experiment, task, simulated), runs in sums.runs.groupby(["experiment_id", "task", "simulated"], sort=True):
        mine = tuple(b for b in across if (b.experiment_id, b.task, b.simulated) == (experiment, task, simulated))
        labels = _labels(runs)
        rows = [
            _row(str(label), sums.of(list(cell["run_id"])), [b for b in mine if b.cell_id == cell_id])
            for (label, cell_id), cell in runs.assign(label=runs["cell_id"].map(labels)).groupby(["label", "cell_id"])
        ]
        rows.sort(key=lambda row: (row.family != "single", row.label))
        groups.append(Group(str(experiment), str(task), bool(simulated), tuple(rows), mine))
    return Summary(tuple(groups), results.notes)


def _labels(runs: pd.DataFrame) -> dict[str, str]:
    """Cell → topology and those parameters that differ between the cells of this table."""
    cells = runs.drop_duplicates("cell_id")
    params: dict[str, dict[str, Any]] = {
        c: json.loads(p) for c, p in zip(cells["cell_id"], cells["params"], strict=True)
    }
    keys = sorted({k for p in params.values() for k in p} - {"topology"})
    varied = [k for k in keys if len({json.dumps(p.get(k)) for p in params.values()}) > 1]
    labels = {}
    for cell, topology in zip(cells["cell_id"], cells["topology"], strict=True):
        chosen = [f"{k}={params[cell][k]}" for k in varied if k in params[cell]]
        labels[str(cell)] = " ".join([str(topology), *chosen])
    return labels


def _row(label: str, cell: Tally, found: list[Bridge]) -> SummaryRow:
    runs = cell.runs
    first = runs.iloc[0]
    content = cell.content
    prompt = content["direction"] == "prompt"
    statuses = runs["status"].value_counts().sort_index()
    passed = int(runs["passed"].sum())
    cost = _cost(runs["cost_usd"], bool(runs["cost_complete"].all()), exact=runs["cost_pusd"])
    judged = runs["judge_tokens"] > 0
    compared = found[0].tokens if len(found) == 1 else None

    def total(column: str) -> int:
        return int(runs[column].sum())

    def again(kind: str) -> int:
        return int(content.loc[prompt & (content["reread"] == kind), "tokens"].sum())

    return SummaryRow(
        label=label,
        topology=str(first["topology"]),
        cell_id=str(first["cell_id"]),
        family=str(first["family"]),
        runs=len(runs),
        statuses={str(s): int(n) for s, n in statuses.items() if s != "ok"},
        score_mean=float(runs["score"].sum()) / len(runs),
        passed=passed,
        wall_mean_s=float(runs["wall_s"].sum()) / len(runs),
        tokens=total("prompt_tokens") + total("completion_tokens"),
        judge_tokens=total("judge_tokens"),
        cost=cost,
        uncached=_cost(runs["cost_uncached_usd"], cost.complete),
        judge_cost=_cost(runs.loc[judged, "judge_cost_usd"], True),
        cost_per_success=cost.per(passed) if passed else None,
        purposes=by_purpose(cell),
        coordination_per_single=(
            compared.coordination / compared.single_total if compared and compared.single_total else None
        ),
        reread_self=again("self"),
        reread_cross=again("cross"),
        messages=total("messages"),
        redelivery_tokens=total("redelivery_tokens"),
        retries_transport=total("retries_transport"),
        retries_validation=total("retries_validation"),
        revisions=total("revisions"),
        escalations=total("escalations"),
        depth_violations=total("depth_violations"),
        refused=total("refused"),
    )


def _cost(usd: pd.Series[float], complete: bool, exact: pd.Series[int] | None = None) -> Cost:
    """Sum what is known; from the exact integers where there are any."""
    known = usd.dropna()
    if len(usd) and not len(known):
        return Cost(None, False)
    total = float(known.sum()) if exact is None else int(exact.dropna().sum()) / 10**12
    return Cost(total, complete and len(known) == len(usd))
