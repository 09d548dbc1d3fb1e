"""When an answer is right: by rule, on normalised text, and on numbers with their units."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal

from tasks.qa_corpus.questions import Question

MAX_CHARS = 300
"""An answer longer than this is no short answer; it is wrong without being looked at."""

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


def is_right(question: Question, answer: str) -> bool:
    """Whether the answer is the key, an alias of it, or its number with an accepted unit."""
    if len(answer) > MAX_CHARS:
        return False
    if normalise(answer) in {normalise(right) for right in (question.answer, *question.aliases)}:
        return True
    if question.number is None:
        return False
    found = quantity(answer)
    return found is not None and found[0] == question.number and found[1] in set(map(normalise, question.units))


def accepted_wrong(question: Question, wrong: Iterable[str]) -> list[str]:
    """The answers declared wrong that the rules would take for right: a fault of the key."""
    return [answer for answer in wrong if is_right(question, answer)]
