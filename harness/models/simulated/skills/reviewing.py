"""What a reviewer finds wrong with somebody else's entries, with the evidence before it."""

from __future__ import annotations

import re

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry, says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.answering import is_right
from harness.models.simulated.skills.judging import lets_pass
from harness.models.simulated.skills.listing import seen

_PARTLY = re.compile(r"\bonly for questions that these documents answer\b", re.I)


def faults(view: View, product: str) -> list[str]:
    """One sentence for each question of the assignment whose entry in a product is missing or seems wrong. Without the
    evidence nothing can be said of an entry; that one is missing is seen by everybody, unless it may be left out."""
    given = view.entries_in([product], empty=True)
    told = (_fault(view, item, given.get(item.question, [])) for item in view.questions)
    return [sentence for sentence in told if sentence]


def _fault(view: View, item: Item, entries: list[Entry]) -> str | None:
    name = item.right[item.naming]
    answers = [e for e in entries if e.get(item.telling) is not None]
    if not answers:
        held = view.evidence.locate(seen(view, item)) is not None
        if not held and (says(_PARTLY, view.assignment) or entries):
            return None
        return f'"{name}" has no answer.'
    return f'"{name}" is not what the material says.' if any(seems_wrong(view, item, e) for e in answers) else None


def seems_wrong(view: View, item: Item, entry: Entry) -> bool:
    """Whether somebody else's entry is taken for wrong, by the rates of a reviewer; without the evidence none is."""
    known = seen(view, item)
    if view.evidence.locate(known) is None:
        return False
    return not lets_pass(view, is_right(known, entry), item.question, repr(sorted(map(repr, entry.items()))))
