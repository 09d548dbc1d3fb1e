"""Asked to check its own answer, the model looks at it once more, leniently."""

from __future__ import annotations

import re

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry, says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import is_right, mistake, read_entry
from harness.models.simulated.skills.listing import seen
from harness.models.simulated.skills.writing import write

_ASKED = re.compile(r"\bcheck your (?:own )?answer\b", re.I)
_EVENT = "own review"


def applies(view: View) -> bool:
    """From the request on until an answer is given; what is read meanwhile does not end it."""
    said = [i for i, m in enumerate(view.messages) if m.role == "assistant" and not m.calls]
    return bool(said) and any(m.role == "user" and says(_ASKED, m.text) for m in view.messages[said[-1] + 1 :])


def act(view: View) -> Act:
    """A wrong entry that it notices is answered anew; a right one that it takes for wrong becomes another, so it is
    wrong then. What has no answer gets a fresh look. Without the evidence nothing can be checked."""

    def again(item: Item) -> Entry | None:
        own = view.own_entries.get(item.question)
        fresh = read_entry(view, item, _EVENT)
        if own is None or fresh is None:
            return own or fresh
        known = seen(view, item)
        right = is_right(known, own)
        rules = view.behaviour.review
        doubts = view.draws.request("doubts its own", item.question) < (
            rules.false_alarm if right else rules.self_catch
        )
        if not doubts:
            return own
        return mistake(view, known, _EVENT) if right and is_right(known, fresh) else fresh

    return Act(write(view, ((item, again(item)) for item in view.questions)))
