"""Read what is still to be read, all at once as far as it fits."""

from __future__ import annotations

from harness.models.simulated.prompt.tool_names import SEND
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, Asked, message
from harness.models.simulated.skills.reading import reading_calls


def applies(view: View) -> bool:
    return view.reader is not None and bool(view.unread(view.team.mine))


def act(view: View) -> Act:
    return Act(calls=(*_progress(view), *reading_calls(view, view.team.mine)))


def _progress(view: View) -> tuple[Asked, ...]:
    """Word that long work is under way, at most once a task."""
    rules = view.behaviour.progress
    if not view.can_send or not view.orders or len(view.team.mine) < rules.min_documents:
        return ()
    order = view.orders[-1]
    told = any(c.name == SEND and c.argument("type") == "progress" and c.at > order.at for c in view.calls)
    if told or view.draws.agent("progress", order.at) >= rules.rate:
        return ()
    return (message(order.sender, "progress", f"Reading {len(view.team.mine)} documents.", order.msg_id),)
