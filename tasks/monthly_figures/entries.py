"""Entries as they are matched to the months that are asked for, and how an amount is read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tasks.common.entries import entries_in
from tasks.common.texts import normalise, quantity
from tasks.monthly_figures.material.english import ENGLISH
from tasks.monthly_figures.problem import MISSING

MAX_CHARS = 300
"""A month or an amount longer than this is neither."""

_NAMES = tuple(name.lower() for name in ENGLISH.months)
_FORMS = (
    re.compile(r"(?<!\d)(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*月?(?!\d)"),
    re.compile(rf"\b(?P<name>{'|'.join(f'{n[:3]}(?:{n[3:]})?' for n in _NAMES)})\.?\s+(?P<year>\d{{4}})(?!\d)"),
)
_DECIMALS = re.compile(r"\d\.(\d+)(?!.*\d)")

_USD = ("USD", "US dollars", "US dollar", "U.S. dollars", "United States dollars", "dollars", "US$", "$")
_THOUSAND = (
    "thousand {}",
    "thousands of {}",
    "thousand of {}",
    "{} thousand",
    "{} thousands",
    "k {}",
    "k{}",
    "{} k",
    "{}k",
)
UNITS = {
    "thousand USD": tuple(form.format(name) for form in _THOUSAND for name in _USD),
    "万元": ("万元人民币", "人民币万元", "万元(人民币)", "万人民币", "ten thousand yuan", "10,000 yuan"),
}
"""Wanted unit → other wordings of the same. The papers know no dollars but USD."""
_MARKED = re.compile(r"(\*{1,3}|_{1,3}|`)(?=\S)(.+)(?<=\S)\1", re.S)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which line an entry is for. ``company``: normalised, "" if it names none."""

    company: str
    month: str


def asked_for(entry: Mapping[str, Any]) -> Asked | None:
    """The month (``2023-01``) that an entry names, and the company if it names one, beside the month or in a field
    ``company``; None if it names no month. Read alike: ``2023-01``, ``2023-1``, ``2023/01``, ``2023年1月``, ``January
    2023``, ``Jan 2023``."""
    told, company = entry.get("month"), entry.get("company")
    if not isinstance(told, str) or len(told) > MAX_CHARS:
        return None
    text = normalise(_plain(told))
    for form in _FORMS:
        every = list(form.finditer(text))
        if len(every) == 1:
            found = every[0].groupdict()
            name = found.get("name")
            number = int(found["month"]) if name is None else 1 + [n[:3] for n in _NAMES].index(name[:3])
            rest = normalise(f"{text[: every[0].start()]} {text[every[0].end() :]}")
            beside = company if not rest and isinstance(company, str) and len(company) <= MAX_CHARS else rest
            return Asked(normalise(beside), f"{found['year']}-{number:02d}")
    return None


def given(answer: str) -> tuple[dict[Asked, list[Mapping[str, Any]]], int]:
    """(which line → its entries, how many entries there are in all)."""
    entries = list(entries_in(answer))
    found: dict[Asked, list[Mapping[str, Any]]] = {}
    for entry in entries:
        if (asked := asked_for(entry)) is not None:
            found.setdefault(asked, []).append(entry)
    return found, len(entries)


def of_line(
    found: Mapping[Asked, Sequence[Mapping[str, Any]]], company: str, month: str, alone: bool
) -> list[Mapping[str, Any]]:
    """The entries for one line. ``alone``: there is one company, so that entries need not name it."""
    named = list(found.get(Asked(normalise(company), month), ()))
    return [*named, *found.get(Asked("", month), ())] if alone else named


def is_empty(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says nothing: no amount, null, or an empty text."""
    amount = entry.get("amount")
    return amount is None or (isinstance(amount, str) and not amount.strip())


def says_missing(entry: Mapping[str, Any]) -> bool:
    amount = entry.get("amount")
    return isinstance(amount, str) and len(amount) <= MAX_CHARS and normalise(_plain(amount)) == MISSING


def has_unit(entry: Mapping[str, Any], unit: str) -> bool:
    """Whether the entry's unit is this one, and no other stands beside its amount."""
    told = entry.get("unit")
    right = {normalise(name) for name in (unit, *UNITS.get(unit, ()))}
    if not isinstance(told, str) or len(told) > MAX_CHARS or normalise(_plain(told)) not in right:
        return False
    amount = _quantity(entry)
    return amount is None or amount[1] in right | {""}


def number(entry: Mapping[str, Any]) -> Decimal | None:
    """The number that the amount is, if it is one."""
    found = _quantity(entry)
    return None if found is None else found[0]


def has_two_decimals(entry: Mapping[str, Any]) -> bool:
    """Whether the amount is a text that ends its number with exactly two decimals. A JSON number is none: whether 12.5
    was written as 12.50 is lost with it."""
    amount = entry.get("amount")
    found = _DECIMALS.search(amount) if isinstance(amount, str) and len(amount) <= MAX_CHARS else None
    return found is not None and len(found[1]) == 2


def _quantity(entry: Mapping[str, Any]) -> tuple[Decimal, str] | None:
    amount = entry.get("amount")
    if isinstance(amount, bool) or not isinstance(amount, str | int | float):
        return None
    told = str(amount)
    return quantity(_plain(told)) if len(told) <= MAX_CHARS else None


def _plain(text: str) -> str:
    """The text without the marks that set all of it in bold, in italics or as code: ``**301.40**`` is 301.40, and
    ``301.40*``, which has a footnote, stays."""
    found = _MARKED.fullmatch(text.strip())
    return text if found is None else found[2]
