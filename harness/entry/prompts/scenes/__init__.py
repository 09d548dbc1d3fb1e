"""The scenes of each shipped topology."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from harness.entry.prompts.scene import Scene
from harness.entry.prompts.scenes import (
    bus,
    debate,
    escalate,
    expert,
    inline,
    moa,
    nested,
    resample,
    single,
    strong,
    sync,
    taskboard,
    vote,
    workflow,
)

SCENES: Mapping[str, Sequence[Scene]] = MappingProxyType(
    {
        "single": single.SCENES,
        "strong": strong.SCENES,
        "resample": resample.SCENES,
        "escalate": escalate.SCENES,
        "sync": sync.SCENES,
        "inline": inline.SCENES,
        "nested": nested.SCENES,
        "bus": bus.SCENES,
        "taskboard": taskboard.SCENES,
        "moa": moa.SCENES,
        "vote": vote.SCENES,
        "debate": debate.SCENES,
        "workflow": workflow.SCENES,
        "expert": expert.SCENES,
    }
)
"""Topology → its scenes, in the order of the page."""
