"""What can be picked out of a text: file names with sizes, entries in JSON, the form of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from harness.values import Values

_FILE = re.compile(r"[^\s\[\]()<>\"'`,;:§（），；：、]+\.(?:txt|md|html?|py)\b")
_SIZE = re.compile(r"(\d[\d,]*) tokens")
_OBJECT = re.compile(r'\{\s*"')
_SHOWN = re.compile(r'\[?\{\s*"')
_READ = re.compile(r"^Documents read:(.*)$", re.M)
_PLAIN = re.compile(r"\\b([A-Za-z ]{2,})(?![A-Za-z ?*+{])")
"""Plain words after a word boundary; not the last letter of them if it may be missing."""
_GROUP = re.compile(r"\([^()]*\)")
MAX_STARTS = 2000
"""Opening braces tried in one text."""

Entry = Mapping[str, Any]


@lru_cache(maxsize=1024)
def says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text holds a pattern somewhere."""
    words = _first_words(pattern)
    small = _small(text) if words else None
    if small is None:
        return pattern.search(text) is not None
    at = small.find(words)
    while at >= 0:
        if pattern.match(text, at):
            return True
        at = small.find(words, at + 1)
    return False


@lru_cache(maxsize=64)
def _small(text: str) -> str | None:
    """In small letters, as many; None where ``re`` takes a letter for one that has another small form."""
    return None if any(letter in text for letter in "ſıİ") else text.lower()


@lru_cache(maxsize=256)
def _first_words(pattern: re.Pattern[str]) -> str:
    """What every match begins with, in small letters; empty where that is not plain to see.

    Python's ``re`` tries a pattern that begins with a word boundary at every letter, which takes 50 times as long as
    looking for a few words. Most texts are long and do not have them.
    """
    begun = _PLAIN.match(pattern.pattern)
    if begun is None or "|" in _outside_groups(pattern.pattern):
        return ""
    return begun[1].lower()


def _outside_groups(pattern: str) -> str:
    """A pattern without its groups; all of it where brackets are escaped or stand in sets."""
    if "\\(" in pattern or "\\)" in pattern or "[" in pattern:
        return pattern
    shorter = _GROUP.sub("", pattern)
    return pattern if shorter == pattern else _outside_groups(shorter)


class FileLine(NamedTuple):
    """A file name in a line of text; ``tokens``: its size if the rest of the line tells it."""

    name: str
    tokens: int | None
    line: str


@lru_cache(maxsize=256)
def files_in(text: str) -> tuple[FileLine, ...]:
    """Every file name in a text (.txt, .md, .htm, .html, .py), in order, repeats included."""
    found = []
    for line in text.split("\n"):
        names = list(_FILE.finditer(line)) if "." in line else []
        ends = [n.start() for n in names[1:]] + [len(line)]
        for name, end in zip(names, ends, strict=False):
            size = _SIZE.search(line, name.end(), end)
            found.append(FileLine(name[0], int(size[1].replace(",", "")) if size else None, line))
    return tuple(found)


@lru_cache(maxsize=1024)
def noted_as_read(text: str) -> frozenset[str]:
    """The file names after ``Documents read:`` in an agent's own notes."""
    return frozenset(f.name for found in _READ.finditer(text) for f in files_in(found[1]))


@lru_cache(maxsize=4096)
def entries_in(text: str) -> tuple[Entry, ...]:
    """Every JSON object with a text among its values in a text, also from JSON that is cut off further on, and also
    those inside others. Which of them are entries only who knows the questions can tell."""
    return tuple(_entries(text)) if _OBJECT.search(text) else ()


def _entries(text: str) -> Iterator[Entry]:
    read = Values(text)
    at = 0
    for _ in range(MAX_STARTS):
        found_at = _OBJECT.search(text, at)
        if found_at is None:
            return
        at = found_at.start()
        value = read.at(at)
        if value is None:
            at += 1
            continue
        found, end = value
        values = list(found.values())
        if any(isinstance(value, str) for value in values):
            yield found
        at = at + 1 if any(isinstance(value, Mapping | list) for value in values) else end


def example_in(text: str) -> str:
    """The line that shows the form of the answer, from the first bracket to the last, or nothing."""
    for line in text.split("\n"):
        start, end = _SHOWN.search(line), max(line.rfind("]"), line.rfind("}"))
        if start is not None and start.start() < end:
            return line[start.start() : end + 1]
    return ""
