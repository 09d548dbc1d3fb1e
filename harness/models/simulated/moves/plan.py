"""Told to plan the work of a team, the model hands in steps, each an order to one expert."""

from __future__ import annotations

from harness.models.simulated.prompt.tool_names import PLAN
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.planning import experts, steps


def applies(view: View) -> bool:
    """As long as it is asked for one."""
    return view.team.plans and bool(experts(view))


def act(view: View) -> Act:
    return Act(calls=((PLAN, {"steps": steps(view)}),))
