"""One run from its sample to its record. Whatever goes wrong becomes a row; only cancellation gets out."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, pairwise
from math import fsum, inf

from harness.accounting.ledger import PUSD, Ledger
from harness.accounting.purposes import Purpose
from harness.cell import Cell
from harness.clock.protocol import Clock
from harness.delegation.log import DelegationLog
from harness.errors import LimitExceeded, TopologyFailed, first_fault
from harness.events import Events
from harness.graders.grader import GRADER
from harness.leftovers import owned_tasks
from harness.limits import Scope
from harness.models.operations import Operator
from harness.models.roles import STRONG
from harness.records import SCHEMA_VERSION, CallRow, RunRecord, RunRow, ShareRow
from harness.session import Session
from harness.suite import Sample
from harness.topology import joins_bus, solved
from harness.version import VERSION

ANSWER_CUT = 20_000
"""Characters kept of an answer in its row."""
NOT_GRADED = ("failed", "error")
"""Statuses of runs that score 0 and have not passed, whatever the threshold."""
DRIFT = (0.8, 1.25)
"""Reported over counted prompt tokens: outside, the split is made with weights that may be off."""


@dataclass(slots=True)
class Outcome:
    """How a run ended."""

    status: str = "ok"
    answer: str = ""
    score: float = 0.0
    rule_score: float | None = None
    error_type: str | None = None
    error: str | None = None
    limit: str | None = None

    def failed(self, status: str, fault: BaseException, where: str = "") -> None:
        self.status, self.error_type = status, type(fault).__name__
        self.error = f"{where}{fault}"


async def run_sample(cell: Cell, sample_id: str, epoch: int, clock: Clock, scope: Scope) -> RunRecord:
    """Solve and grade one sample. ``scope``: the experiment's."""
    run_id = f"{cell.experiment_id}-{cell.cell_id}-{sample_id}-e{epoch}"
    started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
    time = clock.start()
    events, ledger, outcome = Events(run_id, time), Ledger(run_id), Outcome()
    limits = cell.limits
    try:
        sample = _checked(cell.suite.sample(sample_id), sample_id)
        tools = tuple(cell.suite.tools(sample))
    except BaseException as fault:
        _refuse_cancelled(fault)
        events.emit("error", "task", {"traceback": traceback.format_exc()})
        outcome.failed("error", fault, "sample: ")
        sample, tools = Sample(sample_id, "", "", None, 0, "", 0.0, 0.0, sample_id), ()
    session = Session(
        run_id=run_id,
        sample=sample,
        epoch=epoch,
        seed=cell.seed,
        topology=cell.topology_name,
        team=cell.topology.family == "team",
        tools=tools,
        model=cell.model,
        bus=cell.bus,
        time=time,
        limits=limits,
        scope=Scope("run", scope, usd=limits.run_usd, tokens=limits.run_tokens, calls=limits.run_calls),
        events=events,
        ledger=ledger,
        operator=Operator(ledger, limits, time),
        delegations=DelegationLog(run_id, ledger, time),
        rehearsal=cell.rehearsal,
        ablate=getattr(cell.topology, "ablate", None),
    )
    session.asked.update(cell.grader.models)
    if outcome.status == "ok":
        events.emit("run_started", "engine", {"sample_id": sample_id, "epoch": epoch})
        with owned_tasks() as left:
            await _solve(cell, session, outcome)
            await left.end(session)
        wall_s = time.now() if session.answered_s is None else session.answered_s
        await _grade(cell, sample, session, outcome)
        events.emit("run_ended", "engine", {"status": outcome.status, "score": outcome.score})
    else:
        wall_s = 0.0
    row = _row(cell, session, outcome, wall_s, started_at, clock.kind)
    return RunRecord(
        row,
        _in_order(ledger.calls),
        ledger.shares,
        session.messages,
        session.delegations.rows(),
        events.rows,
        session.shown,
    )


async def _solve(cell: Cell, session: Session, outcome: Outcome) -> None:
    try:
        outcome.answer = await _answer(cell, session)
        session.offer(outcome.answer)
        if session.answered_s is None:
            session.answered()
        session.scope.check()  # the last call may have passed a bound: its answer counts, and so does the breach
        return
    except LimitExceeded as limit:
        if session.answered_s is not None and limit.facts["scope"] == "experiment":
            return  # it ends the command, and has cut off nothing here
        outcome.failed("limit", limit)
        outcome.limit = str(limit)
    except TimeoutError as timeout:
        if session.answered_s is None:  # otherwise the time went on what was late, and is not the run's
            outcome.failed("timeout", timeout)
            outcome.limit = str(timeout)
    except TopologyFailed as failed:
        outcome.failed("failed", failed)
    except BaseException as fault:
        _refuse_cancelled(fault)
        session.events.emit("error", "engine", {"traceback": traceback.format_exc()})
        outcome.failed("error", fault, "topology: ")
    outcome.answer = session.offered


async def _answer(cell: Cell, session: Session) -> str:
    """The topology's answer within ``run_wall_s``. Raises the fault itself where the topology raised a group."""
    bound = cell.limits.run_wall_s
    try:
        async with session.time.timeout(inf if bound is None else bound, "engine"):
            return await solved(cell.topology, session)
    except BaseExceptionGroup as group:
        raise first_fault(group) from None
    except TimeoutError as inner:
        raise TimeoutError(str(inner) or f"run_wall_s: not done after {bound:g} s") from None


def _checked(sample: Sample, sample_id: str) -> Sample:
    """The sample, if its rows can be written and paired. Raises TypeError or ValueError for one that a suite got
    wrong."""
    if not isinstance(sample, Sample):
        raise TypeError(f"the suite made {sample!r:.80} for '{sample_id}', which is no Sample")
    if sample.id != sample_id:
        raise ValueError(f"the suite made sample '{sample.id}' when asked for '{sample_id}'")
    if sample.material_tokens < 0 or not sample.material_hash:
        raise ValueError(f"material_tokens={sample.material_tokens}, material_hash='{sample.material_hash}'")
    for name in ("graph_work", "graph_critical_path"):
        if not 0 <= getattr(sample, name) < inf:
            raise ValueError(f"{name}={getattr(sample, name)}: must be a finite number of at least 0")
    json.dumps(sample.tags)
    return sample


def _refuse_cancelled(fault: BaseException) -> None:
    """Pass on a cancellation that somebody asked for. One that a topology or a grader raised by itself is a fault."""
    task = asyncio.current_task()
    if isinstance(fault, asyncio.CancelledError) and task is not None and task.cancelling():
        raise fault


async def _grade(cell: Cell, sample: Sample, session: Session, outcome: Outcome) -> None:
    """Grade what exists; a run that failed or raised scores 0 whatever it left."""
    if outcome.status in NOT_GRADED:
        return
    try:
        graded = await cell.grader.grade(cell, sample, session, outcome.answer)
        session.events.emit("graded", GRADER, {**graded.detail, "score": graded.score})
    except BaseException as fault:
        _refuse_cancelled(fault)
        session.events.emit("error", GRADER, {"traceback": traceback.format_exc()})
        outcome.failed("error", fault, "grader: ")
        if isinstance(fault, LimitExceeded) and fault.facts["scope"] == "experiment":
            outcome.limit = str(fault)  # the judge was cut off: to be run again
        return
    outcome.score, outcome.rule_score = graded.score, graded.rule_score


def _row(cell: Cell, session: Session, outcome: Outcome, wall_s: float, started_at: str, clock: str) -> RunRow:
    sample, counters = session.sample, session.counters
    judged = [c for c in session.ledger.calls if c.activity == Purpose.JUDGE]
    calls = [c for c in session.ledger.calls if c.activity != Purpose.JUDGE]
    known = [c for c in calls if c.cost_pusd is not None]
    cost = sum(c.cost_pusd or 0 for c in known) if known or not calls else None
    uncached = [c.cost_uncached_usd for c in calls if c.cost_uncached_usd is not None]
    operations = {c.operation_id for c in calls}
    classes = _by_class(session.ledger.shares)
    return RunRow(
        schema_version=SCHEMA_VERSION,
        experiment_id=cell.experiment_id,
        cell_id=cell.cell_id,
        params=cell.params,
        run_id=session.run_id,
        topology=cell.topology_name,
        task=cell.task_name,
        model=session.main.name,
        simulated=cell.model.simulated or any(m.simulated for m in cell.model.roles.values()),
        sample_id=sample.id,
        cluster_id=sample.cluster_id or sample.id,
        epoch=session.epoch,
        seed=cell.seed,
        material_hash=sample.material_hash,
        status=outcome.status,
        error_type=outcome.error_type,
        error=outcome.error,
        limit=outcome.limit,
        score=outcome.score,
        passed=outcome.status not in NOT_GRADED and outcome.score >= cell.suite.pass_threshold,
        wall_s=wall_s,
        working_s=wall_s - _waiting(session.operator.waits, calls, wall_s),
        cost_usd=None if cost is None else cost / PUSD,
        cost_pusd=cost,
        cost_complete=len(known) == len(calls),
        cost_uncached_usd=fsum(uncached) if uncached or not calls else None,
        prompt_tokens=sum(c.prompt_tokens for c in calls),
        cached_tokens=sum(c.cached_tokens for c in calls),
        cache_write_tokens=sum(c.cache_write_tokens for c in calls),
        completion_tokens=sum(c.completion_tokens for c in calls),
        reasoning_tokens=sum(c.reasoning_tokens for c in calls),
        work_tokens=classes.get("work", 0),
        coordination_tokens=classes.get("coordination", 0),
        verification_tokens=classes.get("verification", 0),
        judge_tokens=sum(c.prompt_tokens + c.completion_tokens for c in judged),
        judge_cost_usd=_sum_or_none([c.cost_usd for c in judged]),
        calls=len(operations),
        attempts=len(calls),
        retries_transport=len(calls) - len(operations),
        retries_validation=counters.retries_validation,
        revisions=counters.revisions,
        escalations=counters.escalations,
        depth_violations=counters.depth_violations,
        refused=counters.refused,
        left_out=len(counters.left_out),
        parse_failures=counters.parse_failures,
        messages=sum(m.delivery != "duplicate" for m in session.messages),
        redelivery_tokens=counters.redelivery_tokens,
        peak_prompt_tokens=max((c.prompt_tokens for c in calls), default=0),
        window_tokens=session.main.window_tokens,
        started_at=started_at,
        config_hash=cell.config_hash,
        git_commit=cell.git_commit,
        harness_version=VERSION,
        family=cell.topology.family,
        material_tokens=sample.material_tokens,
        graph_work=sample.graph_work,
        graph_critical_path=sample.graph_critical_path,
        tags=json.dumps(sample.tags, ensure_ascii=False),
        pass_threshold=cell.suite.pass_threshold,
        grader=cell.grader_name,
        rubric_hash=cell.grader.rubric_hash,
        rule_score=outcome.rule_score,
        ablate=cell.ablate,
        clock=clock,
        bus=cell.bus_name if joins_bus(cell.topology) else None,
        warnings=json.dumps(_warnings(session, calls), ensure_ascii=False),
        answer=outcome.answer[:ANSWER_CUT],
    )


def _in_order(calls: Sequence[CallRow]) -> list[CallRow]:
    """As they ended. Of those that were cut off in one instant, which is told first is chance: these go by name."""
    rows: list[CallRow] = []
    for (cut_off, _), found in groupby(calls, key=lambda c: (c.status == "cancelled", c.ended_s)):
        ended = list(found)
        rows += sorted(ended, key=lambda c: (c.agent, c.operation_id, c.attempt)) if cut_off else ended
    return rows


def _by_class(shares: Sequence[ShareRow]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for s in shares:
        totals[s.purpose_class] = totals.get(s.purpose_class, 0) + s.tokens
    return totals


def _sum_or_none(values: Sequence[float | None]) -> float | None:
    """A sum of which every term is known; 0 for none at all."""
    return None if any(v is None for v in values) else fsum(v for v in values if v is not None)


def _waiting(waits: Sequence[tuple[float, float]], calls: Sequence[CallRow], wall_s: float) -> float:
    """Seconds in which somebody waited for a rate limit or a queue and no call was under way."""
    edges = sorted({0.0, wall_s, *(t for w in waits for t in w), *(t for c in calls for t in (c.started_s, c.ended_s))})
    busy = [(c.started_s, c.ended_s) for c in calls]
    total = 0.0
    if waits:
        for a, b in pairwise(edges):
            if b <= wall_s and _covered(a, b, waits) and not _covered(a, b, busy):
                total += b - a
    return total


def _covered(a: float, b: float, spans: Sequence[tuple[float, float]]) -> bool:
    return any(start <= a and b <= end for start, end in spans)


def _warnings(session: Session, calls: Sequence[CallRow]) -> list[str]:
    out = list(session.events.faults)
    if session.events.dropped:
        out.append(f"{session.events.dropped} events dropped beyond the buffer")
    cut = sum(c.finish_reason == "length" for c in calls)
    if cut:
        out.append(f"{cut} completion(s) cut off at their longest output: what was being written is not whole")
    served = sum(c.served_from == "journal" for c in calls)
    if served:
        out.append(f"{served} of {len(calls)} calls served from a journal: this run's cost and time leave them out")
    roles = {a.caller.role for a in session.agents.values()}
    idle = session.model.roles.keys() - roles - session.asked - {STRONG, session.sample.model}
    if idle and roles:
        known = ", ".join(sorted(roles))
        out.append(f"model.roles names {', '.join(sorted(idle))}, which no agent of this run was; its roles: {known}")
    read = [c for c in calls if c.status == "ok" and c.usage_status == "reported"]  # a refused request was not read
    counted, reported = sum(c.counted_prompt_tokens for c in read), sum(c.prompt_tokens for c in read)
    if counted and not DRIFT[0] <= reported / counted <= DRIFT[1]:
        out.append(f"tokeniser drift: {reported:,} prompt tokens reported, {counted:,} counted")
    return out
