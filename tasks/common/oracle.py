"""Items by the lines that ask for them."""

from __future__ import annotations

from collections.abc import Iterable

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
