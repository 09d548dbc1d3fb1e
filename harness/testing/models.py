"""Models for tests of topologies: one that makes no mistakes, one that fails when told to, one that listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from harness.clock.protocol import Clock
from harness.models.oracle import Oracle
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import (
    Answering,
    Attention,
    Behaviour,
    Clarify,
    Delegation,
    Malformed,
    Orders,
    Progress,
    Protocol,
    Relay,
    ToolChoice,
)
from harness.testing.toy import Toy


def faultless(oracle: Oracle | None = None, *, delegation: float = 0.0) -> SimulatedModel:
    """The simulated model with every rate of error at 0. ``oracle``: the toy suite's if not given. ``delegation``: how
    often a member tries to hand its task on."""
    model = SimulatedModel(
        behaviour=Behaviour(
            tool_choice=ToolChoice(per_tool=0),
            attention=Attention(dilution=0, middle=0),
            answering=Answering(accuracy=1, spread=0, mixup=0, guess=0, repeated=0),
            relay=Relay(drift=0),
            clarify=Clarify(rate=0),
            progress=Progress(rate=0),
            protocol=Protocol(pretend=0, invent=0),
            orders=Orders(loose=0, copy=0, widen=0),
            delegation=Delegation(tendency=delegation),
            malformed=Malformed(rate=0),
        )
    )
    model.consult(oracle or Toy().oracle())
    return model


class Wrapped:
    """A model that passes everything on; what a test changes, it overrides."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name, self.window_tokens, self.simulated = model.name, model.window_tokens, model.simulated
        self.pricing, self.roles = model.pricing, model.roles

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return await self._model.weigh(texts)

    async def open(self, clock: Clock) -> None:
        await self._model.open(clock)

    async def complete(self, request: Request) -> Response:
        return await self._model.complete(request)

    async def close(self) -> None:
        await self._model.close()


class Listening(Wrapped):
    """Keeps the system prompts it is sent."""

    def __init__(self, model: Model, seen: list[Any]) -> None:
        super().__init__(model)
        self._seen = seen

    async def complete(self, request: Request) -> Response:
        self._seen.append(request.messages[0]["content"])
        return await super().complete(request)


class Flaky(Wrapped):
    """Fails, and not by chance: ``fails(n, request)`` decides for the n-th request (from 1) of a run.

    The fault is one that no retry mends, so the agent that sent the request is as good as dead.
    """

    def __init__(self, model: Model, fails: Callable[[int, Request], bool]) -> None:
        super().__init__(model)
        self._fails = fails
        self._sent: dict[int, int] = {}

    async def complete(self, request: Request) -> Response:
        run = request.seed >> 32
        self._sent[run] = self._sent.get(run, 0) + 1
        if self._fails(self._sent[run], request):
            raise TransportError("made to fail by a test", kind="test", retryable=False, latency_s=0.1)
        return await super().complete(request)
