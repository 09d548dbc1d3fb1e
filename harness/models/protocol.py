"""What a language model is to the harness: one async call, with usage.

A request holds only what a provider would be sent. No implementation learns the agent's role, the topology or the
sample's key, and no caller may ask which implementation it talks to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.accounting.prices import Pricing
from harness.accounting.usage import MISSING, Usage
from harness.clock.protocol import Clock

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for; ``arguments`` is JSON text exactly as the model wrote it (it may not parse)."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Request:
    """One request in the shape of the OpenAI chat protocol.

    ``messages``: ``{"role", "content", "tool_calls"?, "tool_call_id"?}``; ``tools``: ``{"type": "function",
    "function": {...}}``; ``response_format``: a JSON schema wrapper or None; ``seed`` below 2⁶³.
    """

    model: str
    messages: tuple[Json, ...]
    tools: tuple[Json, ...] = ()
    response_format: Json | None = None
    seed: int = 0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """One answer. ``latency_s``: seconds a simulated provider would have taken, to be slept by the caller on the run's
    clock; None when the call took its own real time. ``simulated``: it says itself that no real model gave it."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    usage: Usage
    finish_reason: str = "stop"
    latency_s: float | None = None
    simulated: bool = False


CONTEXT_WINDOW = "context_window"
"""``TransportError.kind`` of a prompt that the provider found larger than its window."""


class TransportError(Exception):
    """The provider answered with a fault, or not at all. Retried by the caller when ``retryable``."""

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        retryable: bool = True,
        retry_after_s: float | None = None,
        usage: Usage = MISSING,
        latency_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.usage = usage
        self.latency_s = latency_s


class Model(Protocol):
    """A provider's model, shared by all runs of a cell. ``roles``: role → the model that agents of this role use
    instead (opened and closed with this one)."""

    name: str
    window_tokens: int
    simulated: bool  # rows made with it are labelled; it is never evidence about a real model
    pricing: Pricing
    roles: Mapping[str, Model]

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        """Tokens of each text by the tokeniser nearest to the provider's: weights only, usage is the truth. Never
        raises for any text."""

    async def open(self, clock: Clock) -> None:
        """Get ready, before any sample starts; raises HarnessError when it cannot."""

    async def complete(self, request: Request) -> Response:
        """Send one request, once. Raises TransportError; never retries."""

    async def close(self) -> None:
        """Release everything; safe to call twice."""
