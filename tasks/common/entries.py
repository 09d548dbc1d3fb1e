"""Entries in an answer, whatever stands around them, and how they are kept for the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.values import Values

MAX_STARTS = 1000
"""Opening brackets tried as the start of an array; a text with more of them than that is no deliverable."""
SHOWN_CHARS = 200


def entries_in(answer: str) -> Iterator[dict[str, Any]]:
    """Every object of every JSON array in the text: fences, prose and one object around the array do no harm.

    All arrays count, not the first or the best: whoever offers several versions is held to all of them.
    """
    values = Values(answer)
    at = 0
    for _ in range(MAX_STARTS):
        at = answer.find("[", at)
        if at < 0:
            return
        value = values.at(at)
        if value is None:
            at += 1
            continue
        found, at = value
        yield from (entry for entry in found if isinstance(entry, dict))


def shown(value: Any) -> str | None:
    """A value for the record: bounded, and encodable even if it holds lone surrogates."""
    if value is None:
        return None
    text = value if isinstance(value, str) else repr(value)
    return text[:SHOWN_CHARS].encode("utf-8", "replace").decode("utf-8")
