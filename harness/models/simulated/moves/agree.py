"""A member whose part depends on something open says to the others what it takes, before it writes.

It looks at its own part's material in the same completion, as it would have to anyway, and so reads in its next turn
what others have said first.
"""

from __future__ import annotations

from harness.models.oracle import Choice
from harness.models.simulated.prompt.tool_names import SEND
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, Asked, message
from harness.models.simulated.skills.deciding import contract, followed, open_choices, told_option
from harness.models.simulated.skills.reading import reading_calls


def applies(view: View) -> bool:
    return bool(_open(view)) and bool(_look(view))


def _open(view: View) -> list[Choice]:
    """Decisions that nobody has told this member of, and that it has not announced itself."""
    if not view.can_send or not view.peers or not (view.orders[-1].type == "task" if view.orders else view.delegated):
        return []
    said = [call.argument("content") for call in view.calls if call.name == SEND]
    rate = view.behaviour.agreement.announce
    return [
        choice
        for choice in open_choices(view.questions)
        if told_option(view, choice) is None
        and not any(text in content for text, _ in choice.options for content in said)
        and view.draws.agent("announces", choice.name) < rate
    ]


def _look(view: View) -> tuple[Asked, ...]:
    """Calls that read what its part is about: without them it would wait until somebody writes."""
    return reading_calls(view, {str(item.right[item.naming]): 0 for item in view.questions if item.choice is not None})


def act(view: View) -> Act:
    taken = " ".join(contract(choice, followed(view, choice)) for choice in _open(view))
    text = f"I go by this, unless somebody has said otherwise before me: {taken}"
    return Act(calls=(*(message(peer, "progress", text) for peer in view.peers), *_look(view)))
