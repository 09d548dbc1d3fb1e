"""Answers that are lists made up of pieces: what one agent sees of them, and several lists put together."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from harness.models.oracle import Item
from harness.models.simulated.prompt.findings import Entry
from harness.models.simulated.prompt.view import View


def seen(view: View, item: Item) -> Item:
    """The item as it looks to whoever holds what this agent holds: the right list is what can be found there, and the
    wrong ones hold nothing right that cannot."""
    if not item.pieces or view.evidence.locate(item) is not None:
        return item
    return only(item, [element for texts, element in item.pieces if view.evidence.located(texts) is not None])


def only(item: Item, elements: Collection[Any]) -> Item:
    """The item without the pieces of other elements; the same item if it has no pieces or keeps all."""
    pieces = tuple(piece for piece in item.pieces if piece[1] in elements)
    if len(pieces) == len(item.pieces):
        return item
    right = {**item.right, item.telling: [element for _, element in pieces]}
    gone = {element for _, element in item.pieces} - {element for _, element in pieces}
    wrong = ({**e, item.telling: [x for x in listed(item, e) if x not in gone]} for e in item.wrong)
    evidence = tuple(dict.fromkeys(text for texts, _ in pieces for text in texts))
    others = tuple(e for e in wrong if e[item.telling] and e != right)
    return replace(item, evidence=evidence, right=right, wrong=others, pieces=pieces)


def read_since(view: View, item: Item, at: int) -> Item:
    """The item with only the pieces of which some text stands in a message after the one ``at``, and in none before."""
    held = {text: _first_held(view, text) for texts, _ in item.pieces for text in texts}
    return only(item, [element for texts, element in item.pieces if any(held[text] > at for text in texts)])


def _first_held(view: View, text: str) -> int:
    """Which message is the first to hold a text, -1 if none does."""
    return next((i for i, m in enumerate(view.messages) if view.knowledge.where(m.text, text) >= 0), -1)


def listed(item: Item, entry: Entry) -> list[Any]:
    """The list that an entry gives; an answer that is no list is a list of one."""
    told = entry.get(item.telling)
    return told if isinstance(told, list) else [] if told is None else [told]


def united(item: Item, entries: Iterable[Entry]) -> Entry:
    """One entry with everything that these hold, in the order in which the right list has it, then the rest."""
    told = [element for entry in entries for element in listed(item, entry)]
    known = [element for _, element in item.pieces if element in told]
    rest = [element for n, element in enumerate(told) if element not in known and element not in told[:n]]
    return {**item.right, item.telling: [*known, *rest]}
