"""A lead answers what members ask."""

from __future__ import annotations

from harness.models.simulated.prompt.inbox import Block
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message
from harness.models.simulated.skills.searching import looking_calls

_AS_IT_STANDS = (
    "Yes: only what the named documents say, with one section for each entry. Go on with the task as it stands."
)


def applies(view: View) -> bool:
    return bool(view.team.open_questions)


def act(view: View) -> Act:
    """With its own next documents asked for alongside, unless it pretends to wait."""
    told = (message(b.sender, "clarify_resp", _answer(view, b), b.msg_id) for b in view.team.open_questions)
    own = () if view.team.pretends else looking_calls(view, view.team.mine)
    return Act(calls=(*told, *own))


def _answer(view: View, asked: Block) -> str:
    """What this agent has read or been told of the lines that a member asks about, word for word, if anything."""
    said = [e for item in view.knowledge.questions(asked.content) for e in item.evidence[1:] if view.evidence.holds(e)]
    return "\n".join(dict.fromkeys(said)) or _AS_IT_STANDS
