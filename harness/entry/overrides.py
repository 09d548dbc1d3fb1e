"""Overrides: what the user typed, what differs between cells, and what would run only some of it again."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.core.config_loader import ConfigLoader
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import OverrideParseException

from harness.errors import ConfigError

SEARCH = "hydra.searchpath"
CELLS = "cells"
"""The key under which an experiment lists its own sweeps."""

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_WORDS = ("null", "true", "false", "inf", "nan")


def parsed(overrides: Iterable[str], loader: ConfigLoader | None = None) -> list[Override]:
    """Overrides as Hydra reads them. ``loader``: knows the options that ``GROUP=glob(*)`` stands for. Raises its
    OverrideParseException."""
    return OverridesParser.create(config_loader=loader).parse_overrides(list(overrides))


def cells(typed: Iterable[str], loader: ConfigLoader | None = None) -> list[list[str]]:
    """The overrides of each cell of a sweep: all combinations, the last key varying fastest, as Hydra's own sweeper has
    it. A key that was typed twice counts as typed last. Raises ConfigError for a sweep without discrete values."""
    columns: dict[str, list[str]] = {}
    for override in parsed(typed, loader):
        if not override.is_sweep_override():
            columns[override.get_key_element()] = [_normal(override)]
        elif override.is_discrete_sweep():
            key = override.get_key_element()
            columns[key] = [f"{key}={value}" for value in override.sweep_string_iterator()]
            if not columns[key]:
                raise ConfigError(
                    f"'{override.input_line}' fits no option of {key}: `python -m harness --help` lists them."
                )
        else:
            key = override.key_or_group
            raise ConfigError(
                f"'{override.input_line}': a sweep needs a list of values: {key}=a,b,c, {key}=choice(a,b) or "
                f"{key}=range(1,4)."
            )
    return [list(cell) for cell in itertools.product(*columns.values())]


def spread(cell: Sequence[str], lines: Iterable[Any], loader: ConfigLoader | None = None) -> list[list[str]]:
    """The cells of an experiment that lists its own sweeps, each with the overrides that all of them share. ``lines``:
    each a sweep as it is written on a command line. Raises ConfigError that names the line."""
    shared = without(cell, (CELLS,))
    typed = {o.key_or_group for o in parsed(shared)}
    found: list[list[str]] = []
    for line in lines:
        try:
            if not isinstance(line, str):
                raise ConfigError("it is no text.")
            words = shlex.split(line)
            if twice := typed & {o.key_or_group for o in parsed(words, loader)}:
                raise ConfigError(f"it sets {', '.join(sorted(twice))} too: leave that out of the command.")
            found += [[*shared, *own, f"{CELLS}=null"] for own in cells(words, loader)]
        except (OverrideParseException, ConfigError, ValueError) as fault:
            raise ConfigError(f"{CELLS}: the line '{line}' cannot be used: {fault.args[0]}") from fault
    if not found:
        raise ConfigError(f"{CELLS} is an empty list: there is nothing to run. Give it a line, or set {CELLS}=null.")
    return found


def varied(cell: Iterable[str], typed: Iterable[str]) -> dict[str, Any]:
    """What distinguishes a cell in its sweep: key → value of each of its overrides that was not typed as such."""
    last = {o.get_key_element(): o for o in parsed(typed)}
    fixed = {_normal(o) for o in last.values() if not o.is_sweep_override()}
    own = (o for o in parsed(cell) if _normal(o) not in fixed and o.key_or_group != CELLS)
    return {o.key_or_group: o.value() for o in own}


def without(overrides: Iterable[str], keys: Iterable[str]) -> list[str]:
    """The overrides that set none of these keys."""
    dropped = set(keys)
    return [text for text in overrides if parsed([text])[0].key_or_group not in dropped]


def joined(cells: Sequence[Sequence[str]]) -> list[str] | None:
    """One sweep's overrides that give exactly these cells (each a list of overrides), or None if no sweep does."""
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


def searching(overrides: Iterable[str], folder: Path) -> list[str]:
    """The overrides, with one more folder for Hydra to search for options."""
    given = list(overrides)
    before = [o.value() for o in parsed(given) if o.key_or_group == SEARCH]
    paths = [str(path) for paths in before if isinstance(paths, list) for path in paths]
    listed = ",".join(quoted(path) for path in dict.fromkeys([*paths, f"file://{folder.resolve()}"]))
    return [*without(given, (SEARCH,)), f"{SEARCH}=[{listed}]"]


def quoted(value: str) -> str:
    """A string as an override's grammar reads it back."""
    if _BARE.fullmatch(value) and value.lower() not in _WORDS:
        return value
    text = re.sub(r"(\\*)'", lambda m: f"{m[1] * 2}\\'", literal(value))
    slashes = len(text) - len(text.rstrip("\\"))
    return f"'{text}{chr(92) * slashes}'"


def literal(value: str) -> str:
    """Text that OmegaConf does not take for an interpolation."""
    return value.replace("${", "\\${")


def _normal(override: Override) -> str:
    if override.is_delete():
        return str(override.input_line)
    return f"{override.get_key_element()}={override.get_value_element_as_str()}"


def _key(text: str) -> str:
    return text.partition("=")[0]
