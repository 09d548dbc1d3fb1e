"""A lead that was not told how replies arrive makes them up, and is done."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import invented, resolve
from harness.models.simulated.skills.writing import write


def applies(view: View) -> bool:
    return view.team.invents and bool(view.team.outstanding)


def act(view: View) -> Act:
    return Act(write(view, ((item, resolve(view, item) or invented(view, item)) for item in view.questions)))
