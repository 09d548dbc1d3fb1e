"""Invariants of one run: the same total by calls, agents, content purposes and activities."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

from results.columns import Numbers
from results.invariants.invariant import Frame, Invariant, Mask, differ, usd_differs
from results.invariants.totals import COUNTED
from results.tally import RULE
from results.words import FAMILIES, GRADED, STATUSES

JUDGE_NAME = "judge"
"""The built-in grader of that name: conf/grader/judge.yaml."""


def _total(r: Frame) -> Numbers:
    return r["prompt_tokens"] + r["completion_tokens"]


def _share(values: Numbers) -> Mask:
    """Where it is a number from 0 to 1."""
    return (values >= 0.0) & (values <= 1.0)


def run_tokens_by_calls(r: Frame) -> Mask:
    """each token total of a run is the sum over its attempts (judge apart)"""
    off = [r[c] != r[f"rows_{c}"] for c in COUNTED]
    return off[0] | off[1] | off[2] | off[3] | off[4]


def run_tokens_by_agents(r: Frame) -> Mask:
    """prompt + completion tokens of a run are the sum over its named agents"""
    return _total(r) != r["agents_tokens"]


def run_tokens_by_purposes(r: Frame) -> Mask:
    """prompt + completion tokens of a run are the sum over its content purposes"""
    return _total(r) != r["content_tokens"]


def run_tokens_by_activities(r: Frame) -> Mask:
    """prompt + completion tokens of a run are the sum over its activities"""
    return _total(r) != r["activity_tokens"]


def run_tokens_by_class(r: Frame) -> Mask:
    """work, coordination and verification tokens are the sums over the shares of each class"""
    off = [r[f"{name}_tokens"] != r[f"class_{name}"] for name in ("work", "coordination", "verification")]
    return off[0] | off[1] | off[2]


def run_cost_by_calls(r: Frame) -> Mask:
    """cost_pusd of a run is the sum over its attempts of known cost, null only if none is known"""
    return differ(r, "cost_pusd", "rows_cost")


def run_cost_by_agents(r: Frame) -> Mask:
    """cost_pusd of a run is the sum over its named agents"""
    return r["cost_pusd"] != r["agents_pusd"]


def run_cost_by_purposes(r: Frame) -> Mask:
    """cost_pusd of a run is the sum over its content purposes, plus fees"""
    return r["cost_pusd"] != r["content_pusd"]


def run_cost_by_activities(r: Frame) -> Mask:
    """cost_pusd of a run is the sum over its activities"""
    return r["cost_pusd"] != r["activity_pusd"]


def run_cost_in_usd(r: Frame) -> Mask:
    """cost_usd is cost_pusd / 10¹²"""
    return usd_differs(r, "cost_usd", "cost_pusd")


def run_cost_complete(r: Frame) -> Mask:
    """cost_complete is false exactly when the cost of some attempt is unknown"""
    return r["cost_complete"] != (r["rows_priced"] == r["rows_attempts"])


def run_judge(r: Frame) -> Mask:
    """judge_tokens and judge_cost_usd are the sums over the judge's calls; the cost is null if any of it is unknown"""
    none = (r["judge_rows_attempts"] == 0) & r.unknown("judge_cost_usd")  # nothing to add up: null or 0
    off = usd_differs(r, "judge_cost_usd", "judge_rows_cost") & ~none
    return (r["judge_tokens"] != r["judge_rows_tokens"]) | off


def run_counts(r: Frame) -> Mask:
    """calls, attempts, retries_transport and messages are what the rows count"""
    retries = r["rows_attempts"] - r["rows_calls"]
    return (
        (r["calls"] != r["rows_calls"])
        | (r["attempts"] != r["rows_attempts"])
        | (r["retries_transport"] != retries)
        | (r["messages"] != r["rows_messages"])
    )


def run_validation_retries(r: Frame) -> Mask:
    """retries_validation is the number of the run's returned tries"""
    return r["retries_validation"] != r["rows_returned"]


def run_peak(r: Frame) -> Mask:
    """peak_prompt_tokens is the largest prompt of the run's attempts"""
    return r["peak_prompt_tokens"] != r["rows_peak"]


def run_words(r: Frame) -> Mask:
    """status and family are words of the contract"""
    return ~(r.texts("status").among(STATUSES) & r.texts("family").among(FAMILIES))


def run_score(r: Frame) -> Mask:
    """0 ≤ score ≤ 1"""
    return ~_share(r["score"])


def run_passed(r: Frame) -> Mask:
    """passed says whether a graded run has score ≥ pass_threshold"""
    graded = r.texts("status").among(GRADED)
    return r["passed"] != (graded & (r["score"] >= r["pass_threshold"]))


def run_graded_by(r: Frame) -> Mask:
    """calls of a judge, a rubric and a rule's score beside the score are there only where another grader than the
    suite's rule made the score; what a judge scored has all three, and a judge's calls have a rubric"""
    judged, scored = ~r.unknown("rubric_hash"), r.texts("status").among(GRADED)
    whole = (r["judge_rows_attempts"] > 0) & ~r.unknown("rule_score")
    lacking = (judged & scored & ~whole) | ((r["judge_rows_attempts"] > 0) & ~judged)
    lacking |= r.texts("grader").equal(JUDGE_NAME) & scored & ~judged
    other = (r["judge_rows_attempts"] > 0) | ~r.unknown("rubric_hash") | ~r.unknown("rule_score")
    known = r.unknown("rule_score") | _share(r["rule_score"])
    return (r.texts("grader").equal(RULE) & other) | ~known | lacking


def run_single_family(r: Frame) -> Mask:
    """a run of the single family has no coordination tokens"""
    return r.texts("family").equal("single") & ((r["coordination_tokens"] != 0) | (r["class_coordination"] != 0))


_TOTAL = ("prompt_tokens", "completion_tokens")

INVARIANTS = (
    Invariant("runs", run_tokens_by_calls, (*COUNTED, *(f"rows_{c}" for c in COUNTED))),
    Invariant("runs", run_tokens_by_agents, (*_TOTAL, "agents_tokens")),
    Invariant("runs", run_tokens_by_purposes, (*_TOTAL, "content_tokens")),
    Invariant("runs", run_tokens_by_activities, (*_TOTAL, "activity_tokens")),
    Invariant(
        "runs",
        run_tokens_by_class,
        tuple(c for name in ("work", "coordination", "verification") for c in (f"{name}_tokens", f"class_{name}")),
    ),
    Invariant("runs", run_cost_by_calls, ("cost_pusd", "rows_cost")),
    Invariant("runs", run_cost_by_agents, ("cost_pusd", "agents_pusd")),
    Invariant("runs", run_cost_by_purposes, ("cost_pusd", "content_pusd")),
    Invariant("runs", run_cost_by_activities, ("cost_pusd", "activity_pusd")),
    Invariant("runs", run_cost_in_usd, ("cost_usd", "cost_pusd")),
    Invariant("runs", run_cost_complete, ("cost_complete", "rows_attempts", "rows_priced")),
    Invariant("runs", run_judge, ("judge_tokens", "judge_rows_tokens", "judge_cost_usd", "judge_rows_cost")),
    Invariant(
        "runs",
        run_counts,
        ("calls", "rows_calls", "attempts", "rows_attempts", "retries_transport", "messages", "rows_messages"),
    ),
    Invariant("runs", run_validation_retries, ("retries_validation", "rows_returned")),
    Invariant("runs", run_peak, ("peak_prompt_tokens", "rows_peak")),
    Invariant("runs", run_words, ("status", "family")),
    Invariant("runs", run_score, ("score",)),
    Invariant("runs", run_passed, ("passed", "score", "pass_threshold")),
    Invariant("runs", run_graded_by, ("grader", "status", "judge_rows_attempts", "rubric_hash", "rule_score")),
    Invariant("runs", run_single_family, ("family", "coordination_tokens", "class_coordination")),
)
