"""Files in an answer: as fenced blocks under their names, or as JSON entries."""

from __future__ import annotations

import re
from collections.abc import Callable

from harness.blocks import blocks_in
from tasks.common.entries import entries_in

NAMING, TELLING = "file", "content"
"""The fields of an entry: ``{"file": "shop/store.py", "content": "…"}``."""
_HERE = re.compile(r"^(?:\./)+")


def versions_in(answer: str) -> dict[str, set[str]]:
    """Name → every content that an answer gives for this file. ``./`` before a name does not count."""
    given: dict[str, set[str]] = {}
    for name, content in blocks_in(answer):
        if name is not None:
            given.setdefault(name, set()).add(content)
    for entry in entries_in(answer):
        file, told = entry.get(NAMING), entry.get(TELLING)
        if isinstance(file, str) and isinstance(told, str):
            given.setdefault(_HERE.sub("", file), set()).add(told.rstrip("\n"))
    return given


def files_in(answer: str) -> dict[str, str]:
    """Name → content of every file that an answer gives once, or several times alike. A file given in versions that
    differ is left out: whoever offers several has not decided. Prose around the files does no harm."""
    return {name: contents.pop() for name, contents in versions_in(answer).items() if len(contents) == 1}


def code_in(answer: str, wanted: Callable[[str | None, str], bool]) -> str | None:
    """The code of an answer that need not name its file: the one block, of those whose name and content are
    ``wanted``, or the whole text if it has no block at all. None if there is none or there are several that differ."""
    blocks = blocks_in(answer)
    if not blocks:
        return answer
    found = {content for name, content in blocks if wanted(name, content)}
    return found.pop() if len(found) == 1 else None
