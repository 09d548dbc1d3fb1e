"""The rows that a run becomes: one dataclass a table, one field a column.

These are the contract between the engine that writes and the analyses that read; nothing else is shared. Every table
carries the hive partition keys ``topology`` and ``task`` through its path, and every row but those of ``runs`` finds
its run by ``run_id``. ``None`` means unknown or not applicable, never zero. Seconds are measured on the run's own clock
from the run's start; USD amounts come twice, as exact integer picodollars (``*_pusd``, 10⁻¹² USD) and as float. Runs
that another harness made (``harness_version`` says ``imported``) may lack what ours never do: seconds are NaN there
when unknown, declared sizes and graphs 0, texts empty.
"""

from __future__ import annotations

from dataclasses import dataclass, field

SCHEMA_VERSION = 4


def places(agent: str) -> list[str]:
    """Where an agent stands, the nearest first: it is its own place, and of an agent inside a worker that is a
    topology, ``worker/agent``, each such worker is one."""
    return [agent, *(agent[:i] for i in range(len(agent) - 1, 0, -1) if agent[i] == "/")]


@dataclass(slots=True)
class RunRow:
    """One (cell, sample, epoch)."""

    schema_version: int
    experiment_id: str
    cell_id: str
    params: str  # JSON object: the overrides that distinguish this cell in its sweep
    run_id: str
    topology: str
    task: str
    model: str
    simulated: bool
    sample_id: str
    cluster_id: str
    epoch: int
    seed: int
    material_hash: str
    status: str  # ok | limit | timeout | failed | error
    error_type: str | None
    error: str | None
    limit: str | None  # the limit's name and by how much it was passed
    score: float  # 0..1; 0 for a run that produced nothing gradable
    passed: bool
    wall_s: float
    working_s: float  # wall_s minus waiting for rate limits and queues
    cost_usd: float | None
    cost_pusd: int | None
    cost_complete: bool
    cost_uncached_usd: float | None
    prompt_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    work_tokens: int
    coordination_tokens: int
    verification_tokens: int
    judge_tokens: int
    judge_cost_usd: float | None
    calls: int  # operations
    attempts: int
    retries_transport: int
    retries_validation: int
    revisions: int
    escalations: int
    depth_violations: int
    refused: int
    left_out: int  # of a panel, of tags or of a board: agents that failed or took too long, whose part is missing
    parse_failures: int  # tool calls, delegation tags and verdicts that could not be read
    messages: int
    redelivery_tokens: int
    peak_prompt_tokens: int
    window_tokens: int
    started_at: str  # UTC, ISO 8601, of the real world
    config_hash: str
    git_commit: str | None
    harness_version: str
    family: str  # single | team
    material_tokens: int
    graph_work: float
    graph_critical_path: float
    tags: str  # JSON array
    pass_threshold: float
    grader: str  # suite, or the name of another grader that made the score
    rubric_hash: str | None  # sha256 of the rubric it went by; the text stands in the manifest's configuration
    rule_score: float | None  # by the suite's own rule, where another grader made the score
    ablate: str | None
    clock: str  # real | virtual
    bus: str | None
    warnings: str  # JSON array of sentences
    answer: str  # what was graded, cut at 20,000 characters


@dataclass(slots=True)
class CallRow:
    """One attempt of one operation: one request that was sent, or one answer served from a journal."""

    run_id: str
    operation_id: str
    attempt: int
    session_id: str
    parent_session_id: str | None
    agent: str
    role: str
    model: str
    depth: int
    intent: str
    activity: str
    started_s: float
    ended_s: float
    queue_s: float
    status: str  # ok | error | timeout | cancelled
    usage_status: str  # reported | estimated | missing
    served_from: str  # provider | journal
    used: bool
    late: bool
    prompt_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    counted_prompt_tokens: int
    cost_usd: float | None
    cost_pusd: int | None
    fee_pusd: int | None
    list_cost_usd: float | None
    cost_uncached_usd: float | None
    finish_reason: str | None
    error: str | None


@dataclass(slots=True)
class ShareRow:
    """The part of one attempt's tokens and cost that has one purpose and one author."""

    run_id: str
    operation_id: str
    attempt: int
    direction: str  # prompt | completion
    purpose: str
    purpose_class: str  # work | coordination | verification | judge | unknown
    author: str
    tokens: int
    cached_tokens: int
    reasoning_tokens: int
    reread: str  # new | self | cross
    cost_pusd: int | None


@dataclass(slots=True)
class MessageRow:
    """One message on the bus and what became of it."""

    run_id: str
    msg_id: str
    in_reply_to: str | None
    sender: str
    recipient: str
    type: str
    content: str
    context: str
    tokens: int
    sent_s: float
    read_s: float | None
    delivery: str  # read | trimmed | duplicate | redelivered | expired


@dataclass(slots=True)
class DelegationRow:
    """One try of one delegated subtask.

    ``tokens``: of the worker's calls from this try's beginning to its next try's, or the run's end; of a worker that is
    a topology, those of all its agents but those to whom it has delegated itself, who have rows of their own.
    ``copied_tokens``: of ``raw_output``, those in sentences or JSON leaves that stand in material that the worker read.
    ``card_tokens``: of the context card. ``validated``: whether the validation ring, or an evaluator, looked at it.
    ``unchecked``: criteria and forbidden actions in free text, which nothing checks.
    """

    run_id: str
    delegation_id: str
    try_: int = field(metadata={"column": "try"})
    subtask_id: str
    worker: str
    type: str
    order: str  # JSON
    raw_output: str
    validated: bool
    validation_errors: str  # JSON array
    unchecked: str  # JSON array
    # success | partial_success | failed | returned (by checks) | revise (by a review) | needs_person | forbidden |
    # blocked | unanswered
    status: str
    tokens: int
    copied_tokens: int
    card_tokens: int
    seconds: float


@dataclass(slots=True)
class EventRow:
    """One event of a run, in order."""

    run_id: str
    seq: int
    at_s: float
    type: str
    agent: str
    data: str  # JSON; tool results cut at 10,000 characters


@dataclass(slots=True)
class RunRecord:
    """Everything one finished run left behind; stored whole or not at all. ``shown``: what the command is to print
    (``Session.show``), which is no row."""

    run: RunRow
    calls: list[CallRow] = field(default_factory=list)
    shares: list[ShareRow] = field(default_factory=list)
    messages: list[MessageRow] = field(default_factory=list)
    delegations: list[DelegationRow] = field(default_factory=list)
    events: list[EventRow] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


TABLES: dict[str, type] = {
    "runs": RunRow,
    "calls": CallRow,
    "shares": ShareRow,
    "messages": MessageRow,
    "delegations": DelegationRow,
    "events": EventRow,
}
"""Table name → row class, in writing order."""
