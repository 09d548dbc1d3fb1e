"""A lead with nothing left to read says what is still to come."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act


def applies(view: View) -> bool:
    return bool(view.team.outstanding)


def act(view: View) -> Act:
    return Act(f"Results still to come: {', '.join(view.team.outstanding)}.")
