"""The architect of a team rules on a step that has failed its review: once more, or as it is."""

from __future__ import annotations

import json
import re

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act

_ASKED = re.compile(r"\byou are the architect of a team\b", re.I)


def applies(view: View) -> bool:
    return says(_ASKED, view.system)


def act(view: View) -> Act:
    names = ", ".join(str(item.right[item.naming]) for item in view.questions)
    if view.draws.agent("rules") < view.behaviour.architect.revise:
        asked = "\n".join(item.question for item in view.questions)
        return _ruling("REVISED_INSTRUCTION", "instruction", f"Go by the material alone. Answer:\n{asked}")
    return _ruling("ACCEPT_WITH_CAVEATS", "caveats", f"Not confirmed by review: {names or 'all of it'}.")


def _ruling(ruling: str, field: str, text: str) -> Act:
    return Act(json.dumps({"ruling": ruling, field: text}, ensure_ascii=False))
