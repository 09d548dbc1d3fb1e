"""A part has failed: a lead gives it to another member."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message


def applies(view: View) -> bool:
    return bool(view.team.reassignable)


def act(view: View) -> Act:
    return Act(calls=tuple(message(name, "task", task) for name, task in view.team.reassignable))
