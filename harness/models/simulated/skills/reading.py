"""Asking for documents: as many at once as fit, with the slips that many tools bring."""

from __future__ import annotations

from collections.abc import Mapping

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Asked

RESERVE = 2000
"""Tokens of the window that are kept free for the answer."""


def reading_calls(view: View, documents: Mapping[str, int]) -> tuple[Asked, ...]:
    """Calls for the next unread documents: at most ``reading.parallel``, and no more than fit the rest of the window by
    the sizes that the text tells, but one in any case. Empty when no tool reads."""
    if view.reader is None:
        return ()
    room = view.window_tokens - view.prompt.tokens - RESERVE
    batch: list[str] = []
    for name, size in view.unread(documents).items():
        if batch and (size > room or len(batch) == view.behaviour.reading.parallel):
            break
        batch.append(name)
        room -= size
    return tuple(_call(view, view.reader, name) for name in batch)


def _call(view: View, reader: tuple[str, str], document: str) -> Asked:
    """One call, or a slip: another tool, or a name without its ending."""
    tool, parameter = reader
    chance = view.behaviour.tool_choice.per_tool * max(0, len(view.tools) - view.behaviour.tool_choice.free)
    if view.draws.request("slip", document) >= chance:
        return tool, {parameter: document}
    others = [name for name in view.tools if name != tool]
    which = view.draws.request("slip kind", document)
    if which < 0.5:
        return others[int(2 * which * len(others))], {parameter: document}
    return tool, {parameter: document.rpartition(".")[0]}
