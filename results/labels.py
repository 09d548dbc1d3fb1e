"""What the cells of a sweep are called, and the order in which they were composed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from harness.errors import StoreError
from results.columns import Columns

_NUMBER = re.compile(r"(\d+)")


def labels(runs: Columns) -> dict[str, tuple[str, ...]]:
    """Cell → topology, and ``key=value`` of those parameters that differ between the cells of these runs.

    A key is shown without ``topology.`` in front, and by its last two names where these tell it from the others.
    """
    cells = {cell: (topology, params) for (cell, topology, params), _ in runs.groups("cell_id", "topology", "params")}
    chosen = {cell: read_params(params) for cell, (_, params) in cells.items()}
    keys = sorted({k for p in chosen.values() for k in p} - {"topology"})
    varied = [k for k in keys if len({json.dumps(p.get(k)) for p in chosen.values()}) > 1]
    return {
        cell: (topology, *(f"{_short(k, varied)}={typed(chosen[cell][k])}" for k in varied if k in chosen[cell]))
        for cell, (topology, _) in cells.items()
    }


def read_params(text: str) -> dict[str, Any]:
    """What a sweep set for a cell. Raises StoreError for what is no JSON object."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise StoreError(f"a run has params {text!r}, which are no JSON object: see `python -m results validate`.")
    return found


def typed(value: Any) -> str:
    """A value as one writes it in an override."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def place(cell_id: str) -> tuple[str | int, ...]:
    """Where a cell stands in its sweep: cells are numbered, and ``c10`` comes after ``c9``."""
    return tuple(int(p) if p.isdecimal() else p for p in _NUMBER.split(cell_id))


def _short(key: str, among: Sequence[str]) -> str:
    whole = key.removeprefix("topology.")
    names = whole.split(".")
    for kept in range(2, len(names)):
        short = ".".join(names[-kept:])
        if sum(f".{other}".endswith(f".{short}") for other in among) == 1:
            return short
    return whole
