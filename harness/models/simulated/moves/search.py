"""Every question is one that a search answers, and there is a tool for that: search instead of reading."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.searching import searching_calls


def applies(view: View) -> bool:
    """Only for whoever has something to look at itself: a lead that has handed everything out has not."""
    return bool(view.unread(view.team.mine)) and bool(searching_calls(view))


def act(view: View) -> Act:
    return Act(calls=searching_calls(view))
