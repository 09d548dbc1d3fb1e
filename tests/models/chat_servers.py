"""Real HTTP servers on loopback for the tests of the chat protocol, and bounds for every wait."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from aiohttp import web

from harness.models.protocol import Request
from harness.models.server.app import listening

KEY = "sk-planted-0123456789abcdef"
SECONDS = 20
"""Most real seconds one test may wait."""

_T = TypeVar("_T")


def bounded(main: Coroutine[Any, Any, _T]) -> _T:
    async def run() -> _T:
        async with asyncio.timeout(SECONDS):
            return await main

    return asyncio.run(run())


Answering = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def canned(answer: Answering) -> AsyncIterator[str]:
    """A server that answers everything with one handler; its base URL."""
    app = web.Application()

    async def handler(http: web.Request) -> web.StreamResponse:
        return await answer(http)

    app.router.add_route("*", "/{path:.*}", handler)
    async with listening(app, "127.0.0.1", 0) as url:
        yield url


@asynccontextmanager
async def raw(answer: bytes, *, hold: bool = False, read: bool = True) -> AsyncIterator[str]:
    """A server that reads a request's head (or does not), writes these bytes and drops the connection, or holds it."""
    held = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if read:
            await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        if hold:
            await held.wait()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        held.set()
        server.close()
        await server.wait_closed()


def saying(text: str = "Yes.", **more: Any) -> dict[str, Any]:
    """A chat completion in the shape of OpenAI's API reference."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11},
        **more,
    }


def chunks(stream: bytes) -> list[dict[str, Any]]:
    """The payloads of server-sent events, which must end with ``[DONE]``."""
    lines = [line.removeprefix("data: ") for line in stream.decode().split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    return [json.loads(line) for line in lines[:-1]]


def assembled(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A stream's chunks put together to a whole completion, as clients do."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    calls: dict[int, dict[str, Any]] = {}
    reason, usage = None, None
    for part in parts:
        usage = part.get("usage") or usage
        for choice in part["choices"]:
            reason = choice["finish_reason"] or reason
            message["content"] += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls", ()):
                known = calls.setdefault(
                    call["index"], {"id": call.get("id"), "function": {"name": call["function"].get("name")}}
                )
                known["function"]["arguments"] = known["function"].get("arguments", "") + call["function"]["arguments"]
    if calls:
        message["tool_calls"] = [calls[i] for i in sorted(calls)]
    whole = {"choices": [{"message": message, "finish_reason": reason}], "usage": usage}
    prints = {part["system_fingerprint"] for part in parts if part.get("system_fingerprint")}
    return {**whole, "system_fingerprint": prints.pop()} if prints else whole


def question(text: str = "Is it?", **more: Any) -> Request:
    return Request("m", ({"role": "user", "content": text},), **more)
