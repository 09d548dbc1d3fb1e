"""Whether a piece of code that somebody copied names a place in a file."""

from __future__ import annotations

import re
from collections.abc import Collection

MOST_LINES = 3
"""Lines that a copied piece may span: more of them point at nothing."""
_NUMBER = re.compile(r"(?:lines?\s*|l)?(\d{1,4})", re.I)
_BEFORE = re.compile(r"lines?\s*\d{1,4}\s*[:.)-]\s*|l?\d{1,4}\s*:\s*", re.I)
_FENCE = re.compile(r"^\s*`{3,}[^\n]*$", re.M)
_DROPPED = re.compile(r"[\s\"'`]+")


def names(text: str, lines: Collection[int], where: object, file: str = "") -> bool:
    """Whether ``where`` names one of these lines (numbers from 1) of a text.

    It is a piece of the text, white space and kinds of quotation marks aside: a line, a part of one, or up to
    ``MOST_LINES`` lines in a row. Wherever it stands in the text, one of the lines has to be among those that it
    touches, so that ``return`` names nothing. The file's name, ``line 7:`` or a fence around it do no harm; a bare line
    number will do. Never raises.
    """
    if isinstance(where, int) and not isinstance(where, bool):
        return where in lines
    if not isinstance(where, str):
        return False
    told = _FENCE.sub("", where).strip().strip("`").strip()
    told = told.removeprefix(file).lstrip(" :\n") if file else told
    if number := _NUMBER.fullmatch(told.rstrip(".")):
        return int(number[1]) in lines
    spans = _found(text, told) or _found(text, _BEFORE.sub("", told, count=1))
    return bool(spans) and all(b - a < MOST_LINES and any(a <= n <= b for n in lines) for a, b in spans)


def _found(text: str, piece: str) -> list[tuple[int, int]]:
    """First and last line of every place where a piece stands."""
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
    spans = []
    at = whole.find(wanted)
    while at >= 0:
        spans.append((owner[at], owner[at + len(wanted) - 1]))
        at = whole.find(wanted, at + 1)
    return spans
