"""Templates of files: both versions in one text, so that what stays the same is written once.

Lines between ``#-`` and ``#=`` stand only in the old version, lines between ``#+`` and ``#=`` only in the new one.
``$NAME`` is filled in; a line that is nothing but a name filled in with nothing goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

OLD, NEW = "#-", "#+"
_BOTH = "#="


def version(text: str, which: str, values: Mapping[str, str]) -> str:
    """One version (``OLD`` or ``NEW``) of a template's text. Raises KeyError for a name without a value."""
    shown: list[str] = []
    mode = _BOTH
    for line in text.strip("\n").split("\n"):
        if line in (OLD, NEW, _BOTH):
            mode = line
        elif mode in (_BOTH, which):
            filled = filled_in(line, values)
            if filled or not line:
                shown.append(filled)
    return "\n".join(shown)


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """A text with its names filled in."""
    return Template(text).substitute(values)
