"""Numbered attempts at the task, laid before whoever is to choose among them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.models.simulated.prompt.wire import WireMessage

_START = "[attempt "
"""Of a heading: looking for it first spares most texts a search line by line, which takes 20 times longer."""
_HEADING = re.compile(r"^\[attempt (\d+)\]$", re.M)
_ASKED = re.compile(r"^.*\bthe number of the best\b.*$", re.I | re.M)


def attempts_in(messages: Sequence[WireMessage]) -> dict[str, str]:
    """Number → text of each attempt in the first user message that has several and asks for the number of the best;
    empty if there is none."""
    for message in messages:
        if message.role != "user" or not is_showing(message):
            continue
        asked = [found.start() for found in _ASKED.finditer(message.text)]  # an attempt may say it too: the last counts
        if asked:
            heads = list(_HEADING.finditer(message.text))
            ends = [h.start() for h in heads[1:]] + [max(asked[-1], heads[-1].end())]
            return {h[1]: message.text[h.end() : end].strip() for h, end in zip(heads, ends, strict=True)}
    return {}


def is_showing(message: WireMessage) -> bool:
    """Whether a message shows several attempts."""
    return _START in message.text and len(_HEADING.findall(message.text)) > 1


def without_attempts(text: str) -> str:
    """A text up to the first numbered attempt in it."""
    found = _HEADING.search(text) if _START in text else None
    return text if found is None else text[: found.start()]
