"""Invariants of delegations: of one try, of one subtask, and of one worker."""

# mypy: disable-error-code="no-any-return"
# (numpy declares that a comparison of arrays of any number may be anything.)

from __future__ import annotations

from results.invariants.invariant import Frame, Invariant, Mask

STATUSES = frozenset(
    {"success", "partial_success", "failed", "returned", "revise", "needs_person", "forbidden", "blocked", "unanswered"}
)
FAULTY = frozenset({"partial_success", "failed", "returned", "revise", "needs_person", "forbidden"})
"""Statuses that come with at least one error; the others come with none: a worker that is blocked says why in its own
words."""


def delegation_words(d: Frame) -> Mask:
    """status is a word of the contract"""
    return ~d.texts("status").among(STATUSES)


def delegation_json(d: Frame) -> Mask:
    """order is a JSON object; validation_errors and unchecked are JSON arrays of texts"""
    return ~(d["order_is_object"] & (d["errors"] >= 0) & d["unchecked_are_texts"])


def delegation_errors(d: Frame) -> Mask:
    """a try that was not accepted has an error; one that was, is blocked or has no answer has none"""
    return (d["errors"] > 0) != d.texts("status").among(FAULTY)


def delegation_unanswered(d: Frame) -> Mask:
    """a try without an answer has no output, and nothing validated it"""
    some = d["validated"] | ~d.texts("raw_output").equal("") | (d["copied_tokens"] != 0)
    return d.texts("status").equal("unanswered") & some


def delegation_returned(d: Frame) -> Mask:
    """a try that was returned or is to be revised was validated, and a next try follows it"""
    return d.texts("status").equal("returned", "revise") & ~(d["validated"] & d["followed"])


def delegation_counts(d: Frame) -> Mask:
    """tokens, card_tokens and seconds are not negative"""
    return ~((d["tokens"] >= 0) & (d["card_tokens"] >= 0) & (d["seconds"] >= 0))


def delegation_copied(d: Frame) -> Mask:
    """0 ≤ copied_tokens ≤ bytes of raw_output

    Copied pieces are counted one by one, so their tokens may exceed those of the whole by what merges across a cut. A
    token has at least one byte: this bound always holds.
    """
    return (d["copied_tokens"] < 0) | (d["copied_tokens"] > d["output_bytes"])


def delegation_has_run(d: Frame) -> Mask:
    """a delegation belongs to a stored run"""
    return d["orphan"]


def tries_numbered(s: Frame) -> Mask:
    """the tries of a delegation are numbered 1, 2, 3 … without a gap"""
    return (s["first"] != 1) | (s["last"] != s["tries"]) | (s["distinct"] != s["tries"])


def tries_of_one_subtask(s: Frame) -> Mask:
    """the tries of a delegation are of one subtask, one worker and one type"""
    return (s["subtasks"] != 1) | (s["workers"] != 1) | (s["types"] != 1)


def worker_tokens(w: Frame) -> Mask:
    """the tokens of a worker's tries sum to those of its calls, but for calls that may have ended before its first"""
    return (w["tries_tokens"] < w["at_least"]) | (w["tries_tokens"] > w["at_most"])


_TRY = ("delegation_id", "try", "worker", "status")

INVARIANTS = (
    Invariant("delegations", delegation_words, _TRY),
    Invariant("delegations", delegation_json, (*_TRY, "order", "validation_errors", "unchecked")),
    Invariant("delegations", delegation_errors, (*_TRY, "validation_errors")),
    Invariant("delegations", delegation_unanswered, (*_TRY, "validated", "raw_output", "copied_tokens")),
    Invariant("delegations", delegation_returned, (*_TRY, "validated", "followed")),
    Invariant("delegations", delegation_counts, (*_TRY, "tokens", "card_tokens", "seconds")),
    Invariant("delegations", delegation_copied, (*_TRY, "copied_tokens", "output_bytes")),
    Invariant("delegations", delegation_has_run, _TRY),
    Invariant("subtasks", tries_numbered, ("delegation_id", "tries", "first", "last", "distinct")),
    Invariant("subtasks", tries_of_one_subtask, ("delegation_id", "subtasks", "workers", "types")),
    Invariant("workers", worker_tokens, ("worker", "tries_tokens", "at_least", "at_most")),
)
