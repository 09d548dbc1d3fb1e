"""Which lines of a file somebody means who copied a piece of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

MOST_LINES = 3
"""Lines that a copied piece may span: more of them point at nothing."""
LONGEST = 2000
"""Characters of a piece that is looked for."""
HALF = 0.5
"""Share of a line's characters that a piece has to hold to be meant for it, white space and quotation marks aside; a
single word has to be the whole line. A bracket or a ``return`` that happens to stand in one line points at nothing."""
_NUMBER = re.compile(r"(?:lines?\s*|l)?(\d{1,4})(?:\s*[-–]\s*l?(\d{1,4}))?\.?", re.I)
_BEFORE = re.compile(r"lines?\s*\d{1,4}\s*[:.)-]\s*|l?\d{1,4}\s*:\s*", re.I)
_COMMENT = re.compile(r"\s#[^\n]*")
_FENCE = re.compile(r"^\s*`{3,}[^\n]*$", re.M)
_DROPPED = re.compile(r"[\s\"'`]+")


def names(text: str, lines: Collection[int], where: object, file: str = "") -> bool:
    """Whether ``where`` names one of these lines (numbers from 1): wherever the piece stands in the text, it holds at
    least half of one of them."""
    found = spans(text, where, file)
    return bool(found) and all(any(first <= n <= last for n in lines) for first, last in found)


def spans(text: str, where: object, file: str = "") -> list[tuple[int, int]]:
    """First and last line, counted from 1, of every place where a piece stands in a text, of the lines of which it
    holds enough (``HALF``); none if it spans more than ``MOST_LINES`` lines, or somewhere holds half of no line.

    White space and kinds of quotation marks are the same to it. The file's name, ``line 7:``, a comment after it or a
    fence around the piece do no harm, a list of lines is read as these lines in a row, and bare numbers (``7``,
    ``lines 7-8``) will do. Never raises.
    """
    count = text.count("\n") + 1
    if isinstance(where, list) and 1 <= len(where) <= MOST_LINES:
        where = "\n".join(where) if all(isinstance(line, str) for line in where) else where[0] if len(where) == 1 else 0
    if isinstance(where, int) and not isinstance(where, bool):
        return [(where, where)] if 1 <= where <= count else []
    if not isinstance(where, str) or len(where) > LONGEST:
        return []
    told = _FENCE.sub("", where).strip(" \t\n`")
    told = told.removeprefix(file).lstrip(" :,\n") if file else told
    if number := _NUMBER.fullmatch(told):
        first, last = int(number[1]), int(number[2] or number[1])
        return [(first, last)] if 1 <= first <= last <= count and last - first < MOST_LINES else []
    bare = _BEFORE.sub("", told, count=1)
    found = next(filter(None, (_standing(text, form) for form in (told, bare, _COMMENT.sub("", f" {bare}")))), [])
    meant = [span for span in found if span is not None]
    return meant if len(meant) == len(found) else []


def _standing(text: str, piece: str) -> list[tuple[int, int] | None]:
    """Every place where it stands; None for one that points at nothing."""
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
    sizes = Counter(owner)
    least = 1.0 if piece.strip().isidentifier() else HALF
    found: list[tuple[int, int] | None] = []
    at = whole.find(wanted)
    while at >= 0:
        held = Counter(owner[at : at + len(wanted)])
        lines = [number for number in held if held[number] >= least * sizes[number]]
        few = owner[at + len(wanted) - 1] - owner[at] < MOST_LINES
        found.append((lines[0], lines[-1]) if lines and few else None)
        at = whole.find(wanted, at + 1)
    return found
