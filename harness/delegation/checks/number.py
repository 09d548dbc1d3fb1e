"""What counts as a number, in JSON and in a text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NamedTuple

MOST_DIGITS = 400
"""Characters of a number; a longer one is none."""

_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+|(?<![0-9])(?=\.[0-9]))(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?"
)
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D}
_AROUND = " .,;:。，；："


class Number(NamedTuple):
    """``value`` with the decimal places that were written (12.50 has two), and the ``unit`` around it ("" if none)."""

    value: Decimal
    unit: str

    @property
    def decimals(self) -> int:
        exponent = self.value.as_tuple().exponent
        return max(0, -exponent) if isinstance(exponent, int) else 0


def narrow(text: str) -> str:
    """The text with full-width forms and the minus sign as ASCII and every run of white space as one blank."""
    return " ".join(text.translate(_WIDE).split())


def number(value: Any) -> Number | None:
    """The number that a JSON value is, or that a text holds with whatever unit around it; None if there is none.

    A text holds a number if exactly one is written in it, in digits: ``1,234.5`` (commas between groups of three),
    ``12.50 EUR``, ``340 万元``, ``¥340``, ``-5 %`` (which is -5), ``1.5e3``, full-width digits. Two numbers are none
    (``3-4``, ``1 234``, ``12,5``), and so are numbers in words (``三百``) and booleans. Digits that end a word (``m2``)
    count only where there are no others, so ``12 m2`` is 12 and ``EUR12.50`` is 12.50.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return Number(Decimal(repr(value)), "")
    if isinstance(value, int | Decimal):
        return Number(Decimal(value), "")
    if not isinstance(value, str):
        return None
    text = narrow(value)
    free: list[re.Match[str]] = []
    glued: list[re.Match[str]] = []
    for found in _NUMBER.finditer(text):
        before = text[max(0, found.start() - 1) : found.start()]
        ends_word = before.isascii() and (before.isalpha() or before == "_")
        (glued if ends_word else free).append(found)
    chosen = free or [m for m in glued if m[0][0] not in "+-"]  # 'covid-19' holds no number, and none below zero
    if len(chosen) != 1 or len(chosen[0][0]) > MOST_DIGITS:
        return None
    found = chosen[0]
    around = f"{text[: found.start()].strip(_AROUND)} {text[found.end() :].strip(_AROUND)}"
    return Number(Decimal(found[0].replace(",", "")), around.strip())
