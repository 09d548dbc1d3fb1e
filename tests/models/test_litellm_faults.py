"""What goes wrong behind litellm: each fault has a kind, is sent once, and shows no key."""

from __future__ import annotations

import socket
import traceback
from collections.abc import Iterator

import pytest
from aiohttp import web

from harness.accounting.usage import MISSING, NOT_BILLED, Usage
from harness.clock.real import RealClock
from harness.errors import ConfigError
from harness.models.litellm import LiteLLMModel
from harness.models.protocol import TransportError

from .chat_servers import KEY, Answering, bounded, canned, question, raw

pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier:UserWarning")
"""Pydantic remarks on litellm's own classes when these are first used; litellm's filter for that ends with a test."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield


async def fault_at(url: str) -> TransportError:
    model = LiteLLMModel("openai/m", api_base=url, window=1000)
    await model.open(RealClock())
    try:
        with pytest.raises(TransportError) as fault:
            await model.complete(question())
    finally:
        await model.close()
    shown = "".join(traceback.format_exception(fault.value)) + repr(fault.value) + repr(model)
    assert KEY not in shown
    return fault.value


def refused(
    status: int, code: str | None = None, headers: dict[str, str] | None = None, said: str = "no"
) -> tuple[TransportError, int]:
    """The fault of a server that answers so, and how many completions were asked of it."""
    asked = 0

    async def answer(http: web.Request) -> web.Response:
        nonlocal asked
        asked += http.method == "POST"
        error = {"message": said, "type": "some_error", "code": code, "param": None}
        return web.json_response({"error": error}, status=status, headers=headers)

    async def main() -> TransportError:
        async with canned(answer) as url:
            return await fault_at(url)

    return bounded(main()), asked


@pytest.mark.parametrize(
    ("status", "code", "kind", "retryable", "usage"),
    [
        (429, None, "rate_limited", True, NOT_BILLED),
        (429, "insufficient_quota", "quota", False, NOT_BILLED),
        (401, "invalid_api_key", "unauthorized", False, NOT_BILLED),
        (403, None, "forbidden", False, NOT_BILLED),
        (404, "model_not_found", "not_found", False, NOT_BILLED),
        (400, None, "bad_request", False, NOT_BILLED),
        (408, None, "timeout", True, MISSING),
        (400, "context_length_exceeded", "context_window", False, NOT_BILLED),
        (500, None, "server_error", True, MISSING),
        (503, None, "server_error", True, MISSING),
    ],
)
def test_a_status_has_a_kind(status: int, code: str | None, kind: str, retryable: bool, usage: Usage) -> None:
    """The kinds of ``harness.models.chat.faults``; each request goes out once, also where litellm's client retries."""
    fault, asked = refused(status, code, said=f"no: {code}")
    assert (fault.kind, fault.retryable, fault.usage) == (kind, retryable, usage), fault
    assert asked == 1


@pytest.mark.parametrize(
    ("headers", "seconds"), [({"Retry-After": "7"}, 7.0), ({"retry-after-ms": "250"}, 0.25), ({}, None)]
)
def test_the_provider_says_how_long_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert refused(429, headers=headers)[0].retry_after_s == seconds


def test_an_echoed_key_is_taken_out() -> None:
    fault, _ = refused(401, "invalid_api_key", said=f"the key {KEY} is wrong")
    assert "the key *** is wrong" in str(fault)


def test_nobody_listens() -> None:
    """Said before the first run."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ConfigError, match=r"^model\.api_base=http://127\.0\.0\.1:\d+/v1: no connection to"):
            bounded(fault_at(url))


def test_a_server_that_is_gone_later_has_cost_nothing() -> None:
    async def nothing(_: web.Request) -> web.Response:
        return web.json_response({"error": "no"}, status=404)

    async def main() -> TransportError:
        async with canned(nothing) as url:
            model = LiteLLMModel("openai/m", api_base=url, window=1000)
            await model.open(RealClock())
        with pytest.raises(TransportError) as fault:
            await model.complete(question())
        await model.close()
        return fault.value

    fault = bounded(main())
    assert (fault.kind, fault.retryable, fault.usage) == ("connection", True, NOT_BILLED)


def test_a_dropped_connection_may_have_cost_something() -> None:
    async def main() -> TransportError:
        async with raw(b"") as url:
            return await fault_at(url)

    fault = bounded(main())
    assert (fault.kind, fault.retryable, fault.usage) == ("connection", True, MISSING)


@pytest.mark.parametrize("text", ["no json at all {", '{"id": "x"}', "[1, 2]"])
def test_an_answer_that_is_none(text: str) -> None:
    async def answer(http: web.Request) -> web.Response:
        return web.Response(text=text, content_type="application/json")

    async def garbled(answer: Answering) -> TransportError:
        async with canned(answer) as url:
            return await fault_at(url)

    fault = bounded(garbled(answer))
    assert fault.usage == MISSING
    assert len(str(fault)) < 600
