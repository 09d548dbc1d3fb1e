"""Invariants of one attempt and of one operation."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

import numpy as np

from harness.accounting.purposes import Purpose
from results.invariants.invariant import Frame, Invariant, Mask, usd_differs
from results.tally import JUDGE, UNKNOWN

PURPOSES = frozenset(p.value for p in Purpose) - {UNKNOWN}
STATUSES = frozenset({"ok", "error", "timeout", "cancelled"})
USAGE = frozenset({"reported", "estimated", "missing"})
SERVED = frozenset({"provider", "journal"})


def prompt_shares(a: Frame) -> Mask:
    """the prompt shares of an attempt sum to its prompt_tokens"""
    return a["prompt_shares"] != a["prompt_tokens"]


def completion_shares(a: Frame) -> Mask:
    """the completion shares of an attempt sum to its completion_tokens"""
    return a["completion_shares"] != a["completion_tokens"]


def cached_shares(a: Frame) -> Mask:
    """the cached tokens of an attempt's shares sum to its cached_tokens"""
    return a["cached_shares"] != a["cached_tokens"]


def reasoning_shares(a: Frame) -> Mask:
    """the reasoning tokens of an attempt's shares sum to its reasoning_tokens"""
    return a["reasoning_shares"] != a["reasoning_tokens"]


def cost_shares(a: Frame) -> Mask:
    """where the cost is known, the shares' cost_pusd plus fee_pusd is the attempt's cost_pusd"""
    return ~a.unknown("cost_pusd") & (a["cost_shares"] + a["fee_pusd"] != a["cost_pusd"])


def cost_unknown_together(a: Frame) -> Mask:
    """an attempt's fee and the cost of every share are null exactly when its cost_pusd is null"""
    unknown = a.unknown("cost_pusd")
    return (a.unknown("fee_pusd") != unknown) | (a["shares_unpriced"] != np.where(unknown, a["share_count"], 0))


def cost_in_usd(a: Frame) -> Mask:
    """cost_usd is cost_pusd / 10¹²"""
    return usd_differs(a, "cost_usd", "cost_pusd")


def cost_not_negative(a: Frame) -> Mask:
    """an attempt costs at least nothing, and so does its fee"""
    return (a["cost_pusd"] < 0) | (a["fee_pusd"] < 0)


def journal_is_free(a: Frame) -> Mask:
    """an answer served from the journal costs nothing"""
    return a.texts("served_from").equal("journal") & (a["cost_pusd"] != 0)


def missing_usage(a: Frame) -> Mask:
    """an attempt whose usage is missing has no tokens and a null cost (an imported one may have been billed)"""
    tokens = a["prompt_tokens"] + a["completion_tokens"]
    return a.texts("usage_status").equal("missing") & ((tokens != 0) | (~a.unknown("cost_pusd") & ~a["imported"]))


def cached_within_prompt(a: Frame) -> Mask:
    """cached_tokens + cache_write_tokens is at most prompt_tokens, and neither is negative"""
    over = a["cached_tokens"] + a["cache_write_tokens"] > a["prompt_tokens"]
    return over | (a["cached_tokens"] < 0) | (a["cache_write_tokens"] < 0)


def reasoning_within_completion(a: Frame) -> Mask:
    """reasoning_tokens is at most completion_tokens, and not negative"""
    return (a["reasoning_tokens"] > a["completion_tokens"]) | (a["reasoning_tokens"] < 0)


def attempt_has_shares(a: Frame) -> Mask:
    """an attempt with tokens has shares"""
    return (a["prompt_tokens"] + a["completion_tokens"] > 0) & (a["share_count"] == 0)


def attempt_is_unique(a: Frame) -> Mask:
    """an attempt is stored once"""
    return a["times"] != 1


def attempt_times(a: Frame) -> Mask:
    """0 ≤ started_s ≤ ended_s, and queue_s is not negative; those of an imported attempt are unknown"""
    told = (a["started_s"] >= 0) & (a["ended_s"] >= a["started_s"]) & (a["queue_s"] >= 0)
    untold = a.unknown("started_s") & a.unknown("ended_s") & a.unknown("queue_s")
    return ~np.where(a["imported"], untold, told)


def attempt_words(a: Frame) -> Mask:
    """status, usage_status and served_from are words of the contract"""
    known = a.texts("status").among(STATUSES) & a.texts("usage_status").among(USAGE)
    return ~(known & a.texts("served_from").among(SERVED))


def late_is_unused(a: Frame) -> Mask:
    """a late attempt is not used"""
    return a["late"] & a["used"]


def late_is_after(a: Frame) -> Mask:
    """an attempt is late exactly when it ended after wall_s, or after its agent was abandoned (a judge's never is)"""
    after = (a["ended_s"] > a["wall_s"]) | (a["ended_s"] > a["abandoned_s"])
    return ~a["orphan"] & (a["late"] != (after & ~a.texts("activity").equal(JUDGE)))


def judge_after_answer(a: Frame) -> Mask:
    """a judge's attempt starts when the run has ended, at wall_s or later"""
    return ~a["orphan"] & a.texts("activity").equal(JUDGE) & ~(a["started_s"] >= a["wall_s"])


def attempt_purposes(a: Frame) -> Mask:
    """intent and activity are known purposes; those of an imported attempt are unknown"""
    intent, activity = a.texts("intent"), a.texts("activity")
    unknown = intent.equal(UNKNOWN) & activity.equal(UNKNOWN)
    return ~np.where(a["imported"], unknown, intent.among(PURPOSES) & activity.among(PURPOSES))


def activity_leads(a: Frame) -> Mask:
    """the activity is the purpose that holds most of the completion's tokens"""
    return (a["most"] > 0) & (a["activity_tokens"] != a["most"])


def judge_apart(a: Frame) -> Mask:
    """all shares of a judge's call have the purpose judge, and no other call has such a share"""
    return a["judge_shares"] != np.where(a.texts("activity").equal(JUDGE), a["share_count"], 0)


def call_has_run(a: Frame) -> Mask:
    """a call belongs to a stored run"""
    return a["orphan"]


def attempts_numbered(o: Frame) -> Mask:
    """the attempts of an operation are numbered 1, 2, 3 … without a gap"""
    return (o["first"] != 1) | (o["last"] != o["attempts"])


def operation_has_one_agent(o: Frame) -> Mask:
    """the attempts of an operation are of one agent in one session"""
    return (o["agents"] != 1) | (o["sessions"] != 1)


_COST = ("cost_pusd", "fee_pusd", "cost_shares", "shares_unpriced", "share_count")

INVARIANTS = (
    Invariant("attempts", prompt_shares, ("prompt_tokens", "prompt_shares")),
    Invariant("attempts", completion_shares, ("completion_tokens", "completion_shares")),
    Invariant("attempts", cached_shares, ("cached_tokens", "cached_shares")),
    Invariant("attempts", reasoning_shares, ("reasoning_tokens", "reasoning_shares")),
    Invariant("attempts", cost_shares, _COST[:3]),
    Invariant("attempts", cost_unknown_together, _COST),
    Invariant("attempts", cost_in_usd, ("cost_usd", "cost_pusd")),
    Invariant("attempts", cost_not_negative, ("cost_pusd", "fee_pusd")),
    Invariant("attempts", journal_is_free, ("served_from", "cost_pusd")),
    Invariant("attempts", missing_usage, ("usage_status", "prompt_tokens", "completion_tokens", "cost_pusd")),
    Invariant("attempts", cached_within_prompt, ("prompt_tokens", "cached_tokens", "cache_write_tokens")),
    Invariant("attempts", reasoning_within_completion, ("completion_tokens", "reasoning_tokens")),
    Invariant("attempts", attempt_has_shares, ("prompt_tokens", "completion_tokens")),
    Invariant("attempts", attempt_is_unique, ("times",)),
    Invariant("attempts", attempt_times, ("started_s", "ended_s", "queue_s")),
    Invariant("attempts", attempt_words, ("status", "usage_status", "served_from")),
    Invariant("attempts", late_is_unused, ("late", "used")),
    Invariant("attempts", late_is_after, ("late", "ended_s", "wall_s", "abandoned_s")),
    Invariant("attempts", judge_after_answer, ("started_s", "wall_s")),
    Invariant("attempts", attempt_purposes, ("intent", "activity")),
    Invariant("attempts", activity_leads, ("activity", "activity_tokens", "most")),
    Invariant("attempts", judge_apart, ("activity", "judge_shares", "share_count")),
    Invariant("attempts", call_has_run, ()),
    Invariant("operations", attempts_numbered, ("attempts", "first", "last")),
    Invariant("operations", operation_has_one_agent, ("agents", "sessions")),
)
