"""What a rule can judge: each figure of a run declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from results.columns import Columns
from results.gate.declared import PURPOSES

Values = npt.NDArray[np.float64]
LARGEST = 1e9
"""No run of a store has more tokens, seconds, dollars or anything else that is counted; what says so is damaged."""
Unit = Literal["score", "share", "tokens", "USD", "s", "count"]


@dataclass(frozen=True, slots=True)
class Metric:
    """``columns``: what it is the sum of, a run; of simulated rows, a difference in any of them is a difference of this
    metric. ``ratio``: divided by ``single``'s tokens on the same samples, of teams only. ``scores``: values lie in
    0..1, and so their differences in −1..1. ``money``: unknown where a run's cost is incomplete."""

    name: str
    says: str
    columns: tuple[str, ...]
    unit: Unit
    ratio: bool = False
    scores: bool = False
    money: bool = False

    def values(self, rows: Columns) -> Values:
        """One number a run; NaN where it is unknown."""
        if self.name == "failures":
            return (~rows.texts("status").equal("ok")).astype(np.float64)
        total = np.zeros(len(rows), np.float64)
        for column in self.columns:
            total += rows.numbers(column)
        if not self.money:
            return total
        known = rows.numbers("cost_complete") & ~np.isnan(total)
        if "cost_pusd" in self.columns:
            known &= rows.numbers("cost_pusd_unknown") == 0
            total /= 10**12
        return np.where(known, total, np.nan)


def _count(name: str, says: str, *columns: str) -> Metric:
    return Metric(name, says, columns or (name,), "count")


def _tokens(name: str, says: str, *columns: str) -> Metric:
    return Metric(name, says, columns or (name,), "tokens")


RETRIES = ("retries_transport", "retries_validation", "revisions", "escalations")
METRICS = {
    metric.name: metric
    for metric in (
        Metric("score", "the score, failed runs as they are stored", ("score",), "score", scores=True),
        Metric("passed", "share of runs that passed", ("passed",), "share", scores=True),
        Metric("failures", "share of runs whose status is not ok", ("status",), "share", scores=True),
        _tokens("tokens", "tokens, prompt and completion", "prompt_tokens", "completion_tokens"),
        _tokens("prompt_tokens", "tokens of prompts"),
        _tokens("cached_tokens", "tokens of prompts that were read from a cache"),
        _tokens("completion_tokens", "tokens of completions"),
        _tokens("reasoning_tokens", "tokens of hidden reasoning"),
        _tokens("work", "tokens of the class work", "work_tokens"),
        _tokens("coordination", "tokens of the class coordination", "coordination_tokens"),
        _tokens("verification", "tokens of the class verification", "verification_tokens"),
        Metric(
            "coordination_per_single",
            "coordination tokens of a team / all tokens of `single` on the same samples",
            ("coordination_tokens",),
            "share",
            ratio=True,
        ),
        Metric("cost", "cost as billed", ("cost_pusd",), "USD", money=True),
        Metric("cost_uncached", "cost as if nothing had been cached", ("cost_uncached_usd",), "USD", money=True),
        Metric("wall_s", "wall-clock of a run", ("wall_s",), "s"),
        Metric("working_s", "wall-clock without waiting for rate limits and queues", ("working_s",), "s"),
        _count("calls", "operations"),
        _count("attempts", "requests that were sent"),
        _count("retries", "retries of every kind", *RETRIES),
        *(_count(name, name.replace("_", " of ")) for name in RETRIES),
        _count("depth_violations", "attempts to create or dispatch an agent beyond the limit"),
        _count("refused", "requests of agents that were refused"),
        _count("left_out", "agents whose part is missing"),
        _count("parse_failures", "tool calls, tags and verdicts that could not be read"),
        _count("messages", "messages on the bus"),
        _tokens("redelivery_tokens", "tokens of messages handled twice"),
        _tokens("peak_prompt_tokens", "the longest prompt"),
        _tokens("judge_tokens", "tokens of a task's grader, which are no part of a topology's"),
        *(_tokens(f"tokens.{p}", f"tokens of the purpose {p} (content)") for p in PURPOSES),
        *(_tokens(f"activity.{p}", f"tokens of calls that count as {p} (activity)") for p in PURPOSES),
    )
}
"""Name → metric."""
