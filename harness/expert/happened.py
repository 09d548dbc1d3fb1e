"""The events of an expert team: thirteen kinds of seed document 004 ("an event-driven view"), and one of ours."""

from __future__ import annotations

from enum import StrEnum


class Happened(StrEnum):
    """Every kind stands in the table of events as its name. Where there is a step, the data names it."""

    TEAM_STARTED = "TEAM_STARTED"
    PLAN_READY = "PLAN_READY"
    PLAN_CONFIRMED = "PLAN_CONFIRMED"
    STEP_STARTED = "STEP_STARTED"
    STEP_THINKING = "STEP_THINKING"
    STEP_TOOL_CALL = "STEP_TOOL_CALL"
    STEP_OUTPUT = "STEP_OUTPUT"
    EVALUATION_STARTED = "EVALUATION_STARTED"
    EVALUATION_RESULT = "EVALUATION_RESULT"
    STEP_REVISED = "STEP_REVISED"
    ESCALATION = "ESCALATION"
    STEP_COMPLETED = "STEP_COMPLETED"
    TEAM_COMPLETED = "TEAM_COMPLETED"
    WORKSPACE_CONFLICT = "WORKSPACE_CONFLICT"
    """Ours: steps that do not know of each other have written the same files differently; the planner settles it."""
