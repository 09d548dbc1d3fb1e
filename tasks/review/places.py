"""Which lines of a file somebody means who copied a piece of it."""

from __future__ import annotations

import re
from collections.abc import Collection

MOST_LINES = 3
"""Lines that a copied piece may span: more of them point at nothing."""
LONGEST = 2000
"""Characters of a piece that is looked for."""
_NUMBER = re.compile(r"(?:lines?\s*|l)?(\d{1,4})\.?", re.I)
_BEFORE = re.compile(r"lines?\s*\d{1,4}\s*[:.)-]\s*|l?\d{1,4}\s*:\s*", re.I)
_FENCE = re.compile(r"^\s*`{3,}[^\n]*$", re.M)
_DROPPED = re.compile(r"[\s\"'`]+")


def names(text: str, lines: Collection[int], where: object, file: str = "") -> bool:
    """Whether ``where`` names one of these lines (numbers from 1): wherever the piece stands in the text, it touches
    one of them, so that ``return`` names nothing."""
    found = spans(text, where, file)
    return bool(found) and all(any(first <= n <= last for n in lines) for first, last in found)


def spans(text: str, where: object, file: str = "") -> list[tuple[int, int]]:
    """First and last line, counted from 1, of every place where a piece stands in a text; none if it spans more than
    ``MOST_LINES`` lines.

    White space and kinds of quotation marks are the same to it. The file's name, ``line 7:`` or a fence around the
    piece do no harm, and a bare line number will do. Never raises.
    """
    count = text.count("\n") + 1
    if isinstance(where, int) and not isinstance(where, bool):
        return [(where, where)] if 1 <= where <= count else []
    if not isinstance(where, str) or len(where) > LONGEST:
        return []
    told = _FENCE.sub("", where).strip(" \t\n`")
    told = told.removeprefix(file).lstrip(" :\n") if file else told
    if number := _NUMBER.fullmatch(told):
        return spans(text, int(number[1]))
    found = _standing(text, told) or _standing(text, _BEFORE.sub("", told, count=1))
    return found if all(last - first < MOST_LINES for first, last in found) else []


def _standing(text: str, piece: str) -> list[tuple[int, int]]:
    wanted = _DROPPED.sub("", piece)
    if not wanted:
        return []
    kept: list[str] = []
    owner: list[int] = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = _DROPPED.sub("", line)
        kept.append(bare)
        owner += [number] * len(bare)
    whole = "".join(kept)
    found = []
    at = whole.find(wanted)
    while at >= 0:
        found.append((owner[at], owner[at + len(wanted) - 1]))
        at = whole.find(wanted, at + 1)
    return found
