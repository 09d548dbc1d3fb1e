"""Shown proposals or findings and told to combine them, the model writes what most of them say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry, says
from harness.models.simulated.prompt.refuting import findings_in
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import most_held, read_entry, retold, told
from harness.models.simulated.skills.writing import write

_ASKED = re.compile(r"\bcombine (?:them|the proposals) into one\b", re.I)
_FINDINGS = re.compile(r"\bcombine (?:the|their) findings below into one\b", re.I)


def applies(view: View) -> bool:
    """Once nothing is left to look up, where something is to be looked up."""
    if says(_ASKED, view.system):
        return not view.team.plans
    if not (says(_FINDINGS, view.assignment) and findings_in(view.assignment)):
        return False
    left = view.unread(view.documents) if view.reader is not None else {}
    return not left or not any(item.question not in _holding(view) for item in view.questions)


def act(view: View) -> Act:
    """From the proposals alone: what none of them says is not looked up, and no document is missed that cannot be read.
    An entry that one proposal holds twice counts twice. A finding that was refuted does not count, and what no other
    finding answers is looked up; refuted findings are better than nothing."""
    if says(_ASKED, view.system):
        return Act(write(view, ((item, told(view, item)) for item in view.questions)))
    return Act(write(view, ((item, _settled(view, item)) for item in view.questions)))


def _settled(view: View, item: Item) -> Entry | None:
    held = _holding(view).get(item.question)
    if held:
        return retold(view, item, most_held(item, held))
    return read_entry(view, item, "settles") or _most_refuted(view, item)


def _most_refuted(view: View, item: Item) -> Entry | None:
    held = _holding(view, refuted=True).get(item.question)
    return retold(view, item, most_held(item, held)) if held else None


def _holding(view: View, *, refuted: bool = False) -> Mapping[str, Sequence[Entry]]:
    """Question → the answers of those findings that were refuted, or were not, each as often as it was given."""
    texts = [f.text for f in findings_in(view.assignment) if f.refuted == refuted for _ in range(f.given)]
    return view.entries_in(texts)
