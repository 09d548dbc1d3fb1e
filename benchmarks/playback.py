"""A model that says again what another one said: its answers cost a lookup, so that the rest can be measured alone."""

from __future__ import annotations

from harness.clock.protocol import Clock
from harness.models.protocol import Model, Request, Response
from harness.testing.models import Wrapped


class Recording(Wrapped):
    """Keeps every response under its request's seed, which no two requests of an experiment share."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.responses: dict[int, Response] = {}

    async def complete(self, request: Request) -> Response:
        response = await super().complete(request)
        self.responses[request.seed] = response
        return response


class Playback(Wrapped):
    """Answers from a recording; the recorded model is asked for its name and prices only."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self._responses = recording.responses

    async def open(self, clock: Clock) -> None:
        """Nothing to start."""

    async def complete(self, request: Request) -> Response:
        return self._responses[request.seed]

    async def close(self) -> None:
        """Nothing to stop."""
