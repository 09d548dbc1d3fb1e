"""Cells that are a team with one thing left out."""

from __future__ import annotations

import json

from results.comparison.cells import Cell, Scenario

SILENT = "messages"
"""The setting that lets workers write to each other."""
BRIEF = "ablate"
"""The one that takes a role's brief away."""


def siblings(scenario: Scenario, whole: Cell, setting: str) -> tuple[Cell, ...]:
    """The ablated cells that differ from ``whole`` in nothing but a setting of their topology with this name."""
    return tuple(
        c
        for c in scenario.cells
        if c.ablate and c.topology == whole.topology and _without(c, setting) == _without(whole, setting)
    )


def _without(cell: Cell, setting: str) -> str:
    rest = {k: v for k, v in cell.params.items() if not k.startswith("topology.") or k.rpartition(".")[2] != setting}
    return json.dumps([rest, cell.model], sort_keys=True)
