"""A lead that was not told how replies arrive makes a show of waiting, with work of its own left undone."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act


def applies(view: View) -> bool:
    team = view.team
    return team.pretends and bool(team.outstanding) and bool(view.unread(view.team.mine))


def act(view: View) -> Act:
    return Act(f"I am waiting for {', '.join(view.team.outstanding)} to reply before I go on.")
