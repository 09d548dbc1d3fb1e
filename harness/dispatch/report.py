"""What a lead reads of an order that it has sent: how it ended, or that it was not taken."""

from __future__ import annotations

from collections.abc import Sequence

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.delegation.order import TaskOrder
from harness.dispatch.harvest import SubStep, partial_summary
from harness.dispatch.subagent import Result

SUCCESS, PARTIAL, FAILED = "SUCCESS", "PARTIAL_SUCCESS", "FAILED"
"""What a lead reads (seed document 001, section 8)."""


def outcome(result: Result, steps: Sequence[SubStep] = ()) -> tuple[str, str]:
    """(status, what stands after the names). ``steps``: those of an unfinished sub-agent that its lead gets to read."""
    if result.status == "success":
        return SUCCESS, ""
    if result.status == "blocked":  # what blocks it follows, in its own words
        return FAILED, ": blocked"
    if result.status == "needs_person":
        return FAILED, f": needs_person: {result.text}"
    if result.status == "forbidden" or not steps:
        return FAILED, f": {result.text}"
    return PARTIAL, f": {result.text}. Finished steps:\n{partial_summary(steps)}"


def report(status: str, order: TaskOrder, worker: str, said: str, result: Result) -> tuple[Part, ...]:
    """The whole of it: a line by the engine, then the sub-agent's own words."""
    head = Part(f"[{status}] {order.subtask_id} by {worker}{said}\n", ENGINE, Purpose.REPORT)
    return (head, *(p.forwarded() for p in result.parts))


def over_cap(used: int, cap: int | None, one: str, many: str) -> str | None:
    """Why no more orders are taken, None while some are. ``cap`` None: there is no end. ``one``, ``many``: what an
    order is called."""
    if cap is None or used < cap:
        return None
    all_used = f"the only {one} is" if cap == 1 else f"all {cap} {many} are"
    return f"REFUSED: {all_used} used. Go on with what you have, or do the rest yourself."
