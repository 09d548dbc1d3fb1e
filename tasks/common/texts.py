"""When two short texts mean the same: one form for texts, and numbers with their units."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal

_QUOTES = dict.fromkeys(map(ord, "\"'`“”‘’«»「」『』"))
_ARTICLE = re.compile(r"^(?:an?|the)\s+(?=\S)")
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_AROUND_WIDE = re.compile(rf"\s+(?=[{_WIDE}])|(?<=[{_WIDE}])\s+")
_NUMBER = re.compile(r"([^\d+\-.,]*)([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)((?:[^\d,.].*)?)")


def normalise(text: str) -> str:
    """One form for texts that mean the same: NFKC, lower case, no quotation marks, single blanks (none beside Chinese
    characters), no punctuation at the ends, no leading English article, no empty call brackets at the end.

    A text that consists of such characters only is kept as it is, so ``...`` stays an answer.
    """
    whole = " ".join(unicodedata.normalize("NFKC", text).replace("−", "-").casefold().split())
    bare = whole.translate(_QUOTES).rstrip(" .,;:!?。、").lstrip(" ,;:!?。、")  # a leading point may begin a number
    bare = _AROUND_WIDE.sub("", _ARTICLE.sub("", bare)).removesuffix("()").strip()
    return bare or whole


def quantity(text: str) -> tuple[Decimal, str] | None:
    """A text that is one number with an optional unit before or after it, as (value, normalised unit); else None.

    ``1,200`` is 1200 and ``12.50 万元`` is (12.5, 万元); ``12,5`` is no number.
    """
    found = _NUMBER.fullmatch(normalise(text))
    if found is None or not any(c.isdigit() for c in found[2]):
        return None
    return Decimal(found[2].replace(",", "")), normalise(f"{found[1]} {found[3]}")


_MARKER = re.compile(r"(?:[-*•]\s+|\(?\d+[.)]\s+)")


def strip_marker(line: str) -> str:
    """The line without white space at its ends and without a leading list marker (``-``, ``*``, ``7.``, ``7)``)."""
    text = line.strip()
    found = _MARKER.match(text)
    return text[found.end() :] if found else text
