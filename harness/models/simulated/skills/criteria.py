"""Acceptance criteria of an order: what a lead has code check, of all entries and of what the statement demands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from harness.models.oracle import Item
from harness.models.simulated.prompt.team import ENTRY_EACH
from harness.models.simulated.prompt.view import View

Criterion = dict[str, Any]

_DECIMALS = re.compile(r'\bevery (\w+) must have exactly (\w+) decimals?\b(?:,? or be "([^"\n]+)")?', re.I)
_ONLY = re.compile(r'\bevery (\w+) must be "([^"\n]+)"', re.I)
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4}


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
    wanted += _demanded(view.statement, naming, asked)
    return [c for c in wanted if c["check"] in checks and c["field"] in entry]


def _demanded(statement: str, naming: str, asked: Sequence[Item]) -> Iterator[Criterion]:
    """What a statement demands of every entry, in its own words."""
    labels = [label for item in asked if (label := _label(item)) is not None]
    if labels and any(found[1].lower() == naming for found in ENTRY_EACH.finditer(statement)):
        yield {"check": "coverage", "field": naming, "values": labels}
    yield from _of_every(statement)


@lru_cache(maxsize=64)
def _of_every(statement: str) -> tuple[Criterion, ...]:
    """What it demands of a field of every entry, whatever is asked; looked for once in a statement, which may hold the
    material. Callers leave it as it is."""
    return tuple(_fields_told(statement))


def _fields_told(statement: str) -> Iterator[Criterion]:
    # Both patterns stand in one line, which most of the material does not: it need not be searched letter by letter.
    statement = "\n".join(line for line in statement.split("\n") if "every" in line.lower())
    for found in _DECIMALS.finditer(statement):
        field, told, word = found[1].lower(), found[2].lower(), found[3]
        places = _COUNTS.get(told, int(told) if told.isdecimal() else 0)
        if places and word is None:
            yield {"check": "decimals", "field": field, "decimals": places}
        elif places:  # a word has no decimals, so they are asked for by a pattern
            pattern = rf"-?[0-9]+\.[0-9]{{{places}}}|{re.escape(word)}"
            yield {"check": "regex", "field": field, "pattern": pattern}
    for found in _ONLY.finditer(statement):
        yield {"check": "one_of", "field": found[1].lower(), "values": [found[2]]}


def _label(item: Item) -> str | None:
    """What entries call a question, where its line begins with it."""
    label = str(item.right[item.naming])
    return label if item.question.startswith(f"{label}:") else None
