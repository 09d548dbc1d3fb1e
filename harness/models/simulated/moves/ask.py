"""What was read has several figures for one line of the request: ask which is meant, before any of them is taken.

Whoever owns the task asks by a tool, if there is one; a member asks its lead by message, and a lead passes on what
members ask and it does not know itself. Nobody else can (seed document 000, section 5: "Q2", with or without Q1?).
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.models.oracle import Item
from harness.models.simulated.prompt.tool_names import SEND
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, message
from harness.models.simulated.skills.reading import reading_calls


def applies(view: View) -> bool:
    return bool(_unclear(view) or _passed_on(view))


def act(view: View) -> Act:
    """All lines in one question. A lead whose members wait for the answer goes on reading meanwhile."""
    if view.asker is None:
        order = view.orders[-1]
        return Act(calls=(message(order.sender, "clarify", _question(_unclear(view)), order.msg_id),))
    tool, parameter = view.asker
    asked = (tool, {parameter: _question((*_unclear(view), *_passed_on(view)))})
    own = () if view.team.pretends else reading_calls(view, view.team.mine)
    return Act(calls=(asked, *own))


def _question(items: Iterable[Item]) -> str:
    return "\n".join(dict.fromkeys(["Which reading is meant here?", *(item.question for item in items)]))


def _unclear(view: View) -> tuple[Item, ...]:
    """Lines of its own that this agent asks about, once everything is read that it has to read."""
    if view.asker is None and not (view.can_send and view.orders):
        return ()
    if view.unread(view.team.mine):
        return ()
    rate = view.behaviour.asking.rate
    return tuple(
        item
        for item in view.questions
        if _ambiguous(view, item) and not _asked(view, item) and view.draws.agent("ask", item.question) < rate
    )


def _ambiguous(view: View, item: Item) -> bool:
    """Whether the passage that this agent has read shows several figures for a line that it has not answered, and
    nothing in the prompt says which is meant."""
    if item.partial is None or not view.evidence.begins(item) or view.evidence.locate(item) is not None:
        return False
    if item.question in view.own_entries:
        return False
    passage = view.evidence.passage(item)
    figures = {str(entry.get(item.telling)) for entry in (item.partial, item.right, *item.wrong)}
    return sum(figure in passage for figure in figures) > 1


def _passed_on(view: View) -> tuple[Item, ...]:
    """Lines that members ask about, where this agent can ask and does not know."""
    if view.asker is None:
        return ()
    asked = (item for block in view.team.open_questions for item in view.knowledge.questions(block.content))
    return tuple(
        item for item in asked if not all(map(view.evidence.holds, item.evidence[1:])) and not _asked(view, item)
    )


def _asked(view: View, item: Item) -> bool:
    """Whether this agent has asked about a line before, whatever came of it."""
    asking = {view.asker[0]} if view.asker is not None else set()
    texts = (
        str(text)
        for call in view.calls
        if call.name in asking or (call.name == SEND and call.argument("type") == "clarify")
        for text in (call.arguments or {}).values()
    )
    return any(item.question in text for text in texts)
