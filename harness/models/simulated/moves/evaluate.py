"""Asked to evaluate the product of a step, the model looks the material up and writes a verdict."""

from __future__ import annotations

import json
import re

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.reviewing import faults
from harness.models.simulated.skills.searching import looking_calls

_ASKED = re.compile(r"\byou evaluate the product of one step\b", re.I)


def applies(view: View) -> bool:
    return says(_ASKED, view.system)


def act(view: View) -> Act:
    """First it reads what the order names, in a context of its own; the product stands before the order."""
    look = looking_calls(view, view.team.mine)
    if look:
        return Act(calls=look)
    product = view.statement[: len(view.statement) - len(view.assignment)]
    found = faults(view, product)
    return Act(json.dumps({"verdict": "REVISE" if found else "PASS", "errors": found}, ensure_ascii=False))
