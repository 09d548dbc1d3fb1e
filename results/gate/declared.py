"""Which columns a gate knows of a run: what names it, what makes two runs alike, what must be as before, what need not.

Every column of every table of a store is in one of these (docs/ci.md).
"""

from __future__ import annotations

from collections.abc import Mapping

from harness.accounting.purposes import Purpose
from results import schema
from results.schema import SCHEMAS
from results.tally import JUDGE

PURPOSES = tuple(p.value for p in Purpose if p.value != JUDGE)
"""The judge's tokens are never part of a topology's; they stand in ``judge_tokens``."""
VIEWS = ("tokens", "activity", "pusd")
"""Columns of each purpose, ``tokens.sync`` and so on: content in tokens, activity in tokens, content in pUSD."""

IDENTITY: Mapping[str, type] = {
    "topology": str,
    "setting": str,  # JSON, of `params`: what else the sweep set for this cell
    "task": str,
    "sample_id": str,
    "epoch": int,
}
CONDITIONS: Mapping[str, type] = {
    "simulated": bool,
    "cluster_id": str,
    "material_hash": str,
    "grader": str,
    "rubric_hash": str,  # empty: none, as in all texts that may be unknown
    "pass_threshold": float,
    "seed": int,
    "ablate": str,
    "clock": str,
}
"""Where these differ, two runs are not the same experiment."""
_COUNTS = (
    "prompt_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "work_tokens",
    "coordination_tokens",
    "verification_tokens",
    "judge_tokens",
    "calls",
    "attempts",
    "retries_transport",
    "retries_validation",
    "revisions",
    "escalations",
    "depth_violations",
    "refused",
    "left_out",
    "parse_failures",
    "messages",
    "redelivery_tokens",
    "peak_prompt_tokens",
    "window_tokens",
    "material_tokens",
)
KNOWN: Mapping[str, type] = {
    "status": str,
    "error_type": str,
    "limit": str,
    "family": str,
    "model": str,
    "bus": str,
    "tags": str,
    "score": float,
    "passed": bool,
    "wall_s": float,
    "working_s": float,
    "graph_work": float,
    "graph_critical_path": float,
    "cost_complete": bool,
    **dict.fromkeys(_COUNTS, int),
    **{f"{view}.{purpose}": int for purpose in PURPOSES for view in VIEWS},
}
MAYBE: Mapping[str, type] = {
    "cost_pusd": int,
    "fee_pusd": int,
    "cost_usd": float,
    "cost_uncached_usd": float,
    "judge_cost_usd": float,
    "rule_score": float,
}

_EACH_SWEEP = "made anew by every sweep"
_WHENCE = "where a row comes from"
_TEXT = "a text: what it comes to is compared as score, status, counts and tokens"
NOT_COMPARED: Mapping[str, str] = {
    **{f"runs.{c}": _EACH_SWEEP for c in ("experiment_id", "cell_id", "run_id", "started_at")},
    **{f"runs.{c}": _WHENCE for c in ("schema_version", "config_hash", "git_commit", "harness_version")},
    **{f"runs.{c}": _TEXT for c in ("answer", "error", "warnings")},
    "calls.error": _TEXT,
    **{f"messages.{c}": _TEXT for c in ("content", "context")},
    **{f"delegations.{c}": _TEXT for c in ("order", "raw_output", "validation_errors", "unchecked")},
    "events.data": _TEXT,
}
"""Column of a store → why no gate looks at it."""

PRINTED: Mapping[str, tuple[str, ...]] = {
    table: tuple(c for c in SCHEMAS[table].names if c != "run_id" and f"{table}.{c}" not in NOT_COMPARED)
    for table in SCHEMAS
    if table != "runs"
}
"""Tables of which a run has many rows → the columns that are compared by fingerprint (``results.gate.prints``)."""
PRINTS = tuple(f"{table}.{column}" for table, columns in PRINTED.items() for column in columns)
"""Their names here: ``calls.started_s`` and so on."""

COMPARED = (*KNOWN, *MAYBE, *PRINTS)
"""Columns in which a simulated run must be as before, to the last bit."""
ALWAYS = (
    "status",
    "family",
    "model",
    "score",
    "passed",
    "prompt_tokens",
    "completion_tokens",
    "cost_complete",
    "cost_pusd",
)
"""Those that no rules can exempt: who ran, what came of it and what it cost."""
COLUMNS = (
    *(schema.column(name, kind) for name, kind in {**IDENTITY, **CONDITIONS, **KNOWN}.items()),
    *(schema.column(name, kind, nullable=True) for name, kind in MAYBE.items()),
    *(schema.column(name, int) for name in PRINTS),
)
"""Columns of a baseline file."""
