"""Nothing names a document, nor a file to write: list them."""

from __future__ import annotations

from harness.models.simulated.prompt.view import ATTEMPTS, View
from harness.models.simulated.skills.act import Act


def applies(view: View) -> bool:
    if view.lister is None or view.documents or all(view.evidence.locate(q) is not None for q in view.questions):
        return False
    if any(map(view.file_of, view.questions)):
        return False
    looked = [c for c in view.calls if c.name == view.lister]
    return len(looked) < ATTEMPTS and all(c.failed for c in looked)


def act(view: View) -> Act:
    return Act(calls=((view.lister or "", {}),))
