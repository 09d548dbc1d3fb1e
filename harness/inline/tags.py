"""``<delegate>order</delegate>`` in free text: which tags stand in it, and what is wrong with those that are malformed.

A text is no form that a provider checks, so anything may come. A closing tag closes the nearest open one before it. A
tag is malformed when it is opened and not closed, closed and not opened, holds another tag, is empty, or has more in it
than its name. One malformed tag spoils no other beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.accounting.purposes import Purpose
from harness.accounting.restating import is_json

FORM = "<delegate>order</delegate>"

_TAG = re.compile(r"<[ \t]{0,4}(?P<close>/?)[ \t]{0,4}delegate(?![\w-])(?P<more>[^<>]*)>?", re.I)
_PLAIN = re.compile(r"</?delegate\s*>")
_UNCLOSED, _UNOPENED = "opened and not closed", "closed and not opened"
_NESTED, _EMPTY, _MORE = "around another tag", "empty", "more than its bare name"


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag, from its opening to its closing. ``order``: where its words stand in the text, outer blanks aside;
    ``fault``: what is wrong with it, None if it is well-formed."""

    start: int
    end: int
    order: tuple[int, int]
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A text and its tags, in order. No two of them overlap."""

    text: str
    tags: tuple[Tag, ...]

    def order(self, tag: Tag) -> str:
        """What stands in a tag."""
        start, end = tag.order
        return self.text[start:end]

    def stretches(self) -> list[tuple[str, Purpose]]:
        """The text in pieces; joined they are the text. A tag and what stands in it hand out work, whether or not it
        can be read; all around is planning. The words of an order are a piece of their own: its worker reads them."""
        pieces: list[tuple[str, Purpose]] = []
        at = 0
        for tag in self.tags:
            begin, end = tag.order
            pieces.append((self.text[at : tag.start], Purpose.PLAN))
            pieces += [
                (self.text[a:b], Purpose.DISPATCH) for a, b in ((tag.start, begin), (begin, end), (end, tag.end))
            ]
            at = tag.end
        pieces.append((self.text[at:], Purpose.PLAN))
        return [(piece, purpose) for piece, purpose in pieces if piece]


def marked(text: str) -> Marked:
    """The tags in what a model has written. In a deliverable in JSON there are none: what stands in its strings is
    quoted."""
    found = tags_in(text)
    return Marked(text, ()) if found and is_json(text) else Marked(text, found)


def markup(text: str) -> list[tuple[str, Purpose]] | None:
    """For ``Agent.markup``: the text in stretches of one purpose, None without tags."""
    found = marked(text)
    return found.stretches() if found.tags else None


def tags_in(text: str) -> tuple[Tag, ...]:
    """Every tag in a text, in order. Takes time in proportion to the text."""
    done: list[Tag] = []
    opened: list[re.Match[str]] = []
    for found in _TAG.finditer(text):
        if found["close"]:
            if opened:
                _close(text, done, opened.pop(), found)
            else:
                done.append(_bare(found, _UNOPENED))
        elif found["more"].rstrip().endswith("/"):
            done.append(_bare(found, _EMPTY))
        else:
            opened.append(found)
    return _with_unclosed(text, done, opened)


def _close(text: str, done: list[Tag], opening: re.Match[str], closing: re.Match[str]) -> None:
    """Put a pair to those that are done, in place of those inside it."""
    nested = False
    while done and done[-1].start > opening.start():
        done.pop()
        nested = True
    begin, end = opening.end(), closing.start()
    if not nested:  # else each of many levels would look at the whole again
        begin, end = _trimmed(text, begin, end)
    plain = _PLAIN.fullmatch(opening[0]) and _PLAIN.fullmatch(closing[0])
    fault = _NESTED if nested else _MORE if not plain else _EMPTY if begin == end else None
    done.append(Tag(opening.start(), closing.end(), (begin, end), fault))


def _bare(found: re.Match[str], fault: str) -> Tag:
    return Tag(found.start(), found.end(), (found.end(), found.end()), fault)


def _with_unclosed(text: str, done: list[Tag], opened: list[re.Match[str]]) -> tuple[Tag, ...]:
    """Those that are never closed reach to the next tag, or to the end."""
    if not opened:
        return tuple(done)  # in the order of their closing, which is that of their opening: none is inside another
    starts = sorted([*(tag.start for tag in done), *(found.start() for found in opened)])
    following = dict(zip(starts, [*starts[1:], len(text)], strict=True))
    for found in opened:
        end = following[found.start()]
        done.append(Tag(found.start(), end, _trimmed(text, found.end(), end), _UNCLOSED))
    return tuple(sorted(done, key=lambda tag: tag.start))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without blanks at its ends."""
    stretch = text[start:end]
    bare = stretch.strip()
    begin = start + (len(stretch) - len(stretch.lstrip()) if bare else 0)
    return begin, begin + len(bare)
