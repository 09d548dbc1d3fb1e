"""The scenes of each shipped topology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from harness.entry.prompts.scene import Scene
from harness.entry.prompts.scenes import bus, nested, single, sync

SCENES: Mapping[str, Sequence[Scene]] = MappingProxyType(
    {"single": single.SCENES, "sync": sync.SCENES, "bus": bus.SCENES, "nested": nested.SCENES}
)
"""Topology → its scenes, in the order of the page."""
