"""Everything is in: hand in the deliverable."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import resolve
from harness.models.simulated.skills.writing import write


def applies(view: View) -> bool:
    return True


def act(view: View) -> Act:
    """Without a tool to read what it was given to read, the model says so beside what it can still answer."""
    text = write(view, ((item, resolve(view, item)) for item in view.questions))
    if view.reader is None and (missing := view.unread(view.team.mine)):
        text += f"\nI would read {', '.join(missing)}, but have no tool for it."
    return Act(text)
