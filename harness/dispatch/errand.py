"""An order that somebody waits for: one sub-agent works on it until it is done, or is left out."""

from __future__ import annotations

from harness.accounting.parts import Part
from harness.agents.panel import alone
from harness.dispatch.inside import InsideRun
from harness.dispatch.subagent import Result, SubAgentRun


async def completed(run: SubAgentRun | InsideRun, told: list[Part], timeout_s: float | None, bound: str) -> Result:
    """How it ended. A sub-agent that fails, or is not done ``timeout_s`` after it began, is left out and counted
    (``Session.leave_out``); it is interrupted, so nothing of it is late. ``bound``: the name of the setting that is
    ``timeout_s``. Raises a breach of the run's limit, and a defect."""
    session, name = run.session, run.name
    ended = await alone(session, name, lambda: run.work(told), timeout_s, bound)
    if not isinstance(ended, Result):
        result = Result("failed", text=ended.text)
    else:
        result = ended
        if result.status == "failed":  # by a fault that it caught itself
            session.leave_out(name, result.text)
    if run.tried.open:
        run.desk.fail(run.tried, result.status, result.text)
    return result
