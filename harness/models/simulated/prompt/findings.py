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
MAX_STARTS = 2000
"""Opening braces tried in one text."""

Entry = Mapping[str, Any]


@lru_cache(maxsize=1024)
def says(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text holds a pattern somewhere."""
    return pattern.search(text) is not None


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
