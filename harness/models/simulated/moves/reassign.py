"""A part has failed: a lead gives it to another member."""

from __future__ import annotations

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act
from harness.models.simulated.skills.ordering import handed_out


def applies(view: View) -> bool:
    return bool(view.team.reassignable)


def act(view: View) -> Act:
    return handed_out(view, "", ((name, order.payload) for name, order in view.team.reassignable))
