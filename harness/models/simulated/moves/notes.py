"""Asked to compact its context, the model writes down what it has."""

from __future__ import annotations

import re

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.answering import resolve
from harness.models.simulated.skills.writing import write

_ASKED = re.compile(r"\bwrite (?:your |down )?notes\b", re.I)


def applies(view: View) -> bool:
    return says(_ASKED, view.news)


def act(view: View) -> Act:
    found = [(item, entry) for item in view.questions if (entry := resolve(view, item)) is not None]
    return Act(f"{write(view, found)}\nDocuments read: {', '.join(view.read)}")
