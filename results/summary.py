"""What a run ends with, as typed tables: one row a cell; failures in every denominator; unknown cost never zero."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from results.against import Against, against_first
from results.bridge import BASELINE, Bridge, bridges
from results.columns import Columns
from results.delegations import Delegations, delegated
from results.frames import Results
from results.labels import labels, place
from results.origin import imported
from results.purposes import PurposeTable, by_purpose
from results.tally import Tally, tallied
from results.yardstick import Yardstick, yardsticks


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

    ``name``: topology, and the swept parameters that tell cells apart, each ``key=value``. ``statuses``: status → runs,
    without ``ok``. ``coordination_per_single``: coordination tokens / single's tokens on the same pairs; None unless
    there is exactly one ``single`` cell to compare with, and where purposes are not known. ``reread_self``,
    ``reread_cross``: prompt tokens sent before to this agent, or first to another agent of the run. ``late_tokens``: of
    calls that nobody waited for any more. ``parallelism``: time in the other calls / wall-clock, sums over the runs;
    None where no call has times. ``unmeasured``: attempts without usage, whose tokens nobody knows. ``wall_mean_s``,
    ``working_mean_s``: NaN where a run's is not known. ``speedup``: single's wall-clock / this one's on the same pairs,
    None as above.
    """

    name: tuple[str, ...]
    topology: str
    cell_id: str
    family: str
    runs: int
    statuses: Mapping[str, int]
    score_mean: float
    passed: int
    wall_mean_s: float
    working_mean_s: float
    parallelism: float | None
    speedup: float | None
    tokens: int
    unmeasured: int
    judge_tokens: int
    cost: Cost
    uncached: Cost
    judge_cost: Cost
    cost_per_success: Cost | None
    purposes: PurposeTable
    delegations: Delegations
    coordination_per_single: float | None
    reread_self: int
    reread_cross: int
    late_tokens: int
    messages: int
    redelivery_tokens: int
    retries_transport: int
    retries_validation: int
    revisions: int
    escalations: int
    depth_violations: int
    refused: int
    left_out: int
    parse_failures: int

    @property
    def label(self) -> str:
        return " ".join(self.name)


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that may stand in one table: one experiment, one task, all simulated or all real. In the order of the sweep
    within a topology, the single family first. ``graders``: who made the scores. ``imported``: whether any row comes
    from elsewhere, so that only outcome, tokens, cost and time are known."""

    experiment_id: str
    task: str
    simulated: bool
    rows: tuple[SummaryRow, ...]
    bridges: tuple[Bridge, ...]
    changes: tuple[Against, ...]
    yardsticks: tuple[Yardstick, ...]
    graders: tuple[str, ...]
    imported: bool

    def row(self, cell_id: str) -> SummaryRow:
        return next(row for row in self.rows if row.cell_id == cell_id)


@dataclass(frozen=True, slots=True)
class Summary:
    """``notes``: sentences about what could not be read."""

    groups: tuple[Group, ...]
    notes: tuple[str, ...]


def summarize(results: Results) -> Summary:
    """Everything the terminal shows, worked out from stored rows alone. Raises StoreError if the bridge is broken."""
    sums = tallied(results)
    unmeasured = sums.unmeasured
    across = bridges(sums)
    groups = []
    for (experiment, task, simulated), runs in sums.runs.groups("experiment_id", "task", "simulated"):
        mine = tuple(b for b in across if (b.experiment_id, b.task, b.simulated) == (experiment, task, simulated))
        names = labels(runs)
        rows = [
            _row(names[cell_id], sums.of(cell.texts("run_id").tolist()), [b for b in mine if b.cell_id == cell_id])
            for (cell_id,), cell in runs.groups("cell_id")
        ]
        rows.sort(key=lambda row: (row.family != "single", row.topology != BASELINE, row.topology, place(row.cell_id)))
        changed = against_first(sums.of(runs.texts("run_id").tolist()))
        graders = tuple(sorted(set(runs.texts("grader").tolist())))
        foreign = bool(imported(runs).any())
        groups.append(
            Group(
                experiment, task, simulated, tuple(rows), mine, changed, yardsticks(runs, unmeasured), graders, foreign
            )
        )
    return Summary(tuple(groups), results.notes)


def _row(name: tuple[str, ...], cell: Tally, found: list[Bridge]) -> SummaryRow:
    runs, content = cell.runs, cell.content
    prompt = content.texts("direction").equal("prompt")
    statuses = Counter(runs.texts("status").tolist())
    passed = runs.total("passed")
    cost = _cost(runs, "cost_usd", bool(runs.numbers("cost_complete").all()), exact="cost_pusd")
    judged = runs.where(runs.numbers("judge_tokens") > 0)
    compared = found[0].tokens if len(found) == 1 and not found[0].untold else None
    wall_s = math.fsum(runs.numbers("wall_s").tolist())

    def again(kind: str) -> int:
        return content.where(prompt & content.texts("reread").equal(kind)).total("tokens")

    return SummaryRow(
        name=name,
        topology=runs.texts("topology").tolist()[0],
        cell_id=runs.texts("cell_id").tolist()[0],
        family=runs.texts("family").tolist()[0],
        runs=len(runs),
        statuses={status: n for status, n in sorted(statuses.items()) if status != "ok"},
        score_mean=math.fsum(runs.numbers("score").tolist()) / len(runs),
        passed=passed,
        wall_mean_s=wall_s / len(runs),
        working_mean_s=math.fsum(runs.numbers("working_s").tolist()) / len(runs),
        parallelism=cell.activity.total("busy_us") / 1e6 / wall_s if wall_s and not imported(runs).any() else None,
        speedup=found[0].speedup if len(found) == 1 else None,
        tokens=runs.total("prompt_tokens") + runs.total("completion_tokens"),
        unmeasured=cell.activity.total("unmeasured"),
        judge_tokens=runs.total("judge_tokens"),
        cost=cost,
        uncached=_cost(runs, "cost_uncached_usd", cost.complete),
        judge_cost=_cost(judged, "judge_cost_usd", True),
        cost_per_success=cost.per(passed) if passed else None,
        purposes=by_purpose(cell),
        delegations=delegated(cell),
        coordination_per_single=(
            compared.coordination / compared.single_total if compared and compared.single_total else None
        ),
        reread_self=again("self"),
        reread_cross=again("cross"),
        late_tokens=cell.activity.total("late"),
        messages=runs.total("messages"),
        redelivery_tokens=runs.total("redelivery_tokens"),
        retries_transport=runs.total("retries_transport"),
        retries_validation=runs.total("retries_validation"),
        revisions=runs.total("revisions"),
        escalations=runs.total("escalations"),
        depth_violations=runs.total("depth_violations"),
        refused=runs.total("refused"),
        left_out=runs.total("left_out"),
        parse_failures=runs.total("parse_failures"),
    )


def _cost(runs: Columns, usd: str, complete: bool, exact: str | None = None) -> Cost:
    """Sum what is known; from the exact integers where there are any."""
    known = [v for v in runs.numbers(usd).tolist() if not math.isnan(v)]
    if len(runs) and not known:
        return Cost(None, False)
    total = math.fsum(known) if exact is None else runs.total(exact) / 10**12
    return Cost(total, complete and len(known) == len(runs))
