"""Searching lines for a regular expression that nobody can vouch for: the same result everywhere, and never for long.

The pattern is a model's, so it runs on a matcher whose time grows with the length of the text only
(``harness.delegation.checks.pattern``). That is slow, so first a line has to hold a piece of plain text that every
match holds; and a pattern without such a piece is refused where pattern and text together are large.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from harness.agents.tools import ToolFailed
from harness.delegation.checks.pattern import MOST_TEXT, Pattern, PatternRefused, pattern
from tasks.code_search.code.source import SourceFile

MOST_HITS = 100
"""Lines that one call returns."""
MOST_SHOWN = 300
"""Characters of a line that are shown."""
MOST_WORK = 4_000_000
"""States of a pattern times characters that it would have to be run over; about a second."""

_ALLOWED = "A pattern works within one line, without flags, look-around and back-references."
_REPEAT = re.compile(r"(?:[*+?]|\{[0-9]*,?[0-9]*\})[?+]?")
_ESCAPE = re.compile(r"\\(?:x.{2}|u.{4}|U.{8}|N\{[^}]*\}|[0-9]{1,3}|[A-Za-z])")
"""One that is not just the character after it."""


def matching(files: Iterable[SourceFile], source: object) -> str:
    """The lines of these files in which the pattern occurs, as ``pack/part.py L12: text``, and how many there are
    beyond the first ``MOST_HITS``. Raises ToolFailed for what is no pattern that can be used."""
    if not isinstance(source, str) or not source:
        raise ToolFailed(r"pattern must be a regular expression with at least one character, such as '\bopen_gate\b'.")
    try:
        machine = pattern(source)
    except PatternRefused as refused:
        raise ToolFailed(f"{refused} {_ALLOWED}") from None
    found = list(_hits(list(files), machine, literal(source)))
    if not found:
        return f"No line matches {source}"
    shown = "\n".join(found[:MOST_HITS])
    more = len(found) - MOST_HITS
    return shown if more <= 0 else f"{shown}\n({more:,} more lines match: narrow the pattern, or search one file)"


def _hits(files: Sequence[SourceFile], machine: Pattern, needed: str) -> Iterator[str]:
    candidates = [
        (file, number, line[:MOST_TEXT])
        for file in files
        if needed in file.text
        for number, line in enumerate(file.lines, 1)
        if needed in line[:MOST_TEXT]
    ]
    work = machine.states * sum(len(line) + 1 for *_, line in candidates)
    if work > MOST_WORK:
        raise ToolFailed("this pattern would take too long: put a word into it that must occur, or search one file.")
    for file, number, line in candidates:
        if machine.occurs(line):
            yield f"{file.name} {file.shown(number)[:MOST_SHOWN]}"


def literal(source: str) -> str:
    """The longest piece of plain text that stands in every match of a valid pattern: outside of groups and brackets,
    not repeated, and not one of several alternatives. Empty if there is none."""
    pieces, at = [""], 0
    while at < len(source):
        if source[at] == "|":
            return ""
        end, plain = _atom(source, at)
        repeat = _REPEAT.match(source, end)
        if plain and repeat is None:
            pieces[-1] += plain
        else:
            pieces.append("")
        at = end if repeat is None else repeat.end()
    return max(pieces, key=len)


def _atom(source: str, at: int) -> tuple[int, str]:
    """Where the atom that begins here ends, and the text that it stands for, empty if it is not just that."""
    character = source[at]
    if character == "\\":
        escape = _ESCAPE.match(source, at)
        return (at + 2, source[at + 1 : at + 2]) if escape is None else (escape.end(), "")
    if character == "[":
        end = first = at + (2 if source.startswith("[^", at) else 1)
        while end < len(source) and (source[end] != "]" or end == first):  # the first may be a closing bracket itself
            end += 2 if source[end] == "\\" else 1
        return end + 1, ""
    if character == "(":
        end = at + 1
        while end < len(source) and source[end] != ")":
            end = _atom(source, end)[0]
        return end + 1, ""
    return at + 1, "" if character in ".^$*+?{}" else character
