"""A member reworks a result that was sent back."""

from __future__ import annotations

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import is_right, read_entry
from harness.models.simulated.skills.writing import write


def applies(view: View) -> bool:
    if view.returned is not None:
        return True
    return bool(view.orders) and view.orders[-1].type == "revision" and bool(view.own_entries)


def act(view: View) -> Act:
    """What was right stays. What was wrong stays too, hardened, unless the revision names the question or quotes what
    its entry is called; otherwise, and for what is missing, the model takes a fresh look at the evidence."""
    told = view.orders[-1].content if view.returned is None else view.returned
    named = {item.question for item in view.questions if item.question in told or _quotes(told, item)}

    def again(item: Item) -> Entry | None:
        own = view.own_entries.get(item.question)
        hardened = view.draws.request("harden", item.question) < view.behaviour.retry.harden
        if own is not None and (is_right(item, own) or (hardened and item.question not in named)):
            return own
        return read_entry(view, item, "rework") or own

    return Act(write(view, ((item, again(item)) for item in view.questions)))


def _quotes(told: str, item: Item) -> bool:
    """Whether a text has what entries call this question in quotation marks."""
    return f'"{item.right[item.naming]}"' in told
