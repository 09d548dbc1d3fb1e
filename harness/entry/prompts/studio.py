"""Where scenes are played: the shipped configuration of one topology, on the generated material."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.config import GROUPS
from harness.entry.commandline import CommandLine
from harness.entry.compose import compose
from harness.entry.prompts.player import Heard, Player
from harness.entry.prompts.scene import Scene
from harness.entry.schema import build, make
from harness.errors import ScriptError
from harness.limits import Limits
from harness.records import RunRecord
from harness.suite import Suite
from harness.testing.runs import cell, records

MATERIAL = ("task=qa_corpus", "task.corpus=generated", "task.docs=3", "task.samples=1", "task.questions=1")
"""Three short documents and a question about each, the same on every version of Python."""


@dataclass(frozen=True, slots=True)
class Played:
    """A scene that was played. ``heard``: agent → its conversation, in the order in which agents were made; ``roles``:
    agent → its role; ``record``: what the run left behind."""

    scene: Scene
    heard: Mapping[str, Heard]
    roles: Mapping[str, str]
    record: RunRecord


class Studio:
    """One topology. Raises HarnessError for a name that has no configuration."""

    def __init__(self, topology: str, material: Sequence[str] = MATERIAL) -> None:
        self.words = (f"topology={topology}", *material)
        command = CommandLine.parse(["", *self.words, "bus=memory"])
        (composed,) = compose(command, "prompts")
        self._nodes = {group: composed.values[group] for group in GROUPS}
        self._name = topology
        self._suite: Suite = make(self._nodes["task"], "task")
        self._suite.load()

    def play(self, scene: Scene) -> Played:
        """Play a scene to its end. Raises ScriptError when it does not go as it is written."""
        if scene.task:
            done = Studio(self._name, scene.task).play(replace(scene, task=()))
            return replace(done, scene=scene)
        (sample_id,) = self._suite.sample_ids()
        player = Player(scene, (0, sample_id, 0, self._name))
        topology = make(_merged(self._nodes["topology"], scene.options), "topology")
        limits = build(Limits, _merged(self._nodes["limits"], scene.limits), "limits")
        (record,) = records(cell(topology, player, name=self._name, suite=self._suite, limits=limits))
        if record.run.status == "error" or player.unsaid():
            what = record.run.error or f"words left: {', '.join(player.unsaid())}"
            raise ScriptError(f"topology '{self._name}', scene '{scene.title}': {what}. Correct the scene.")
        roles = _roles(record)
        return Played(scene, {name: player.heard[name] for name in roles if name in player.heard}, roles, record)


def _roles(record: RunRecord) -> dict[str, str]:
    return {e.agent: json.loads(e.data)["role"] for e in record.events if e.type == "agent_created"}


def _merged(node: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration node with some settings replaced, nested ones too."""
    made = dict(node)
    for key, value in options.items():
        made[key] = _merged(made.get(key, {}), value) if isinstance(value, Mapping) else value
    return made
