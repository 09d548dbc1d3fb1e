"""The parameters that criteria may have, and what is a value for each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from harness.delegation.checks.pattern import PatternRefused, pattern
from harness.delegation.checks.values import is_number, shown

MOST_DECIMALS = 20
MOST_VALUES = 1_000

Fault = Callable[[Any], "str | None"]


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "must be a text that is not empty"


def _number(value: Any) -> str | None:
    return None if is_number(value) and _finite(value) else "must be a number"


def _decimals(value: Any) -> str | None:
    right = is_number(value) and _finite(value) and value == int(value) and 0 <= value <= MOST_DECIMALS
    return None if right else f"must be a whole number from 0 to {MOST_DECIMALS}"


def _values(value: Any) -> str | None:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_VALUES:
        return f"must be a list of 1 to {MOST_VALUES:,} texts or numbers"
    right = all(isinstance(v, str | bool) or _number(v) is None for v in value)
    return None if right else "must hold texts or numbers only"


def _pattern(value: Any) -> str | None:
    if _text(value) is not None:
        return _text(value)
    try:
        pattern(value)
    except PatternRefused as refused:
        return str(refused).removesuffix(".")
    return None


def _finite(value: Any) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


_FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        "field": _text,
        "min": _number,
        "max": _number,
        "value": _number,
        "values": _values,
        "pattern": _pattern,
        "unit": _text,
        "decimals": _decimals,
        "by": _text,
    }
)


def fault_of(name: str, value: Any) -> str | None:
    """One sentence on what is wrong with a parameter's value; None if nothing is."""
    fault = _FAULTS[name](value)
    return None if fault is None else f"{name} {shown(value)}: {fault}."


def whole(name: str, value: Any) -> str | None:
    """One clause on a number that is no count; None if it is one, or is not there."""
    if value is None or (value == int(value) and value >= 0):
        return None
    return f"{name} {value} must be a whole number from 0."
