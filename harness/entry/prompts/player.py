"""A model that plays a scene and keeps what it was sent."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.accounting.prices import Pricing, UnpricedModel
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.clock.protocol import Clock
from harness.entry.prompts.scene import Say, Scene
from harness.errors import ScriptError
from harness.models.protocol import Json, Model, Request, Response, ToolCall
from harness.models.roles import STRONG
from harness.models.seeds import request_seed

_LAST = re.compile(r"\{last (\w+)\}")
_INBOX = re.compile(r"^\[inbox\] (\w+) (\S+) from ", re.M)


@dataclass(slots=True)
class Heard:
    """One agent's conversation: every message once, as it was sent, its last words included, and the tools on offer."""

    messages: list[Json] = field(default_factory=list)
    tools: tuple[Json, ...] = ()


class Player:
    """Plays one scene for one run (``harness.models.protocol.Model``). It knows agents by the seed of their requests,
    so that no wording of a prompt matters; ``of_run``: run seed, sample, epoch and topology."""

    name = "scene"
    simulated = True

    def __init__(self, scene: Scene, of_run: tuple[int, str, int, str]) -> None:
        self.window_tokens = scene.window_tokens
        self.pricing: Pricing = UnpricedModel()
        self.roles: Mapping[str, Model] = {STRONG: self} if scene.strong else {}
        self.heard: dict[str, Heard] = {}
        self._agents = {request_seed(*of_run, agent, 0): agent for agent in scene.acts}
        self._left = {agent: list(says) for agent, says in scene.acts.items()}

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return [count_tokens(text) for text in texts]

    async def open(self, clock: Clock) -> None:
        pass

    async def complete(self, request: Request) -> Response:
        """What the agent says next. Raises ScriptError for an agent without words, and what the scene asks for."""
        agent = next((name for seed, name in self._agents.items() if 0 <= request.seed - seed < 1 << 12), None)
        if agent is None:
            raise ScriptError(
                f"an agent speaks that has no words in the scene: {request.messages[0]['content']!r:.200}"
            )
        if not self._left[agent]:
            raise ScriptError(f"'{agent}' has no words left and reads: {request.messages[-1]['content']!r:.300}")
        say = self._left[agent].pop(0)
        heard = self.heard.setdefault(agent, Heard(tools=request.tools))
        heard.messages += _news(request.messages)
        if say.fault is not None:
            raise say.fault
        made = [
            ToolCall(f"call_{len(heard.messages)}_{i}", call.name, _filled(call.raw, request.messages))
            for i, call in enumerate(say.calls)
        ]
        heard.messages.append(_said(say, made))
        usage = Usage(sum(count_tokens(str(m["content"])) for m in request.messages), count_tokens(say.text) or 1)
        return Response(say.text, tuple(made), usage, latency_s=say.seconds)

    async def close(self) -> None:
        pass

    def unsaid(self) -> list[str]:
        """The agents that were not asked for all their words."""
        return [agent for agent, says in self._left.items() if says]


def _news(messages: Sequence[Json]) -> Sequence[Json]:
    """What came in since the agent last spoke."""
    spoken = max((i for i, m in enumerate(messages) if m["role"] == "assistant"), default=-1)
    return messages[spoken + 1 :]


def _said(say: Say, made: Sequence[ToolCall]) -> dict[str, Any]:
    asked = [{"id": c.id, "function": {"name": c.name, "arguments": c.arguments}} for c in made]
    return {"role": "assistant", "content": say.text, "tool_calls": asked}


def _filled(text: str, messages: Sequence[Json]) -> str:
    """A text with its message ids put in."""
    ids = {found[1]: found[2] for m in messages for found in _INBOX.finditer(str(m["content"]))}
    return _LAST.sub(lambda m: ids[m[1]], text)
