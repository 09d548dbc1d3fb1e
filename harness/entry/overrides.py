"""Overrides: what the user typed, what differs between cells, and what would run only some of it again."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override


def parsed(overrides: Iterable[str]) -> list[Override]:
    """Overrides as Hydra reads them. Raises its OverrideParseException."""
    return OverridesParser.create().parse_overrides(list(overrides))


def varied(cell: Iterable[str], typed: Iterable[str]) -> dict[str, Any]:
    """What distinguishes a cell in its sweep: key → value of each of its overrides that was not typed as such."""
    fixed = {_normal(o) for o in parsed(typed) if not o.is_sweep_override()}
    return {o.key_or_group: o.value() for o in parsed(cell) if _normal(o) not in fixed}


def without(overrides: Iterable[str], keys: Iterable[str]) -> list[str]:
    """The overrides that set none of these keys."""
    dropped = set(keys)
    return [text for text in overrides if parsed([text])[0].key_or_group not in dropped]


def joined(cells: Sequence[Sequence[str]]) -> list[str] | None:
    """One sweep's overrides that give exactly these cells, each a list of overrides; None when there is no such sweep."""
    keys = [[_key(text) for text in cell] for cell in cells]
    if any(k != keys[0] or len(set(k)) != len(k) for k in keys):
        return None
    columns = [list(dict.fromkeys(column)) for column in zip(*cells, strict=True)]
    if sorted(itertools.product(*columns)) != sorted(map(tuple, cells)):
        return None
    return [c[0] if len(c) == 1 else f"{_key(c[0])}={','.join(t.partition('=')[2] for t in c)}" for c in columns]


def by_value(groups: Mapping[str, Sequence[str]]) -> list[tuple[list[str], tuple[str, ...]]]:
    """Names with equal lists together: [(names, list)], in the order of the first name."""
    together: dict[tuple[str, ...], list[str]] = {}
    for name, entries in groups.items():
        together.setdefault(tuple(entries), []).append(name)
    return [(names, entries) for entries, names in together.items()]


def _normal(override: Override) -> str:
    if override.is_delete():
        return str(override.input_line)
    return f"{override.get_key_element()}={override.get_value_element_as_str()}"


def _key(text: str) -> str:
    return text.partition("=")[0]
