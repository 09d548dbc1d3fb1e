"""One agent's conversation as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from harness.entry.prompts.player import Heard
from harness.fence import fence

LONG = 150
"""Characters from which a text that stands on the page already is not shown again."""


@dataclass(slots=True)
class Shown:
    """What stands on the page already. ``scene``: the one that is shown now."""

    scene: str = ""
    _first: dict[str, str] = field(default_factory=dict)

    def short(self, value: Any) -> Any:
        """A text or value, or a note of the scene that showed it before."""
        key = json.dumps(value)
        if len(key) < LONG:
            return value
        first = self._first.setdefault(key, self.scene)
        return value if first == self.scene else f"(as in: {first})"


def dialogue(name: str, heard: Heard, shown: Shown, *, started: bool) -> Iterator[str]:
    """All messages after the system prompt, and after the task if the agent ``started`` with it."""
    called: dict[str, str] = {}
    for message in heard.messages[2 if started else 1 :]:
        content = str(message["content"] or "")
        if message["role"] == "assistant":
            asked = message.get("tool_calls") or []
            called |= {c["id"]: c["function"]["name"] for c in asked}
            yield f"**{name} says**\n"
            yield block(_step(content, [c["function"] for c in asked], shown), "yaml")
        else:
            via = f", from `{called[message['tool_call_id']]}`" if message["role"] == "tool" else ""
            yield f"**{name} reads**{via}\n"
            yield block(str(shown.short(content)))


def _step(text: str, asked: Sequence[Mapping[str, str]], shown: Shown) -> str:
    """What a model said, as a step of a transcript."""
    step: dict[str, Any] = {"text": shown.short(text)} if text else {}
    if asked:
        step["tool_calls"] = [{"name": c["name"], "arguments": _arguments(c["arguments"], shown)} for c in asked]
    return yaml.safe_dump(step, sort_keys=False, allow_unicode=True, width=110).rstrip()


def _arguments(raw: str, shown: Shown) -> Any:
    """A call's arguments; the raw text where a model wrote no JSON."""
    try:
        given = json.loads(raw)
    except ValueError:
        return raw
    return {key: shown.short(value) for key, value in given.items()}


def block(text: str, kind: str = "text") -> str:
    """A fenced block that no line of the text can end."""
    line = fence(text, sign="`", least=3)
    return f"{line}{kind}\n{text}\n{line}\n"
