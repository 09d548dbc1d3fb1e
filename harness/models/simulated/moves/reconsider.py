"""Asked to reconsider its answer in the light of others', the model gives way to the majority now and then."""

from __future__ import annotations

import re

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import most_held, retold
from harness.models.simulated.skills.writing import write

_ASKED = re.compile(r"\breconsider your answer\b", re.I)


def applies(view: View) -> bool:
    """From the request on until it has answered."""
    answered = max((i for i, m in enumerate(view.messages) if m.role == "assistant" and not m.calls), default=-1)
    return answered >= 0 and _request(view) > answered


def act(view: View) -> Act:
    """An own entry stays unless most of all, its own included, hold another; then it gives way by chance, whichever is
    right. What it has no entry for it takes over. Taken over is retold, with what that does to it."""
    theirs = view.entries_in([view.messages[_request(view)].text])

    def again(item: Item) -> Entry | None:
        own, others = view.own_entries.get(item.question), theirs.get(item.question, [])
        if own is None:
            return retold(view, item, most_held(item, others)) if others else None
        most = most_held(item, [own, *others])  # of equals the first, and so its own
        gives_way = view.draws.request("conform", item.question) < view.behaviour.debate.conform
        return retold(view, item, most) if most is not own and gives_way else own

    return Act(write(view, ((item, again(item)) for item in view.questions)))


def _request(view: View) -> int:
    """Which message asks for it, -1 if none does."""
    asking = (i for i, m in enumerate(view.messages) if m.role == "user" and _ASKED.search(m.text))
    return max(asking, default=-1)
