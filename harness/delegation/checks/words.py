"""Criteria in words, as the worker reads them whose result they are checked on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Words = Callable[[Mapping[str, Any]], str]
"""From the parameters of a criterion to what must hold."""


def of_field(what: str) -> Words:
    """Words about a field, or the entries themselves; ``what``: a format of the parameters."""
    return lambda p: f"{p.get('field', 'each entry')}: must {what.format_map(p)}"


def in_range(p: Mapping[str, Any]) -> str:
    return f"{p.get('field', 'each entry')}: must be {_between(p)}"


def entry_count(p: Mapping[str, Any]) -> str:
    return f"the result: must have {_between(p)} entries"


def listed(what: str) -> Words:
    """The same as ``of_field`` about a list of values."""
    return lambda p: of_field(f"{what} {', '.join(map(str, p['values']))}".replace("{", "{{").replace("}", "}}"))(p)


def total(p: Mapping[str, Any]) -> str:
    aim = f"{p['value']}" if "value" in p else f"the last entry's {p['by']}"
    return f"{p.get('field', 'the entries')}: must add up to {aim}"


def quoted(p: Mapping[str, Any]) -> str:
    where = f" that {p['by']} names" if "by" in p else ""
    return f"{p.get('field', 'each entry')}: must stand word for word somewhere in the input{where}"


def _between(p: Mapping[str, Any]) -> str:
    if "max" not in p:
        return f"at least {p['min']}"
    return f"at most {p['max']}" if "min" not in p else f"{p['min']} to {p['max']}"
