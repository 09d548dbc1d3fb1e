"""A member asks back before it starts on a task, and goes on when somebody writes again."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message


def applies(view: View) -> bool:
    """Once a task, at first sight of it."""
    if not view.can_send or not view.orders or view.orders[-1].type != "task" or view.last_said > view.orders[-1].at:
        return False
    return view.draws.agent("clarify", len(view.inbox)) < view.behaviour.clarify.rate


def act(view: View) -> Act:
    order = view.orders[-1]
    question = "Shall I give entries only for what the named documents say, and cite one section for each?"
    return Act(calls=(message(order.sender, "clarify", question, order.msg_id),))
