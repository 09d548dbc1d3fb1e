"""Everything is in: hand in the deliverable."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import resolve
from harness.models.simulated.skills.writing import write


def applies(view: View) -> bool:
    return True


def act(view: View) -> Act:
    """Without a tool to read what it was given to read, the model says so: as a blocker if it was told how, else beside
    what it can still answer."""
    missing = view.unread(view.team.mine) if view.reader is None else {}
    if missing and view.narrow:
        return Act(f"BLOCKED: there is no tool to read {', '.join(missing)}.")
    text = write(view, ((item, resolve(view, item)) for item in view.questions))
    if missing:
        text += f"\nI would read {', '.join(missing)}, but have no tool for it."
    return Act(text)
