"""Models for tests: what they answer depends only on what the request contains."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.accounting.prices import CardPricing, PriceCard, Pricing
from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.clock.protocol import Clock
from harness.models.protocol import Json, Model, Request, Response, ToolCall, TransportError
from harness.models.seeds import request_seed
from harness.models.simulated.draws import ORDINAL_BITS

MEMBER = re.compile(r"You are (\S+), a member of a team")


def who(request: Request) -> str:
    """The agent that a request comes from, by its system prompt."""
    system = str(request.messages[0]["content"])
    if "You lead a team" in system:
        return "lead"
    member = MEMBER.search(system)
    return member[1] if member else "solver"


def turn(request: Request) -> int:
    """How many times this agent has spoken before, by its prompt."""
    return sum(m["role"] == "assistant" for m in request.messages)


def heard(request: Request) -> str:
    """All text of a request's messages."""
    return "\n".join(text_of(m) for m in request.messages)


def news(request: Request) -> str:
    """The text of what came in since this agent last spoke."""
    out: list[str] = []
    for message in reversed(request.messages):
        if message["role"] == "assistant":
            break
        out.insert(0, text_of(message))
    return "\n".join(out)


def text_of(message: Json) -> str:
    calls = [c["function"]["name"] + c["function"]["arguments"] for c in message.get("tool_calls", ())]
    return "".join([message["content"] or "", *calls])


def counted(request: Request) -> int:
    return sum(count_tokens(text_of(m)) for m in request.messages) + sum(
        count_tokens(json.dumps(t)) for t in request.tools
    )


@dataclass(frozen=True)
class Call:
    """A tool call: arguments as a mapping, or raw as the model wrote them."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)

    def raw(self) -> str:
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments, ensure_ascii=False)


def send(to: str, type: str, content: str, **more: str) -> Call:
    return Call("send_message", {"to": to, "type": type, "content": content, **more})


@dataclass(frozen=True)
class Say:
    """One answer. ``usage``: None counts the text; ``fault``: raised instead."""

    text: str = ""
    calls: Sequence[Call] = ()
    latency_s: float = 1.0
    usage: Usage | None = None
    fault: TransportError | None = None
    finish_reason: str = "stop"


Acting = Callable[[Request], Say]
Act = Sequence[Say | Acting] | Acting


class ActingModel:
    """``acts``: agent → what it says the first, second, … time it speaks, or a function of its requests; or one
    function of all requests.

    ``requests`` keeps every request in the order of sending.
    """

    simulated = True

    def __init__(
        self,
        acts: Mapping[str, Act] | Acting,
        *,
        pricing: Pricing | None = None,
        window_tokens: int = 100_000,
        name: str = "acting",
    ) -> None:
        self._acts = acts
        self.pricing: Pricing = pricing or CardPricing(PriceCard(input=1, output=4, cached_input=0.5))
        self.roles: Mapping[str, Model] = {}
        self.window_tokens = window_tokens
        self.name = name
        self.requests: list[Request] = []

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return [count_tokens(text) for text in texts]

    async def open(self, clock: Clock) -> None:
        pass

    async def close(self) -> None:
        pass

    def of(self, agent: str) -> list[Request]:
        """One agent's requests."""
        return [r for r in self.requests if who(r) == agent]

    async def complete(self, request: Request) -> Response:
        self.requests.append(request)
        say = self._say(request)
        if say.fault is not None:
            raise say.fault
        calls = tuple(ToolCall(f"call_{turn(request)}_{i}", call.name, call.raw()) for i, call in enumerate(say.calls))
        usage = say.usage or Usage(
            counted(request), count_tokens(say.text) + sum(count_tokens(c.name + c.arguments) for c in calls)
        )
        return Response(say.text, calls, usage, say.finish_reason, say.latency_s)

    def _say(self, request: Request) -> Say:
        if callable(self._acts):
            return self._acts(request)
        act = self._acts[who(request)]
        say = act(request) if callable(act) else act[turn(request)]
        return say(request) if callable(say) else say


class Sequenced(ActingModel):
    """Answers in the order of being asked, whoever asks: a retry, or an agent that forgot, gets the next answer."""

    def __init__(self, says: Sequence[Say], **more: Any) -> None:
        left = iter(says)
        super().__init__(lambda _: next(left), **more)


def named(request: Request, names: Sequence[str], *, sample: str = "toy-0", topology: str = "under-test") -> str:
    """Which of these agents a request comes from, by its seed, in a run that ``harness.testing.runs.cell`` makes."""
    starts = {name: request_seed(0, sample, 0, topology, name, 0) for name in names}
    return next(name for name, start in starts.items() if 0 <= request.seed - start < 1 << ORDINAL_BITS)
