"""A scene: what the agents of one run say, so that what they read in return can be shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.models.protocol import TransportError

WINDOW = 128_000
"""Tokens of prompt, as in conf/model/simulated.yaml."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: arguments as a mapping, or raw as a model may write them. ``{last TYPE}`` in a text stands for the
    id of the latest message of that type in the inbox."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)

    @property
    def raw(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Say:
    """One completion, which takes ``seconds``. ``fault``: the provider fails instead."""

    text: str = ""
    calls: Sequence[Call] = ()
    seconds: float = 1.0
    fault: TransportError | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """One run. ``about``: when this happens, in a sentence; ``acts``: agent → what it says, in order; ``shows``: whose
    conversations stand on the page. ``options`` and ``limits``: settings of the topology, and limits, other than the
    shipped ones; ``window_tokens``: of the model. ``tools``, ``prompts``: show the tools or the system prompts of the
    agents too, because the options change them. ``strong``: the model has a stronger one beside it. ``task``: words of
    the command line for other material."""

    title: str
    about: str
    acts: Mapping[str, Sequence[Say]]
    shows: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    window_tokens: int = WINDOW
    tools: bool = False
    prompts: bool = False
    strong: bool = False
    task: Sequence[str] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def narrow(self) -> bool:
        """Whether the model's window is smaller than usual."""
        return self.window_tokens < WINDOW


def calls(*made: Call, seconds: float = 1.0, text: str = "") -> Say:
    """A completion that calls tools."""
    return Say(text, made, seconds)
