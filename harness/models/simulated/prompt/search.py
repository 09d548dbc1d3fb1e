"""Questions that one search answers, and what became of the searches for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from harness.models.simulated.prompt.findings import says
from harness.models.simulated.prompt.tool_names import taking_one

if TYPE_CHECKING:
    from harness.models.simulated.prompt.view import View

_SEARCHES = re.compile(r"\bsearch\b.*\bregular expression\b", re.I | re.S)
_CUT = re.compile(r"\bmore lines match\b")
_WORD = re.compile(r"\bcontains? the word `(\w+)`", re.I)
_DEFINED = re.compile(r"\bis `(\w+)` defined\b", re.I)
ATTEMPTS = 2
"""How often one search is asked for before it is given up."""


class Search:
    """Derived from a view; holds no state of its own. ``tool``: the tool that says that it searches for a regular
    expression, and its parameter."""

    def __init__(self, view: View) -> None:
        self._view = view

    @cached_property
    def tool(self) -> tuple[str, str] | None:
        told = self._view.described
        return taking_one(self._view.tools, lambda name: says(_SEARCHES, told.get(name, "")))

    @cached_property
    def patterns(self) -> tuple[str, ...]:
        """One for each question, if each of them is a question that one search answers; else none: whoever has to read
        for one of them reads what answers the others too."""
        found = [pattern(item.question) for item in self._view.questions]
        return tuple(dict.fromkeys(p for p in found if p)) if all(found) else ()

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Those that are still to be searched for; none where nothing searches, or one search has failed for good: then
        reading remains."""
        if self.tool is None or any(self._given_up(p) for p in self.patterns):
            return ()
        return tuple(p for p in self.patterns if not self._settled(p))

    @cached_property
    def done(self) -> bool:
        """Whether each search has been made and has shown all that it found."""
        return bool(self.patterns) and all(map(self._settled, self.patterns))

    def _settled(self, wanted: str) -> bool:
        return any(not says(_CUT, result) for result in self._results.get(wanted, ()) if result is not None)

    def _given_up(self, wanted: str) -> bool:
        results = self._results.get(wanted, ())
        cut = any(result is not None for result in results)
        return not self._settled(wanted) and (cut or len(results) >= ATTEMPTS)

    @cached_property
    def _results(self) -> Mapping[str, list[str | None]]:
        """Pattern → what each search for it has brought, None for a failure. A search with a second argument looked at
        some of the material only, and does not count."""
        found: dict[str, list[str | None]] = {}
        for call in self._view.calls:
            arguments = call.arguments or {}
            if len(arguments) == 1:
                found.setdefault(str(next(iter(arguments.values()))), []).append(None if call.failed else call.result)
        return found


def pattern(question: str) -> str | None:
    """The regular expression to search for; None for a question that takes more than that."""
    if found := _WORD.search(question):
        return rf"\b{found[1]}\b"
    if found := _DEFINED.search(question):
        return rf"\b(?:def|class) {found[1]}\b"
    return None
