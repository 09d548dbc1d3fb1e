"""The life of an expert team: nine states, and every way from one to another (seed document 004, "Layer 3")."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class State(StrEnum):
    """004 counts nine and names EVALUATING, GENERATING, PLAN_READY and DEGRADED; the other names are ours."""

    IDLE = "IDLE"
    PLANNING = "PLANNING"
    PLAN_READY = "PLAN_READY"
    GENERATING = "GENERATING"
    EVALUATING = "EVALUATING"
    ESCALATING = "ESCALATING"
    COMPLETED = "COMPLETED"
    DEGRADED = "DEGRADED"
    FAILED = "FAILED"


S = State
ENDS = frozenset({S.COMPLETED, S.DEGRADED, S.FAILED})
NEXT: Mapping[State, frozenset[State]] = MappingProxyType(
    {
        S.IDLE: frozenset({S.PLANNING, S.PLAN_READY}),  # PLAN_READY: a stored plan, which nobody has to make
        S.PLANNING: frozenset({S.PLAN_READY, S.FAILED}),
        S.PLAN_READY: frozenset({S.GENERATING}),
        S.GENERATING: frozenset({S.EVALUATING, S.ESCALATING}),  # ESCALATING: none of the steps has a product
        S.EVALUATING: frozenset({S.GENERATING, S.PLANNING, S.ESCALATING, *ENDS}),
        S.ESCALATING: frozenset({S.GENERATING, *ENDS}),
        **{end: frozenset() for end in ENDS},
    }
)
"""State → the states that may follow it. EVALUATING → GENERATING is a revision, or the next level of the plan."""


class IllegalTransition(RuntimeError):
    """A defect of whoever drives the machine: a team may never go this way."""


class Machine:
    """One a team. Starts IDLE."""

    def __init__(self) -> None:
        self.state = State.IDLE

    def to(self, state: State) -> None:
        """Go to a state. Raises IllegalTransition, and stays, where no way leads there."""
        if state not in NEXT[self.state]:
            ways = ", ".join(sorted(NEXT[self.state])) or "nothing: it is an end"
            raise IllegalTransition(f"an expert team cannot go from {self.state} to {state}; after it comes {ways}")
        self.state = state
