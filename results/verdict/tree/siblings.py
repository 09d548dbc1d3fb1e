"""Cells that are a team with one thing left out."""

from __future__ import annotations

import json

from results.comparison.cells import Cell, Scenario

SILENT = "messages"
"""The setting, and what ``runs.ablate`` says where it is off."""
BRIEF = "ablate"


def siblings(scenario: Scenario, whole: Cell, setting: str) -> tuple[Cell, ...]:
    """The ablated cells that differ from ``whole`` in nothing but a setting of their topology with this name."""
    return tuple(
        c
        for c in scenario.cells
        if c.ablate and c.topology == whole.topology and _without(c, setting) == _without(whole, setting)
        and _left_out(c, setting)
    )  # fmt: skip


def _without(cell: Cell, setting: str) -> str:
    rest = {k: v for k, v in cell.params.items() if not k.startswith("topology.") or k.rpartition(".")[2] != setting}
    return json.dumps([rest, cell.model], sort_keys=True)


def _left_out(cell: Cell, setting: str) -> bool:
    """``runs.ablate`` names messages where they are off (``inside: messages`` of a team inside), else a role."""
    silent = cell.ablate.rpartition(": ")[2] == SILENT
    return silent is (setting == SILENT)
