"""Shown proposals and told to combine them, the model writes what most of them say."""

from __future__ import annotations

import re

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import told
from harness.models.simulated.skills.writing import write

_ASKED = re.compile(r"\bcombine (?:them|the proposals) into one\b", re.I)


def applies(view: View) -> bool:
    return says(_ASKED, view.system)


def act(view: View) -> Act:
    """From the proposals alone: what none of them says is not looked up, and no document is missed that cannot be read.
    An entry that one proposal holds twice counts twice."""
    return Act(write(view, ((item, told(view, item)) for item in view.questions)))
