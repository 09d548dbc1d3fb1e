"""The oracle as the simulated model asks it, with what it said remembered."""

from __future__ import annotations

import re
from functools import lru_cache

from harness.models.oracle import Item, Oracle

_MARKER = re.compile(r"(?:[-*•]|\(?\d+[.)])\s+")
_QUOTES = "\"'`“”‘’「」『』"


class Knowledge:
    """Finds questions in texts, and evidence too. Holds no state but caches."""

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self.item = lru_cache(maxsize=4096)(self._item)
        self._named = lru_cache(maxsize=1024)(self._questions)
        self.where = lru_cache(maxsize=16384)(_where)

    def _item(self, line: str) -> Item | None:
        """The item that a line asks for, also if it is quoted, numbered or a bullet."""
        if not line or line.isspace():
            return None
        plain = line.strip().lstrip(">|").strip()
        marker = _MARKER.match(plain)
        bare = plain[marker.end() :] if marker else plain
        for form in dict.fromkeys((line, plain, bare, bare.rstrip(",;").strip(_QUOTES))):
            item = self._oracle.lookup(form)
            if item is not None:
                return item
        return None

    def questions(self, text: str) -> tuple[Item, ...]:
        """All questions of the suite that stand in a text, each once, in order."""
        found = map(self.item, self._named(text))
        return tuple({item.question: item for item in found if item is not None}.values())

    def _questions(self, text: str) -> tuple[str, ...]:
        """The lines that ask them. Remembered for many texts, and so without what the oracle knows of each."""
        return tuple(line for line in text.split("\n") if self.item(line) is not None)


def _where(text: str, evidence: str) -> int:
    """Where a piece of evidence starts in a text, -1 if it is not there."""
    return text.find(evidence) if evidence else -1
