"""A stand-in on loopback for the tests, with a client and its log."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.models.chat.client import ChatClient
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.server.app import StandIn, listening
from harness.models.server.clock import ServerClock
from harness.models.server.log import ServedLog
from harness.models.simulated import SimulatedModel
from harness.models.simulated.provider.provider import Latency

from .chat import CORPUS, FLAWLESS, Book, lead_prompt, seed, statement, system, user
from .chat_servers import KEY

INSTANT = float("inf")
"""The speed at which nothing is waited for."""


@dataclass
class Stand:
    """A running stand-in: its URL, a client, and its log."""

    url: str
    client: ChatClient
    log: Path

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@asynccontextmanager
async def standing(
    model: Model, folder: Path, *, speed: float = INSTANT, held_s: float | None = None
) -> AsyncIterator[Stand]:
    clock = ServerClock(speed)
    log = ServedLog(folder / "served.jsonl")
    await model.open(clock)
    async with listening(StandIn(model, clock, log, held_s).app(), "127.0.0.1", 0) as url:
        client = ChatClient(url, KEY, 10.0)
        try:
            yield Stand(url, client, folder / "served.jsonl")
        finally:
            await client.close()
            log.close()
            await model.close()


def simulated(**settings: Any) -> SimulatedModel:
    model = SimulatedModel(behaviour=FLAWLESS, **{"latency": Latency(jitter=0), **settings})
    model.consult(Book())
    return model


def asking(run: int = 7, ordinal: int = 1, **more: Any) -> Request:
    messages = (system(lead_prompt()), user(statement()))
    return Request("simulated", messages, CORPUS, seed=seed(run, ordinal=ordinal), **more)


Outcome = Response | tuple[str, float | None]


async def over_http(stand: Stand, request: Request) -> Outcome:
    try:
        return await stand.client.complete(request)
    except TransportError as fault:
        return fault.kind, fault.retry_after_s
