"""Fences: lines of one sign around a text that no line of the text can end."""

from __future__ import annotations

import re


def fence(*texts: str, sign: str, least: int) -> str:
    """The shortest run of a sign that stands in none of the texts, at least ``least`` long."""
    longest = max((len(run) for text in texts for run in re.findall(f"{re.escape(sign)}+", text)), default=0)
    return sign * max(least, longest + 1)
