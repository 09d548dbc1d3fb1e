"""Files written into a text: fenced blocks, each with its file's name."""

from __future__ import annotations

import re
from functools import lru_cache

from harness.fence import fence

MAX_CHARS = 2_000_000
"""A longer text is not looked through."""
MAX_LINE = 500
"""A longer line names no file."""
_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_NAME = r"[\w][\w./+-]*\.\w+"
_HERE = r"(?:\./)*"
_ALONE = re.compile(rf"[*_`#\s\d.)(]*?(?:[Ff]ile:?\s+)?[*_`]*?{_HERE}(?P<name>{_NAME})[*_`]*\s*:?[*_`]*\s*")
_INSIDE = re.compile(rf"(?:^|[\s=:\"']){_HERE}(?P<name>{_NAME})[\"']?\s*$")
_COMMENT = re.compile(rf"(?:#|//|--)\s*(?:[Ff]ile:?\s+)?{_HERE}(?P<name>{_NAME})\s*")


@lru_cache(maxsize=1024)
def blocks_in(text: str) -> tuple[tuple[str | None, str], ...]:
    """Every closed fenced block of a text in order, as (name, content). The name is the one in the opening line, or
    alone on the last line before it that is not blank, or in a comment on the block's first line; None: there is none.
    A name stands without ``./`` before it. A content has no line break at its end."""
    if len(text) > MAX_CHARS or ("```" not in text and "~~~" not in text):
        return ()
    found: list[tuple[str | None, str]] = []
    before, bar, said, body = "", "", "", [""]
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if not bar:
            if mark is not None:
                bar, said, body = mark[1], mark[2], []
            elif line.strip():
                before = line
        elif mark is not None and mark[1].startswith(bar) and not mark[2].strip():
            found.append((_name(said, before, body), "\n".join(body).rstrip("\n")))
            before, bar = "", ""
        else:
            body.append(line)
    return tuple(found)


def block(name: str, content: str) -> str:
    """A file as ``blocks_in`` reads it: its name on a line of its own, then its content between fences longer than any
    in it."""
    bar = fence(content, sign="`", least=3)
    return f"{name}\n{bar}\n{content}\n{bar}"


def _name(said: str, before: str, body: list[str]) -> str | None:
    said, before, first = (line if len(line) <= MAX_LINE else "" for line in (said, before, *(body[:1] or [""])))
    found = _INSIDE.search(said) or _ALONE.fullmatch(before) or _COMMENT.fullmatch(first)
    return None if found is None else found["name"]
