"""Acceptance criteria of an order: what a lead has code check, of all entries and of what the statement demands."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from harness.models.oracle import Item
from harness.models.simulated.prompt.view import View

Criterion = dict[str, Any]

_ENTRY_EACH = re.compile(r"\bevery (\w+) must have an entry\b", re.I)
_DECIMALS = re.compile(r'\bevery (\w+) must have exactly (\w+) decimals?\b(?:,? or be "([^"\n]+)")?', re.I)
_ONLY = re.compile(r'\bevery (\w+) must be "([^"\n]+)"', re.I)
_COUNTS = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4}


class Wanted(NamedTuple):
    """``field``: of an entry."""

    field: str
    check: str
    parameters: Mapping[str, Any]

    def criterion(self) -> Criterion:
        return {"check": self.check, "field": self.field, **self.parameters}


def each_has_an_entry(view: View, entry: Mapping[str, Any]) -> str | None:
    """The field of an entry of which the statement says that each value asked for must have an entry; None if it says
    so of none."""
    found = _ENTRY_EACH.search(view.statement)
    return found[1].lower() if found and found[1].lower() in entry else None


def criteria(
    view: View, entry: Mapping[str, Any], checks: Sequence[str], documents: bool, asked: Sequence[Item]
) -> list[Criterion]:
    """What code can check of the entries for these questions: their fields are there, no question comes twice, the
    place that an entry names is one of the documents, and its answer stands there; and what the statement demands of
    them. Only ``checks`` can be named. ``entry``: the form of an entry."""
    naming = next(iter(entry))
    place = next((name for name, shown in entry.items() if "file name" in str(shown)), None)
    wanted: list[Criterion] = [{"check": "required", "field": name} for name in entry if name != naming]
    wanted.append({"check": "unique", "field": naming})
    if documents and place is not None:
        wanted.append({"check": "names_source", "field": place})
    if documents and "answer" in entry:
        wanted.append({"check": "quote_in_source", "field": "answer", **({} if place is None else {"by": place})})
    wanted += [rule.criterion() for rule in _demanded(view, asked) if rule.field in entry]
    return [c for c in wanted if c["check"] in checks]


def _demanded(view: View, asked: Sequence[Item]) -> list[Wanted]:
    """What the statement demands of every entry, in its own words."""
    text = view.statement
    rules = [
        Wanted(found[1].lower(), "coverage", {"values": [label for item in asked if (label := _label(item))]})
        for found in _ENTRY_EACH.finditer(text)
    ]
    for found in _DECIMALS.finditer(text):
        places = _COUNTS.get(found[2].lower(), int(found[2]) if found[2].isdecimal() else None)
        if places is not None:
            rules.append(_decimals(found[1].lower(), places, found[3]))
    rules += [Wanted(found[1].lower(), "one_of", {"values": [found[2]]}) for found in _ONLY.finditer(text)]
    return [rule for rule in rules if rule.parameters.get("values") != []]


def _decimals(field: str, places: int, word: str | None) -> Wanted:
    """So many decimals, which a word may stand for: then as a pattern, since a word has no decimals."""
    if word is None:
        return Wanted(field, "decimals", {"decimals": places})
    number = rf"-?[0-9]+\.[0-9]{{{places}}}" if places else "-?[0-9]+"
    return Wanted(field, "regex", {"pattern": f"{number}|{re.escape(word)}"})


def _label(item: Item) -> str | None:
    """What entries call a question, where its line begins with it."""
    label = str(item.right[item.naming])
    return label if item.question.startswith(f"{label}:") else None
