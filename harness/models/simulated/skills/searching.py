"""Asking for material: by searching where that answers everything, else by reading."""

from __future__ import annotations

from collections.abc import Mapping

from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Asked
from harness.models.simulated.skills.reading import reading_calls


def searching_calls(view: View) -> tuple[Asked, ...]:
    """Calls for the searches that are still to be made, at most ``reading.parallel``. Empty unless searching answers
    all questions."""
    if view.search.tool is None:
        return ()
    name, parameter = view.search.tool
    return tuple((name, {parameter: wanted}) for wanted in view.search.open[: view.behaviour.reading.parallel])


def looking_calls(view: View, documents: Mapping[str, int]) -> tuple[Asked, ...]:
    """The next searches, or without any the next of these documents; empty when there is nothing left to look at."""
    return (searching_calls(view) or reading_calls(view, documents)) if view.unread(documents) else ()
