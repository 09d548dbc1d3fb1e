"""JSON values that stand in a text, read wherever one may begin, in time that grows with the text."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

_TOKEN = re.compile(
    r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]|-?(?P<digits>[0-9]+)(?P<rest>(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)', re.S
)
DEEP = 500
"""Levels of brackets that are given up at once where a value is nested too deep to be read."""
_DECODER = json.JSONDecoder()


class Values:
    """The values of one text. Where one cannot be read, the brackets that are open at the fault cannot either, since a
    value is read alike within another and by itself: they are remembered and not tried again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._hopeless: set[int] = set()

    def at(self, start: int) -> tuple[Any, int] | None:
        """The value that begins at a bracket, and where it ends; None if none does, or it is nested too deep."""
        if start in self._hopeless:
            return None
        try:
            return _DECODER.raw_decode(self._text, start)
        except json.JSONDecodeError as fault:
            self._give_up(start, fault.pos)
        except RecursionError:
            self._give_up(start, len(self._text), depth=DEEP)
        except ValueError:  # a number too long for Python, whose place the error does not tell
            self._give_up(start, len(self._text), digits=sys.get_int_max_str_digits())
        return None

    def _give_up(self, start: int, stop: int, *, depth: int = 0, digits: int = 0) -> None:
        """``stop``, ``depth``, ``digits``: the fault is there, or at the latest at so many open brackets, or at the
        first longer number."""
        still: list[int] = []
        for token in _TOKEN.finditer(self._text, start, stop):
            sign = token[0]
            if sign in "[{":
                still.append(token.start())
                if len(still) == depth:
                    break
            elif sign in "]}":
                still.pop()
                if not still:  # it can be read, but not from as deep in the program as here
                    break
            elif digits and token["digits"] and not token["rest"] and len(token["digits"]) > digits:
                break
        self._hopeless.update(still)
