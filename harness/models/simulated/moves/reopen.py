"""Asked to write files anew, the model reads them as they are before it writes."""

from __future__ import annotations

from collections.abc import Mapping

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.reading import reading_calls


def applies(view: View) -> bool:
    return bool(_unread(view))


def act(view: View) -> Act:
    return Act(calls=reading_calls(view, _unread(view)))


def _unread(view: View) -> Mapping[str, int]:
    """Files of its own part that it can read and has not read, nobody else having written them or being about to."""
    if view.reader is None or view.team.unsent or view.team.outstanding:
        return {}
    asked = [(item, name) for item in view.questions if (name := view.file_of(item))]
    if not asked:  # as of most tasks: no need to look through all that was said
        return {}
    written = view.own_entries.keys() | view.heard_entries.keys()
    return view.unread(
        {name: 0 for item, name in asked if item.question not in written and view.evidence.locate(item) is None}
    )
