"""Tables and sentences as Markdown (GitHub's), into which texts of rows can bring neither markup nor HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable

from results.sheet import Sheet

_INLINE = re.compile(r"([\\`*_\[\]|~$])")
_OPENING = re.compile(r"^([#+=-]|\d+(?=[.)]))")
"""What begins a heading, a list or a rule where it begins a paragraph."""


def markdown(sheet: Sheet) -> str:
    """A table with its heading above and its notes below, ending with a line break. Rules between rows are left out:
    Markdown has none."""
    lines = [f"**{escaped(sheet.heading)}**", "", _row(map(escaped, sheet.columns))]
    lines.append(_row([":---", *["---:"] * (len(sheet.columns) - 1)]))
    lines += [_row(map(escaped, row)) for row in sheet.rows]
    for note in sheet.notes:
        lines += ["", paragraph(note)]
    return "\n".join(lines) + "\n"


def paragraph(text: str) -> str:
    """A sentence that stands by itself."""
    return _OPENING.sub(r"\\\1", escaped(text.strip()))


def escaped(text: str) -> str:
    """A text that shows as it is, in one line of source; its line breaks stay visible."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "<br>".join(_INLINE.sub(r"\\\1", line) for line in plain.splitlines())


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
