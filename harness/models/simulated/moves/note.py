"""A member that has nothing to do is told something by another: it takes note."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act


def applies(view: View) -> bool:
    if not view.can_send or not view.peers or view.returned is not None or (view.delegated and not view.orders):
        return False
    handed_in = max((i for i, m in enumerate(view.messages) if m.role == "assistant" and not m.calls), default=-1)
    if any(order.at > handed_in for order in view.orders):
        return False
    fresh = [block for block in view.inbox if block.at > view.last_said]
    return bool(fresh) and all(block.type == "progress" for block in fresh)


def act(view: View) -> Act:
    return Act("Noted.")
