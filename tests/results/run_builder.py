"""Consistent run records, made from a short list of calls by plain addition.

A token of a prompt costs 3 USD a million (3,000,000 pUSD), one of a completion 15 USD a million, so every expected
figure can be worked out by hand.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from harness.accounting.purposes import CLASS_OF, Purpose
from harness.records import SCHEMA_VERSION, CallRow, DelegationRow, EventRow, MessageRow, RunRecord, RunRow, ShareRow

PROMPT_RATE = 3_000_000
COMPLETION_RATE = 15_000_000


@dataclass(frozen=True)
class Experiment:
    """What the store asks of an experiment."""

    experiment_id: str
    manifest: Mapping[str, Any] = field(default_factory=dict)


WALL_S = 10.0


@dataclass(frozen=True)
class Read:
    """Part of a prompt."""

    purpose: str
    tokens: int
    reread: str = "new"
    author: str = "task"
    cached: int = 0


@dataclass(frozen=True)
class Call:
    """One attempt; ``writes``: (purpose, tokens, of which reasoning)."""

    agent: str
    reads: Sequence[Read]
    writes: Sequence[tuple[str, int, int]]
    intent: str = "answer"
    operation: str = ""
    attempt: int = 1
    fee: int = 0
    priced: bool = True
    status: str = "ok"
    late: bool = False


@dataclass(frozen=True)
class Tried:
    """One try of a delegated subtask."""

    status: str = "success"
    number: int = 1
    delegation: str = "d1"
    worker: str = "worker1"
    tokens: int = 0
    copied: int = 0
    card: int = 0
    errors: Sequence[str] = ()

    @property
    def answered(self) -> bool:
        return self.status not in ("unanswered", "failed")

    def row(self, run_id: str) -> DelegationRow:
        return DelegationRow(
            run_id=run_id,
            delegation_id=self.delegation,
            try_=self.number,
            subtask_id=f"subtask_{self.delegation}",
            worker=self.worker,
            type="member",
            order='{"objective": "extract"}',
            raw_output="one two three" if self.answered else "",
            validated=self.answered,
            validation_errors=json.dumps(list(self.errors)),
            unchecked="[]",
            status=self.status,
            tokens=self.tokens,
            copied_tokens=self.copied,
            card_tokens=self.card,
            seconds=2.0,
        )


def shares_of(call: Call, run_id: str, operation: str) -> list[ShareRow]:
    def cost(tokens: int, rate: int) -> int | None:
        return tokens * rate if call.priced else None

    key = (run_id, operation, call.attempt)
    prompt = [
        ShareRow(
            *key, "prompt", r.purpose, CLASS_OF[Purpose(r.purpose)], r.author, r.tokens, r.cached, 0, r.reread,
            cost(r.tokens, PROMPT_RATE),
        )
        for r in call.reads
    ]  # fmt: skip
    completion = [
        ShareRow(
            *key, "completion", p, CLASS_OF[Purpose(p)], call.agent, tokens, 0, reasoning, "new",
            cost(tokens, COMPLETION_RATE),
        )
        for p, tokens, reasoning in call.writes
    ]  # fmt: skip
    return prompt + completion


def activity_of(call: Call) -> str:
    """The purpose with most completion tokens, ties and nothing: the intent (docs/cost-model.md, two views)."""
    tokens: Counter[str] = Counter()
    for purpose, n, _ in call.writes:
        tokens[purpose] += n
    most = max(tokens.values(), default=0)
    best = [p for p, n in tokens.items() if n == most]
    return best[0] if most and call.intent not in best else call.intent


def call_row(call: Call, run_id: str, operation: str, number: int, shares: Sequence[ShareRow]) -> CallRow:
    prompt = sum(r.tokens for r in call.reads)
    completion = sum(n for _, n, _ in call.writes)
    cost = sum(s.cost_pusd or 0 for s in shares) + call.fee if call.priced else None
    usd = None if cost is None else cost / 10**12
    missing = not prompt and not completion and not call.priced
    at = number + (WALL_S if call.intent == "judge" else 0)
    return CallRow(
        run_id=run_id,
        operation_id=operation,
        attempt=call.attempt,
        session_id=f"{run_id}/{call.agent}",
        parent_session_id=None if call.agent == "lead" else f"{run_id}/lead",
        agent=call.agent,
        role=call.agent.rstrip("0123456789"),
        model="simulated",
        depth=0 if call.agent == "lead" else 1,
        intent=call.intent,
        activity=activity_of(call),
        started_s=float(at),
        ended_s=at + 0.5,
        queue_s=0.0,
        status=call.status,
        usage_status="missing" if missing else "reported",
        served_from="provider",
        used=call.status == "ok" and not call.late,
        late=call.late,
        prompt_tokens=prompt,
        cached_tokens=sum(r.cached for r in call.reads),
        cache_write_tokens=0,
        completion_tokens=completion,
        reasoning_tokens=sum(r for _, _, r in call.writes),
        counted_prompt_tokens=prompt,
        cost_usd=usd,
        cost_pusd=cost,
        fee_pusd=None if cost is None else call.fee,
        list_cost_usd=usd,
        cost_uncached_usd=usd,
        finish_reason="stop" if call.status == "ok" else None,
        error=None if call.status == "ok" else "connection reset",
    )


def record(
    calls: Sequence[Call],
    *,
    experiment: str = "exp",
    topology: str = "single",
    cell: str = "",
    task: str = "qa",
    sample: str = "s1",
    epoch: int = 0,
    params: str | None = None,
    simulated: bool = False,
    status: str = "ok",
    score: float = 1.0,
    messages: Sequence[tuple[str, str | None]] = (),
    events: int = 0,
    delegations: Sequence[Tried] = (),
    **changes: Any,
) -> RunRecord:
    """One run; ``messages``: (id, in reply to); ``changes``: fields of the run row to overwrite."""
    cell = cell or f"{topology}-cell"
    run_id = f"{experiment}/{cell}/{sample}/{epoch}"
    rows: list[CallRow] = []
    shares: list[ShareRow] = []
    for number, call in enumerate(calls):
        operation = call.operation or f"op{number}"
        made = shares_of(call, run_id, operation)
        shares += made
        rows.append(call_row(call, run_id, operation, number, made))
    mine = [c for c in rows if c.activity != "judge"]
    judging = [c for c in rows if c.activity == "judge"]
    by_class: Counter[str] = Counter()
    for s in shares:
        by_class[s.purpose_class] += s.tokens
    known = [c.cost_pusd for c in mine if c.cost_pusd is not None]
    cost = sum(known) if known or not mine else None
    run = RunRow(
        schema_version=SCHEMA_VERSION,
        experiment_id=experiment,
        cell_id=cell,
        params=params if params is not None else f'{{"topology": "{topology}"}}',
        run_id=run_id,
        topology=topology,
        task=task,
        model="m",
        simulated=simulated,
        sample_id=sample,
        cluster_id=sample,
        epoch=epoch,
        seed=0,
        material_hash=f"hash-{sample}",
        status=status,
        error_type=None if status == "ok" else "RuntimeError",
        error=None if status == "ok" else "boom",
        limit=None,
        score=score,
        passed=score >= 0.5 and status not in ("failed", "error"),
        wall_s=WALL_S,
        working_s=9.0,
        cost_usd=None if cost is None else cost / 10**12,
        cost_pusd=cost,
        cost_complete=len(known) == len(mine),
        cost_uncached_usd=None if cost is None else cost / 10**12,
        prompt_tokens=sum(c.prompt_tokens for c in mine),
        cached_tokens=sum(c.cached_tokens for c in mine),
        cache_write_tokens=sum(c.cache_write_tokens for c in mine),
        completion_tokens=sum(c.completion_tokens for c in mine),
        reasoning_tokens=sum(c.reasoning_tokens for c in mine),
        work_tokens=by_class["work"],
        coordination_tokens=by_class["coordination"],
        verification_tokens=by_class["verification"],
        judge_tokens=by_class["judge"],
        judge_cost_usd=sum(c.cost_pusd or 0 for c in judging) / 10**12 if judging else None,
        calls=len({c.operation_id for c in mine}),
        attempts=len(mine),
        retries_transport=len(mine) - len({c.operation_id for c in mine}),
        retries_validation=sum(t.status == "returned" for t in delegations),
        revisions=0,
        escalations=0,
        depth_violations=0,
        refused=0,
        left_out=0,
        parse_failures=0,
        messages=len({m for m, _ in messages}),
        redelivery_tokens=0,
        peak_prompt_tokens=max((c.prompt_tokens for c in mine), default=0),
        window_tokens=128_000,
        started_at="2025-01-01T00:00:00+00:00",
        config_hash="c",
        git_commit=None,
        harness_version="0.1.0",
        family="team" if any(s.purpose_class == "coordination" for s in shares) else "single",
        material_tokens=100,
        graph_work=1.0,
        graph_critical_path=1.0,
        tags="[]",
        pass_threshold=0.5,
        grader="judge" if judging else "suite",
        rubric_hash="0" * 64 if judging else None,
        rule_score=1.0 if judging else None,
        ablate=None,
        clock="real",
        bus=None,
        warnings="[]",
        answer="42",
    )
    for name, value in changes.items():
        setattr(run, name, value)
    return RunRecord(
        run=run,
        calls=rows,
        shares=shares,
        messages=[
            MessageRow(run_id, m, reply, "lead", "worker1", "task", "do it", "", 5, 0.0, 1.0, "read")
            for m, reply in messages
        ],
        delegations=[tried.row(run_id) for tried in delegations],
        events=[EventRow(run_id, i, float(i), "tick", "lead", "{}") for i in range(events)],
    )


def single(**options: Any) -> RunRecord:
    """1,000 tokens: 700 task read + 100 task read again by the same agent, 200 answer written (50 of it reasoning).

    USD: 800 × 3 + 200 × 15 = 5,400 millionths.
    """
    call = Call("lead", [Read("task", 700), Read("task", 100, "self", cached=64)], [("answer", 200, 50)])
    return record([call], **{"topology": "single", "events": 3, **options})


def team(**options: Any) -> RunRecord:
    """2,500 tokens in 4 attempts of 3 operations, one of which first failed unbilled (0 tokens, cost 0).

    Prompt: task 700 + 300 read again by another agent, scaffold 200, dispatch 100, merge 150, review 150 = 1,600.
    Completion: plan 100, dispatch 50, answer 500, report 50, merge 150, review 50 = 900.
    One subtask of the worker, whose 950 tokens fall into its second try; the first was returned.
    Coordination 200+100+150+100+50+50+150 = 800; verification 200; work 1,500. Fee 1,000,000 pUSD.
    USD: 1,600 × 3 + 900 × 15 = 18,300 millionths, + 1 millionth of fee.
    """
    calls = [
        Call(
            "lead",
            [Read("task", 700), Read("scaffold", 200, author="engine")],
            [("plan", 100, 0), ("dispatch", 50, 0)],
            intent="plan",
        ),
        Call("worker1", [], [], operation="w", attempt=1, status="error"),
        Call(
            "worker1",
            [Read("task", 300, "cross"), Read("dispatch", 100, author="lead")],
            [("answer", 500, 0), ("report", 50, 0)],
            operation="w",
            attempt=2,
            fee=1_000_000,
        ),
        Call(
            "lead",
            [Read("merge", 150, author="worker1"), Read("review", 150, author="worker1")],
            [("merge", 150, 0), ("review", 50, 0)],
            intent="merge",
        ),
    ]
    defaults = {"topology": "bus", "events": 4, "messages": [("m1", None), ("m2", "m1")]}
    tries = [Tried("returned", 1, errors=["no"], card=40), Tried("success", 2, tokens=950, copied=3, card=40)]
    return record(calls, **{"delegations": tries, **defaults, **options})


def rename(made: RunRecord, run_id: str) -> None:
    """Give a record another run id, in every row."""
    made.run.run_id = run_id
    for rows in (made.calls, made.shares, made.messages, made.delegations, made.events):
        for row in rows:
            row.run_id = run_id


WORK = [p.value for p in Purpose if CLASS_OF[p] == "work"]
CONTENT = [p.value for p in Purpose if CLASS_OF[p] in ("work", "coordination", "verification")]


@st.composite
def calls(draw: st.DrawFn, purposes: Sequence[str]) -> Call:
    """Any call an agent may make, priced or not, with or without a fee."""
    reads = draw(
        st.lists(
            st.builds(
                Read,
                purpose=st.sampled_from(purposes),
                tokens=st.integers(0, 100_000),
                reread=st.sampled_from(["new", "self", "cross"]),
                author=st.sampled_from(["task", "tool", "engine", "lead", "worker1"]),
            ),
            max_size=6,
        )
    )
    writes = draw(
        st.lists(
            st.tuples(st.sampled_from(purposes), st.integers(0, 10_000)).map(lambda w: (w[0], w[1], w[1] // 2)),
            max_size=4,
        )
    )
    return Call(
        agent=draw(st.sampled_from(["lead", "worker1", "worker2"])),
        reads=reads,
        writes=writes,
        intent=draw(st.sampled_from(purposes)),
        fee=draw(st.integers(0, 10**9)),
        priced=draw(st.booleans()) if reads or writes else True,
    )


@st.composite
def records(draw: st.DrawFn, topology: str = "bus") -> RunRecord:
    """Any consistent run of a topology."""
    made = draw(st.lists(calls(WORK if topology == "single" else CONTENT), max_size=5))
    score = draw(st.floats(0, 1))
    return record(
        made,
        topology=topology,
        score=score,
        family="single" if topology == "single" else "team",
        status=draw(st.sampled_from(["ok", "limit", "timeout", "failed", "error"])),
    )
