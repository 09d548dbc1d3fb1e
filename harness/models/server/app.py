"""The HTTP application: ``/v1/models``, ``/v1/chat/completions`` and ``/health``."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import web
from aiohttp.typedefs import Handler

from harness.errors import ConfigError, HarnessError
from harness.models.chat.wire import SIMULATED
from harness.models.protocol import Model, Response, TransportError
from harness.models.server.answers import completion, events
from harness.models.server.asked import Asked, asked
from harness.models.server.clock import ServerClock
from harness.models.server.log import LEFT, Line, ServedLog
from harness.models.server.refusal import Refusal
from harness.models.server.served import served

LARGEST_BODY = 64 * 2**20
"""Bytes of the longest request body: well above a full context window."""
LEAVE_S = 1.0
"""Real seconds that requests under way get when the server ends."""
_LOGGER = logging.getLogger(__name__)


class StandIn:
    """Serves an open model, and those beside it, at the pace of its clock.

    ``held_s``: at infinite speed, an answer that takes so many seconds is never sent (a stall); None: there is none.
    Raises ConfigError where one name stands for models that differ (``served``).
    """

    def __init__(self, model: Model, clock: ServerClock, log: ServedLog, held_s: float | None = None) -> None:
        self._main = model
        self._models_by_name = served(model)
        self._clock = clock
        self._log = log
        self._held_s = held_s
        self._numbers = count(1)
        self._started = int(time.time())

    def app(self) -> web.Application:
        """The routes. Unknown ones, and all errors, are answered as the chat protocol does."""
        app = web.Application(middlewares=(_in_json,), client_max_size=LARGEST_BODY)
        app.router.add_get("/health", self._health)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._complete)
        return app

    async def _health(self, http: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _models(self, http: web.Request) -> web.Response:
        """The main model first; those beside it name it as their ``parent``, as servers do that list adapters."""
        entries = [
            {
                "id": model.name,
                "object": "model",
                "created": self._started,
                "owned_by": "topology-harness",
                "parent": None if model is self._main else self._main.name,
                "max_model_len": model.window_tokens,
                "simulated": model.simulated,
            }
            for model in self._models_by_name.values()
        ]
        return web.json_response({"object": "list", "data": entries})

    async def _complete(self, http: web.Request) -> web.StreamResponse:
        line = Line(next(self._numbers))
        try:
            question, model, response = await self._answer(http, line)
        except Refusal as refusal:
            line.status = refusal.status
            raise
        except asyncio.CancelledError:
            line.status = LEFT
            raise
        except web.HTTPException as error:
            line.status = error.status
            raise
        except Exception:
            line.status = 500
            raise
        finally:  # before it is sent: whoever has an answer finds its line
            self._log.write(line)
        head = {
            "id": f"chatcmpl-{line.number}",
            "created": int(time.time()),
            "model": question.request.model,
            "system_fingerprint": SIMULATED if model.simulated else None,
        }
        if not question.stream:
            return web.json_response(completion(response, head))
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await stream.prepare(http)
        for event in events(response, head, question.include_usage):
            await stream.write(event)
        await stream.write_eof()
        return stream

    async def _answer(self, http: web.Request, line: Line) -> tuple[Asked, Model, Response]:
        """The model's answer, after its latency, and the model. Raises Refusal."""
        question = asked(await http.read())
        request = question.request
        line.seed, line.stream = request.seed, question.stream
        model = self._models_by_name.get(request.model)
        if model is None:
            names = ", ".join(f"'{name}'" for name in self._models_by_name)
            said = f"the model '{request.model}' does not exist; this server has {names}"
            raise Refusal(404, said, param="model", code="model_not_found")
        line.model = model.name
        began = self._clock.ticks()
        try:
            response = await model.complete(request)
        except TransportError as fault:
            line.latency_s = fault.latency_s
            await self._clock.spend(began, fault.latency_s or 0.0)
            self._clock.skip(fault.retry_after_s or 0.0)
            raise Refusal.of(fault) from None
        except HarnessError as error:  # a transcript that does not fit, say: sending it again would change nothing
            raise Refusal(400, str(error)) from None
        line.latency_s = response.latency_s
        await self._wait(began, response.latency_s or 0.0)
        line.served(response.usage, response.finish_reason)
        return question, model, response

    async def _wait(self, began: int, seconds: float) -> None:
        if self._clock.instant and self._held_s is not None and seconds >= self._held_s:
            await asyncio.Event().wait()  # until the client has had enough, or the server ends
        await self._clock.spend(began, seconds)


@asynccontextmanager
async def listening(app: web.Application, host: str, port: int) -> AsyncIterator[str]:
    """Serve while this lasts; the base URL is yielded. ``port`` 0: a free one. Raises ConfigError for an address that
    cannot be had."""
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=LEAVE_S)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ConfigError(
                f"cannot listen on {host}, port {port}: {why}. Choose another with --port N; --port 0 takes a free one."
            ) from None
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{runner.addresses[0][1]}/v1"
    finally:
        await runner.cleanup()


@web.middleware
async def _in_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every error as the chat protocol writes it."""
    try:
        return await handler(request)
    except Exception as error:
        refusal = _refusal(error, f"{request.method} {request.path}")
    return web.json_response(refusal.payload(), status=refusal.status, headers=refusal.headers())


def _refusal(error: Exception, what: str) -> Refusal:
    if isinstance(error, Refusal):
        return error
    if isinstance(error, web.HTTPException):
        return Refusal(error.status, f"{what}: {error.reason}")
    _LOGGER.error("%s failed", what, exc_info=error)
    return Refusal(500, "a defect of this server; its own output says where")
