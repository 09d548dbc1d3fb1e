"""A document holds a piece that its reader cannot make sense of: it hands that piece on instead of answering.

Whoever is given it next meets the same piece and does the same (seed document 003, section 3.4: one table that could
not be parsed, dozens of sub-agents). A reader does so once a document, and goes by what comes back; without a tool for
it, or when it must not, it does the work itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.handing import sent_orders
from harness.models.simulated.prompt.tool_names import DISPATCH
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.ordering import handed_out, payload

_FORBIDDEN = re.compile(r"^Forbidden: .*\b(?:handing the task on|delegate|dispatch_sub_agent)\b", re.M)
_MUST_NOT = re.compile(r"\b(?:do not|don't|never|may not|must not) (?:hand|delegate|dispatch|create)\b", re.I)


def applies(view: View) -> bool:
    return bool(_troubled(view))


def _troubled(view: View) -> Mapping[str, int]:
    """Documents of its order that this agent has read, cannot make sense of, and has not handed on yet."""
    if DISPATCH not in view.tools or not view.delegated:
        return {}
    if says(_FORBIDDEN, view.assignment) or says(_MUST_NOT, view.system):
        return {}
    named = {name for order in sent_orders(view) for name in view.documents_in(order.text)}
    chance = view.behaviour.delegation.trouble
    return {
        name: size
        for name, size in view.team.mine.items()
        if name in view.read and name not in named and view.draws.family("trouble", name) < chance
    }


def act(view: View) -> Act:
    pieces = _troubled(view)
    orders = (("", payload(view, {name: size}, 1, 1)) for name, size in pieces.items())
    return handed_out(view, f"There is a piece that I cannot parse in {', '.join(pieces)}.", orders)
