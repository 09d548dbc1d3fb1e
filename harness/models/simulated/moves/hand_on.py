"""A member tries to hand its task to somebody else, once a task, and goes on by itself whatever comes of it."""

from __future__ import annotations

from harness.models.simulated.prompt.view import SEND, View
from harness.models.simulated.skills.act import Act, message


def applies(view: View) -> bool:
    if not view.can_send or not view.orders or not view.peers:
        return False
    order = view.orders[-1]
    if any(c.name == SEND and c.argument("type") == "task" and c.at > order.at for c in view.calls):
        return False
    return order.type == "task" and view.draws.agent("hand on", order.at) < view.behaviour.delegation.tendency


def act(view: View) -> Act:
    peer = view.peers[int(view.draws.agent("hand on to", view.orders[-1].at) * len(view.peers))]
    return Act(calls=(message(peer, "task", f"Please do this for me:\n{view.orders[-1].content}"),))
