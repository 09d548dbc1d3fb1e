"""An expert that may send explorers out has one read its material and report what its order asks for."""

from __future__ import annotations

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.handing import sent_orders
from harness.models.simulated.prompt.team import EXPLORERS
from harness.models.simulated.prompt.tool_names import DISPATCH
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.ordering import handed_out, payload


def applies(view: View) -> bool:
    """Once a step, and only for what has to be read."""
    if DISPATCH not in view.tools or not says(EXPLORERS, view.system) or sent_orders(view):
        return False
    return bool(view.unread(view.team.mine)) and view.draws.agent("explores") < view.behaviour.exploring.rate


def act(view: View) -> Act:
    return handed_out(view, "", [("", payload(view, view.unread(view.team.mine), 1, 1))])
