"""A lead divides the task and sends every member its part."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message
from harness.models.simulated.skills.reading import reading_calls


def applies(view: View) -> bool:
    return bool(view.team.unsent)


def act(view: View) -> Act:
    """All tasks in one completion. The lead's own documents are asked for in the same one: nothing in them depends on
    the tasks, and a completion of its own would read the whole prompt once more. A lead that pretends to wait asks for
    nothing."""
    tasks = view.team.unsent
    own = () if view.team.pretends else reading_calls(view, view.team.mine)
    text = f"The work divides into {len(view.team.plan.tasks) + bool(view.team.plan.own)} independent parts."
    return Act(text, (*(message(name, "task", task) for name, task in tasks.items()), *own))
