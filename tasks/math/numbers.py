"""Numbers in texts, as exact values: how an answer is read and how a key is written."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

MOST_DIGITS = 50
"""A number of more digits is none that a problem asks for."""

_SUPERSCRIPTS = {ord(c): "^" for c in "⁰¹²³⁴⁵⁶⁷⁸⁹"}
_VULGAR = re.compile("[¼-¾⅐-⅞↉]")
_SIGN = r"(?<![a-z0-9)%\]])(?<![a-z0-9)%\]]\s)-"
_CURRENCY = r"[$€£¥₹]\s?"
_VALUE = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"(?P<before>{_SIGN})?(?:{_CURRENCY})?(?P<sign>(?<=[$€£¥₹])-)?(?<![a-z0-9_.])"
    rf"(?:(?P<whole>\d+)\s+(?=\d+/\d))?(?P<value>{_VALUE})(?!\d|\.\d|\^|e[+-]?\d|x\d)"
    r"(?:\s?/\s?(?P<below>\d+)(?![\d.]|\s?/\s?\d))?(?!\s?/\s?\d)"
    r"(?P<scale>k(?![a-z])|\s?(?:thousand|million|billion|trillion)(?![a-z])|\s?[百千万亿])?"
)
_STRAY = re.compile(r"(?<![a-z0-9_])\d")
_END = re.compile(r"[.!?。](?=\s|$)")
_REMARK = re.compile(r"(?:(?<=[\w%]\s)|(?<=[\u4e00-\u9fff]))\([^()]*\)(?!\s*[-+*/=×÷^])")
_REASON = re.compile(r"\b(?:because|since|as)\b|因为|因為")
_EQUALS = re.compile(r"=|\bequals\b")
_NOT = re.compile(r"\bnot\b|n't\b|不是")
_WORDS = re.compile(r"(?:\s*[^\W\d_]+)+\s*")
_NO_UNIT = re.compile(
    r"\b(?:or|and|to|not|but|than|is|are|plus|minus|times|over|by|divided|multiplied|less|more|fewer|x|vs|versus|dozen)\b"
    r"|[或和到加减乘除至]"
)
"""Words between two numbers that make of them another one, or two that nobody chose between."""
_SCALES = {
    "k": 10**3, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "百": 10**2, "千": 10**3, "万": 10**4, "亿": 10**8,
}  # fmt: skip


def folded(text: str) -> str:
    """A text in the form in which numbers are looked for: NFKC, lower case, one sort of minus, nothing escaped."""
    apart = _VULGAR.sub(r" \g<0>", text.translate(_SUPERSCRIPTS))  # 2½ is not 21/2
    flat = unicodedata.normalize("NFKC", apart).casefold()
    return flat.replace("−", "-").replace("⁄", "/").replace("\\$", "$").replace("\\%", "%")


def number_in(text: str) -> Fraction | None:
    """The one number of a folded text, whatever words, units and signs of currency stand around it; None if there is
    none, if there are several that differ, or one that cannot be read.

    ``1,234.50``, ``-$5``, ``3/4``, ``2 1/2``, ``15%`` (15), ``3 million`` and ``1.2万`` are read; digits within a word,
    as in ``P07`` or ``m2``, are none.
    """
    found = list(_NUMBER.finditer(text))
    values = {_value(number) for number in found}
    if len(values) != 1 or _STRAY.search(_NUMBER.sub(" ", text)):
        return None
    return values.pop()


def final_in(text: str) -> Fraction | None:
    """The number that a folded statement of an answer comes to, which may say more than ``number_in`` reads; None if it
    cannot be told.

    Only its first sentence with a number counts, without remarks in brackets after a word or number, and without
    reasons (``17 because 3*4``). Of an equation it is what follows the last sign of equality. A number that words
    follow (``17 trips in 3 days``) is that number, unless they join it with the next (``72 or 36``, ``12 plus 5``).
    """
    found = _STRAY.search(text)
    end = None if found is None else _END.search(text, found.end())
    said = _REMARK.sub(" ", text if end is None else text[: end.start()])
    found = _STRAY.search(said)
    if found is None or _NOT.search(said, 0, found.start()):
        return None
    reason = _REASON.search(said, found.end())
    said = said if reason is None else said[: reason.start()]
    last = _EQUALS.split(said)[-1]
    said = last if has_number(last) else said
    only, numbers = number_in(said), list(_NUMBER.finditer(said))
    if only is not None or len(numbers) < 2 or _STRAY.search(said[: numbers[0].start()]):
        return only
    between = said[numbers[0].end() : numbers[1].start()]
    return _value(numbers[0]) if _WORDS.fullmatch(between) and not _NO_UNIT.search(between) else None


def has_number(text: str) -> bool:
    """Whether a folded text holds anything like a number."""
    return _STRAY.search(text) is not None


def written(value: Fraction) -> str:
    """A value as a key states it: whole, or in decimals where they end, else as a fraction."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, powers = value.denominator, {2: 0, 5: 0}
    for prime in powers:
        while rest % prime == 0:
            rest //= prime
            powers[prime] += 1
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(powers.values())
    sign, digits = "-" if value < 0 else "", str(abs(value.numerator) * 10**places // value.denominator)
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _value(found: re.Match[str]) -> Fraction | None:
    if len(found[0]) > MOST_DIGITS:
        return None
    value = Fraction(Decimal(found["value"].replace(",", "")))
    if found["below"] is not None:
        if int(found["below"]) == 0:
            return None
        value /= int(found["below"])
    if found["whole"] is not None:
        value += int(found["whole"])
    if found["scale"] is not None:
        value *= _SCALES[found["scale"].strip()]
    return -value if found["before"] or found["sign"] else value
