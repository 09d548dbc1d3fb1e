"""Told to try to refute others' findings, the model says which of them it takes for wrong."""

from __future__ import annotations

import json
import re

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.refuting import Finding, findings_in
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.reviewing import seems_wrong

_ASKED = re.compile(r"\btry to refute (?:each|every one)\b", re.I)


def applies(view: View) -> bool:
    """Also when its verdict comes back: it is given again as a whole."""
    return says(_ASKED, view.assignment) and bool(findings_in(view.assignment))


def act(view: View) -> Act:
    """A finding with several entries, such as files, is refuted by any one of them."""
    found = [(finding.number, _wrong(view, finding)) for finding in findings_in(view.assignment)]
    refuted = [
        {"finding": number, "why": f"what I have read does not bear out: {', '.join(questions)}"}
        for number, questions in found
        if questions
    ]
    return Act(json.dumps({"refuted": refuted}, ensure_ascii=False))


def _wrong(view: View, finding: Finding) -> list[str]:
    """The questions on which a finding seems wrong: by the rates of a reviewer, who without the evidence before it can
    refute nothing."""
    told = view.entries_in([finding.text], empty=True)
    pairs = [(item, entry) for given in told.values() for entry in given if (item := view.item_of(entry)) is not None]
    return list(dict.fromkeys(item.question for item, entry in pairs if seems_wrong(view, item, entry)))
