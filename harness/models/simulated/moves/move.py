"""What a move is: one thing the model may do next, chosen by what the request says."""

from __future__ import annotations

from typing import Protocol

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act


class Move(Protocol):
    """A module with these two functions is a move."""

    def applies(self, view: View) -> bool:
        """Whether this is what to do now, if no earlier move applies."""

    def act(self, view: View) -> Act:
        """Do it."""
