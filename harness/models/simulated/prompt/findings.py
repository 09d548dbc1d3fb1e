"""What can be picked out of a text: file names with sizes, entries in JSON, the form that an answer should have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

_FILE = re.compile(r"[^\s\[\]()<>\"'`,;:§（），；：、]+\.(?:txt|md|html?)\b")
_SIZE = re.compile(r"(\d[\d,]*) tokens")
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


@lru_cache(maxsize=1024)
def files_in(text: str) -> tuple[FileLine, ...]:
    """Every file name in a text (.txt, .md, .htm, .html), in order, repeats included."""
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
    """Every JSON object with a text ``question`` in a text, also from JSON that is cut off further on."""
    return tuple(_entries(text)) if '"question"' in text else ()


def _entries(text: str) -> Iterator[Entry]:
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(MAX_STARTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        if isinstance(found.get("question"), str):
            yield found
            at = end
        else:  # an object around the entries
            at += 1


def example_in(text: str) -> str:
    """The line that shows the form of the answer, from the first bracket to the last, or nothing."""
    for line in text.split("\n"):
        if '"question"' in line:
            start = min((i for i in (line.find("["), line.find("{")) if i >= 0), default=-1)
            end = max(line.rfind("]"), line.rfind("}"))
            if 0 <= start < end:
                return line[start : end + 1]
    return ""
