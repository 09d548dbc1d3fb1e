"""A member tries to hand its task to somebody else, once a task, and goes on by itself whatever comes of it."""

from __future__ import annotations

from harness.models.simulated.prompt.handing import hands_on
from harness.models.simulated.prompt.tool_names import DISPATCH
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message
from harness.models.simulated.skills.ordering import handed_out, payload


def applies(view: View) -> bool:
    at = _given(view)
    if at is None or any(c.at > at and hands_on(c.name, c.arguments) for c in view.calls):
        return False
    return view.draws.agent("hand on", at) < view.behaviour.delegation.tendency


def _given(view: View) -> int | None:
    """Where the task stands that this agent has been given; None if there is none to hand on, or nobody to take it."""
    if view.orders:
        to_somebody = bool(view.peers) or not view.can_send
        return view.orders[-1].at if view.orders[-1].type == "task" and to_somebody else None
    return 0 if view.delegated else None


def act(view: View) -> Act:
    """By message to another member, or, without peers, by the tool under which models know delegation, offered or
    not."""
    if not view.can_send and DISPATCH in view.tools:
        return handed_out(view, "", [("", payload(view, view.documents or _asked(view), 1, 1))])
    if not view.can_send:
        return Act(
            calls=((DISPATCH, {"type": "general_purpose", "task": f"Please do this for me:\n{view.assignment}"}),)
        )
    peer = view.peers[int(view.draws.agent("hand on to", view.orders[-1].at) * len(view.peers))]
    return Act(calls=(message(peer, "task", f"Please do this for me:\n{view.orders[-1].content}"),))


def _asked(view: View) -> dict[str, int]:
    return {item.question: 0 for item in view.questions}
