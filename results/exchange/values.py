"""What a cell of a foreign row says, checked: whatever is wrong names file, line, column and what to do."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from results.exchange.files import Row

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_TRUE = frozenset({"true", "1", "yes", "1.0"})
_FALSE = frozenset({"false", "0", "no", "0.0"})
MOST = {"tokens": 10**12, "USD": 10**6, "pUSD": 10**18, "seconds": 10**9}
"""More of it in one run is no measurement; it keeps sums of picodollars within 64 bits."""


def number(row: Row, column: str, text: str) -> Decimal:
    """A finite number, exactly as written."""
    if _NUMBER.fullmatch(text):
        return Decimal(text)
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise row.wrong(column, f"'{text}' is no finite number. Leave the value out where it is not known.")
    hint = "Write numbers as 1234.5, without separators of thousands, signs of currency and units."
    raise row.wrong(column, f"'{text:.80}' is not a number. {hint}")


def amount(row: Row, column: str, text: str, unit: str) -> Decimal:
    """A number of USD, seconds or tokens: not negative."""
    value = number(row, column, text)
    if value < 0:
        raise row.wrong(column, f"{text} {unit} is negative. Leave the value out where it is not known.")
    if value > MOST[unit]:
        raise row.wrong(column, f"{text} {unit} in one run is more than {MOST[unit]:,}: is the unit another?")
    return value


def whole(row: Row, column: str, text: str, unit: str = "tokens") -> int:
    """Tokens, or another count."""
    value = amount(row, column, text, unit)
    if value != int(value):
        raise row.wrong(column, f"{text} is not a whole number of {unit}.")
    return int(value)


def truth(row: Row, column: str, text: str) -> bool:
    if text.lower() in _TRUE | _FALSE:
        return text.lower() in _TRUE
    raise row.wrong(column, f"'{text:.80}' is neither true nor false. Write true, false, 1 or 0.")


def score(row: Row, column: str, text: str, percent: bool) -> float:
    """0 to 1, from a number, from a truth value, or from a percentage where the map says so."""
    if text.lower() in _TRUE | _FALSE and not _NUMBER.fullmatch(text):
        return float(truth(row, column, text))
    if text.endswith("%") and not percent:
        raise row.wrong(column, f"'{text}' is a percentage. Say --percent if all scores are 0 to 100.")
    value = number(row, column, text.removesuffix("%").strip() if percent else text)
    most = 100 if percent else 1
    if not 0 <= value <= most:
        hint = "" if percent else " Say --percent if all scores are 0 to 100."
        raise row.wrong(column, f"score {text} is not between 0 and {most}.{hint}")
    return float(value / most)


def structure(row: Row, column: str, text: str) -> dict[str, Any]:
    """A JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise row.wrong(column, f"'{text:.80}' is not JSON ({error}).") from error
    if not isinstance(found, dict):
        raise row.wrong(column, f"'{text:.80}' is not a JSON object.")
    return found
