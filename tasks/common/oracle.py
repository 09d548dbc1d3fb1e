"""Items by the lines that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

from harness.models.oracle import Item
from tasks.common.texts import strip_marker


class LineOracle:
    """All items of a suite, found by their question or by the label that their entries carry
    (``harness.models.oracle.Oracle``). Raises ValueError for two items of one question: nobody could tell them apart. A
    label that several items share finds none of them here."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items: dict[str, Item] = {}
        labels: dict[str, list[Item]] = {}
        for item in items:
            if item.question in self._items:
                raise ValueError(f"two items ask: {item.question}")
            self._items[item.question] = item
            labels.setdefault(str(item.right[item.naming]), []).append(item)
        for label, found in labels.items():
            if len(found) == 1:
                self._items.setdefault(label, found[0])

    def lookup(self, line: str) -> Item | None:
        """The item that a line asks for or names, list marker and white space aside."""
        return self._items.get(strip_marker(line))


MOST_KEPT = 1024
"""Items that are kept; any other is made again when asked for."""
LABEL_CHARS = 200
_END = ": "

Place = TypeVar("Place", bound=Hashable)


class LabelOracle(Generic[Place]):
    """Items made on demand, for suites of any number of questions (``harness.models.oracle.Oracle``). A question begins
    with its label (at most ``LABEL_CHARS``), ``P07: How many …?``, and its first line alone asks for it. ``place``:
    from a label to where the question stands among all, None for any other text; ``make``: the item at a place."""

    def __init__(self, place: Callable[[str], Place | None], make: Callable[[Place], Item]) -> None:
        self._place = place
        self._item = lru_cache(maxsize=MOST_KEPT)(make)

    def lookup(self, line: str) -> Item | None:
        """The item that a line asks for or names, list marker and white space aside."""
        text = strip_marker(line).rstrip()
        for label in _labels(text):
            place = self._place(label)
            if place is not None:
                item = self._item(place)
                if text in (label, item.question.split("\n", 1)[0].rstrip()):
                    return item
        return None


def _labels(text: str) -> Iterator[str]:
    """What a text could begin with as its label: all of it, or what stands before a colon."""
    if len(text) <= LABEL_CHARS:
        yield text
    at = text.find(_END, 0, LABEL_CHARS + len(_END))
    while at > 0:
        yield text[:at]
        at = text.find(_END, at + 1, LABEL_CHARS + len(_END))
