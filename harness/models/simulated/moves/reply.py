"""A lead answers what members ask."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message
from harness.models.simulated.skills.searching import looking_calls


def applies(view: View) -> bool:
    return bool(view.team.open_questions)


def act(view: View) -> Act:
    """With its own next documents asked for alongside, unless it pretends to wait."""
    text = "Yes: only what the named documents say, with one section for each entry. Go on with the task as it stands."
    told = (message(b.sender, "clarify_resp", text, b.msg_id) for b in view.team.open_questions)
    own = () if view.team.pretends else looking_calls(view, view.team.mine)
    return Act(calls=(*told, *own))
