"""What a token can be spent on, and how a purpose changes when somebody else reads it (docs/cost-model.md)."""

from __future__ import annotations

from enum import StrEnum


class Purpose(StrEnum):
    """Every token of every model call has exactly one of these."""

    TASK = "task"
    ANSWER = "answer"
    SCAFFOLD = "scaffold"
    PLAN = "plan"
    DISPATCH = "dispatch"
    SYNC = "sync"
    REPORT = "report"
    MERGE = "merge"
    REVIEW = "review"
    FEEDBACK = "feedback"
    REWORK = "rework"
    JUDGE = "judge"
    UNKNOWN = "unknown"


class Stance(StrEnum):
    """How an agent stands to what others wrote: this alone decides how a part's purpose changes on reading."""

    LEAD = "lead"  # owns the sample, or aggregates
    WORKER = "worker"
    REVIEWER = "reviewer"


P = Purpose

CLASS_OF: dict[Purpose, str] = {
    P.TASK: "work",
    P.ANSWER: "work",
    P.SCAFFOLD: "coordination",
    P.PLAN: "coordination",
    P.DISPATCH: "coordination",
    P.SYNC: "coordination",
    P.REPORT: "coordination",
    P.MERGE: "coordination",
    P.REVIEW: "verification",
    P.FEEDBACK: "verification",
    P.REWORK: "verification",
    P.JUDGE: "judge",
    P.UNKNOWN: "unknown",
}

_PRODUCT = {Stance.LEAD: P.MERGE, Stance.WORKER: P.SYNC, Stance.REVIEWER: P.REVIEW}

READ_AS: dict[tuple[Purpose, Stance], Purpose] = {
    **{(written, stance): seen for written in (P.ANSWER, P.REWORK) for stance, seen in _PRODUCT.items()},
    **{(w, Stance.REVIEWER): P.REVIEW for w in (P.TASK, P.PLAN, P.DISPATCH, P.SYNC, P.REPORT, P.MERGE)},
}
"""(purpose as written, stance of a reader who is not the author) → purpose as read; absent: unchanged."""


def read_as(written: Purpose, author: str, reader: str, stance: Stance) -> Purpose:
    """The purpose of a part in the prompt of ``reader``."""
    if author == reader:
        return written
    return READ_AS.get((written, stance), written)
