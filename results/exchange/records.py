"""A foreign run as rows of the store: one run, one call that stands for all it asked of models, and its shares.

What nobody knows stays unknown: purposes, the times of calls, and whatever the file does not say.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from harness.records import SCHEMA_VERSION, CallRow, RunRecord, RunRow, ShareRow
from results.exchange.cells import Placed
from results.exchange.reading import Told
from results.exchange.tokens import Paid
from results.origin import IMPORTED
from results.tally import UNKNOWN, class_of

NAN = float("nan")
OPERATION = "all"
_CALL_STATUS = {"error": "error", "timeout": "timeout"}


def record(run: Placed, origin: str) -> RunRecord:
    """``origin``: sha256 of the file and the map that the row was read by."""
    one = run.told
    names = (one.experiment, run.cell_id, one.sample, one.material, str(run.epoch))
    run_id = "/".join(quote(name, safe="") for name in names)
    return RunRecord(run=_run(run, run_id, origin), calls=[_call(run, run_id)], shares=list(_shares(run, run_id)))


def _run(run: Placed, run_id: str, origin: str) -> RunRow:
    one = run.told
    read, written = _tokens(one)
    wall_s = NAN if one.seconds is None else one.seconds
    return RunRow(
        schema_version=SCHEMA_VERSION,
        experiment_id=one.experiment,
        cell_id=run.cell_id,
        params=run.params,
        run_id=run_id,
        topology=run.agent.topology,
        task=one.task,
        model=one.model,
        simulated=one.simulated,
        sample_id=one.sample,
        cluster_id=one.cluster,
        epoch=run.epoch,
        seed=0,
        material_hash=one.material,
        status=one.status,
        error_type=None,
        error=one.error,
        limit=None,
        score=one.score,
        passed=one.passed,
        wall_s=wall_s,
        working_s=NAN,
        cost_usd=_usd(one.paid),
        cost_pusd=_pusd(one.paid),
        cost_complete=one.paid is not None,
        cost_uncached_usd=one.uncached_usd,
        prompt_tokens=read,
        cached_tokens=0,
        cache_write_tokens=0,
        completion_tokens=written,
        reasoning_tokens=0,
        work_tokens=0,
        coordination_tokens=0,
        verification_tokens=0,
        judge_tokens=0,
        judge_cost_usd=None,
        calls=1,
        attempts=1,
        retries_transport=0,
        retries_validation=0,
        revisions=0,
        escalations=0,
        depth_violations=0,
        refused=0,
        left_out=0,
        parse_failures=0,
        messages=0,
        redelivery_tokens=0,
        peak_prompt_tokens=read,
        window_tokens=0,
        started_at="",
        config_hash=origin,
        git_commit=None,
        harness_version=IMPORTED,
        family=run.agent.family,
        material_tokens=0,
        graph_work=0.0,
        graph_critical_path=0.0,
        tags="[]",
        pass_threshold=one.threshold,
        grader=IMPORTED,
        rubric_hash=None,
        rule_score=None,
        ablate=one.ablate,
        clock="real",
        bus=None,
        warnings=json.dumps(list(_warnings(one))),
        answer="",
    )


def _warnings(one: Told) -> Iterator[str]:
    """What the row does not say, in sentences."""
    if one.used is None:
        yield "tokens are not known: the 0 here is no measurement"
    elif one.used.together:
        yield "prompt and completion were not told apart: all tokens stand as prompt"
    if one.paid is None:
        yield "the cost is not known"
    if one.seconds is None:
        yield "the wall-clock is not known"


def _call(run: Placed, run_id: str) -> CallRow:
    one = run.told
    read, written = _tokens(one)
    return CallRow(
        run_id=run_id,
        operation_id=OPERATION,
        attempt=1,
        session_id=f"{run_id}/{OPERATION}",
        parent_session_id=None,
        agent=run.agent.name,
        role="",
        model=one.model,
        depth=0,
        intent=UNKNOWN,
        activity=UNKNOWN,
        started_s=NAN,
        ended_s=NAN,
        queue_s=NAN,
        status=_CALL_STATUS.get(one.status, "ok"),
        usage_status="missing" if one.used is None else "reported",
        served_from="provider",
        used=one.status not in _CALL_STATUS,
        late=False,
        prompt_tokens=read,
        cached_tokens=0,
        cache_write_tokens=0,
        completion_tokens=written,
        reasoning_tokens=0,
        counted_prompt_tokens=read,
        cost_usd=_usd(one.paid),
        cost_pusd=_pusd(one.paid),
        fee_pusd=None if one.paid is None else 0,
        list_cost_usd=None,
        cost_uncached_usd=one.uncached_usd,
        finish_reason=None,
        error=one.error,
    )


def _shares(run: Placed, run_id: str) -> Iterator[ShareRow]:
    """None where neither tokens nor cost are known."""
    paid = run.told.paid
    if run.told.used is None and paid is None:
        return
    costs = (None, None) if paid is None else (paid.prompt_pusd, paid.completion_pusd)
    for direction, tokens, cost in zip(("prompt", "completion"), _tokens(run.told), costs, strict=True):
        if tokens or cost:
            yield ShareRow(
                run_id, OPERATION, 1, direction, UNKNOWN, class_of(UNKNOWN), run.agent.name, tokens, 0, 0, "new", cost
            )


def _tokens(one: Told) -> tuple[int, int]:
    return (0, 0) if one.used is None else (one.used.prompt, one.used.completion)


def _pusd(paid: Paid | None) -> int | None:
    return None if paid is None else paid.pusd


def _usd(paid: Paid | None) -> float | None:
    return None if paid is None else paid.pusd / 10**12
