"""Models for tests of topologies: one that makes no mistakes, one that fails when told to, one that listens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.accounting.prices import PriceCard
from harness.clock.protocol import Clock
from harness.models.oracle import Oracle
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import (
    Agreement,
    Answering,
    Asking,
    Attention,
    Behaviour,
    Clarify,
    Debate,
    Delegation,
    Malformed,
    Orders,
    Planning,
    Progress,
    Protocol,
    Relay,
    Review,
    ToolChoice,
)
from harness.models.simulated.variant import Variant
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
            review=Review(catch=1, self_catch=1, false_alarm=0),
            debate=Debate(conform=0),
            clarify=Clarify(rate=0),
            asking=Asking(rate=1),
            progress=Progress(rate=0),
            planning=Planning(decides=1, misassign=0),
            agreement=Agreement(announce=1),
            protocol=Protocol(pretend=0, invent=0),
            orders=Orders(loose=0, copy=0, widen=0),
            delegation=Delegation(tendency=delegation, trouble=0),
            malformed=Malformed(rate=0, tags=0),
        ),
        strong=Variant("faultless-strong", price=PriceCard(input=2.5, output=10)),
    )
    model.consult(oracle or Toy().oracle())
    return model


class Wrapped:
    """A model that passes everything on; what a test changes, it overrides."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name, self.window_tokens, self.simulated = model.name, model.window_tokens, model.simulated
        self.pricing = model.pricing
        self.roles: Mapping[str, Model] = {role: _Beside(self, other) for role, other in model.roles.items()}

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return await self._model.weigh(texts)

    async def open(self, clock: Clock) -> None:
        await self._model.open(clock)

    async def complete(self, request: Request) -> Response:
        return await self.answer(self._model, request)

    async def answer(self, model: Model, request: Request) -> Response:
        """Every request comes through here, also those to models beside the main one."""
        return await model.complete(request)

    async def close(self) -> None:
        await self._model.close()


class _Beside:
    """A model beside a wrapped one: what it is asked goes through the wrapping too."""

    def __init__(self, main: Wrapped, model: Model) -> None:
        self._main, self._model = main, model
        self.name, self.window_tokens, self.simulated = model.name, model.window_tokens, model.simulated
        self.pricing, self.roles = model.pricing, model.roles

    async def weigh(self, texts: Sequence[str]) -> Sequence[int]:
        return await self._model.weigh(texts)

    async def open(self, clock: Clock) -> None:
        """The wrapped model opens those beside it."""

    async def complete(self, request: Request) -> Response:
        return await self._main.answer(self._model, request)

    async def close(self) -> None:
        """Likewise."""


class Listening(Wrapped):
    """Keeps the system prompts it is sent."""

    def __init__(self, model: Model, seen: list[Any]) -> None:
        super().__init__(model)
        self._seen = seen

    async def answer(self, model: Model, request: Request) -> Response:
        self._seen.append(request.messages[0]["content"])
        return await super().answer(model, request)


class Flaky(Wrapped):
    """Fails, and not by chance: ``fails(n, request)`` decides for the n-th request (from 1) of a run.

    The fault is one that no retry mends, so the agent that sent the request is as good as dead.
    """

    def __init__(self, model: Model, fails: Callable[[int, Request], bool]) -> None:
        super().__init__(model)
        self._fails = fails
        self._sent: dict[int, int] = {}

    async def answer(self, model: Model, request: Request) -> Response:
        run = request.seed >> 32
        self._sent[run] = self._sent.get(run, 0) + 1
        if self._fails(self._sent[run], request):
            raise TransportError("made to fail by a test", kind="test", retryable=False, latency_s=0.1)
        return await super().answer(model, request)
