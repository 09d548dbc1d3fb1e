"""Scan errors: characters taken for others, blanks lost or added, words broken at the end of a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from tasks.common.draws import stream

ERRORS = 3
"""Most errors a sentence gets; about one in six has none at all."""


class Script(Protocol):
    """How a language looks on paper: ``confusions``, characters and their look-alikes; ``gap``, what stands between
    words."""

    @property
    def confusions(self) -> Mapping[str, str]: ...

    @property
    def gap(self) -> str: ...


def scanned(sentence: str, script: Script, *key: object) -> str:
    """The sentence as a poor scan would give it; the key decides the errors."""
    draws = stream("noise", *key)
    text = sentence
    for turn in range(int(draws[0] * (ERRORS + 1)) if draws[1] > 0.1 else 0):
        where, how = draws[2 + 2 * turn], draws[3 + 2 * turn]
        at = int(where * len(text))
        if how < 0.6:
            text = _confuse(text, at, script)
        elif how < 0.8:
            text = text[:at] + (" " if script.gap == "" else "") + text[at:].removeprefix(script.gap)
        else:
            text = f"{text[:at]}{'-' if script.gap else ''}\n{text[at:]}"
    return text


def _confuse(text: str, at: int, script: Script) -> str:
    """The first character from ``at`` on that has a look-alike, replaced by it."""
    for i in range(at, len(text)):
        if (twin := script.confusions.get(text[i])) is not None:
            return text[:i] + twin + text[i + 1 :]
    return text
