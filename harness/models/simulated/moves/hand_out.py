"""A lead divides the task and sends every member its part."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.ordering import handed_out, payload
from harness.models.simulated.skills.searching import looking_calls


def applies(view: View) -> bool:
    return bool(view.team.unsent) and not view.team.reads_first


def act(view: View) -> Act:
    """All tasks in one completion. The lead's own documents are asked for in the same one: nothing in them depends on
    the tasks, and a completion of its own would read the whole prompt once more. A lead that pretends to wait asks for
    nothing."""
    plan = view.team.plan
    own = () if view.team.pretends else looking_calls(view, view.team.mine)
    parts = len(plan.tasks) + bool(plan.own)
    numbers = {name: n for n, name in enumerate(plan.tasks, 1)}
    orders = ((n, payload(view, part, numbers[n], parts)) for n, part in view.team.unsent.items())
    return handed_out(view, f"The work divides into {parts} independent parts.", orders, own)
