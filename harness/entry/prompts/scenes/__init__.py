"""The scenes of each shipped topology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from harness.entry.prompts.scene import Scene
from harness.entry.prompts.scenes import bus, inline, single, sync, taskboard

SCENES: Mapping[str, Sequence[Scene]] = MappingProxyType(
    {
        "single": single.SCENES,
        "sync": sync.SCENES,
        "inline": inline.SCENES,
        "bus": bus.SCENES,
        "taskboard": taskboard.SCENES,
    }
)
"""Topology → its scenes, in the order of the page."""
