"""The client against real servers on loopback: what they do wrong has a kind, and the key shows nowhere."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from harness.accounting.tokens import count_tokens
from harness.accounting.usage import MISSING, NOT_BILLED, Usage
from harness.errors import ConfigError
from harness.models.chat.client import ChatClient
from harness.models.chat.weights import ServerWeights, estimated
from harness.models.protocol import Response, ToolCall, TransportError

from .chat_servers import KEY, Answering, bounded, canned, question, raw, saying


@asynccontextmanager
async def client_of(url: str, key: str | None = KEY, timeout_s: float = 5.0, **more: Any) -> AsyncIterator[ChatClient]:
    client = ChatClient(url, key, timeout_s, **more)
    try:
        yield client
    finally:
        await client.close()
        await client.close()


async def fault_at(url: str, timeout_s: float = 5.0) -> TransportError:
    async with client_of(url, timeout_s=timeout_s) as client:
        with pytest.raises(TransportError) as fault:
            await client.complete(question())
    shown = "".join(traceback.format_exception(fault.value)) + repr(fault.value) + repr(client)
    assert KEY not in shown
    return fault.value


async def fault_of(answer: Answering) -> TransportError:
    async with canned(answer) as url:
        return await fault_at(url)


def test_a_request_and_its_answer() -> None:
    seen: list[tuple[str, Any, Any]] = []

    async def answer(http: web.Request) -> web.Response:
        seen.append((http.path, dict(http.headers), await http.json()))
        return web.json_response(saying())

    async def main() -> Response:
        async with canned(answer) as url, client_of(f" {url}/ ", f" {KEY}\n", extra={"temperature": 0.5}) as client:
            return await client.complete(question(seed=2**62))

    assert bounded(main()) == Response("Yes.", (), Usage(9, 2))
    ((path, headers, sent),) = seen
    assert path == "/v1/chat/completions" and headers["Authorization"] == f"Bearer {KEY}"
    assert sent == {
        "model": "m", "messages": [{"role": "user", "content": "Is it?"}], "seed": 2**62, "temperature": 0.5
    }  # fmt: skip


def test_without_a_key_there_is_no_header() -> None:
    async def answer(http: web.Request) -> web.Response:
        return web.json_response(saying(str(http.headers.get("Authorization"))))

    async def main() -> Response:
        async with canned(answer) as url, client_of(url, None) as client:
            return await client.complete(question())

    assert bounded(main()).text == "None"


def test_a_rate_limit_with_retry_after() -> None:
    async def answer(http: web.Request) -> web.Response:
        error = {"message": f"Slow down, {KEY}", "code": "rate_limit_exceeded"}
        return web.json_response({"error": error}, status=429, headers={"Retry-After": "7"})

    fault = bounded(fault_of(answer))
    assert (fault.kind, fault.retryable, fault.retry_after_s, fault.usage) == ("rate_limited", True, 7.0, NOT_BILLED)
    assert str(fault) == "HTTP 429: Slow down, ***"


def test_a_server_error_that_is_not_json_and_echoes_the_key() -> None:
    async def answer(http: web.Request) -> web.Response:
        return web.Response(status=500, text=f"<pre>{dict(http.headers)}</pre>")

    fault = bounded(fault_of(answer))
    assert (fault.kind, fault.retryable, fault.usage) == ("server_error", True, MISSING)
    assert "'Authorization': 'Bearer ***'" in str(fault)


@pytest.mark.parametrize("escaped", [False, True])
def test_an_answer_that_echoes_the_key(escaped: bool) -> None:
    async def answer(http: web.Request) -> web.Response:
        text = json.dumps(saying(f"Your header: {http.headers['Authorization']}"))
        return web.Response(text=text.replace("-", "\\u002d") if escaped else text)

    async def main() -> Response:
        async with canned(answer) as url, client_of(url) as client:
            return await client.complete(question())

    assert bounded(main()).text == "Your header: Bearer ***"


def test_a_short_key_is_no_secret_in_answers() -> None:
    async def main() -> Response:
        async def answer(http: web.Request) -> web.Response:
            return web.json_response(saying("none of them"))

        async with canned(answer) as url, client_of(url, "none") as client:
            return await client.complete(question())

    assert bounded(main()).text == "none of them"


@pytest.mark.parametrize("text", ["<html>no</html>", "", "null", "[]", "{", "[" * 100_000, '{"choices": []}'])
def test_garbage_is_a_bad_response(text: str) -> None:
    async def answer(http: web.Request) -> web.Response:
        return web.Response(text=text)

    fault = bounded(fault_of(answer))
    assert (fault.kind, fault.retryable, fault.usage) == ("bad_response", True, MISSING)


def test_a_redirect_is_not_followed() -> None:
    """The key would go wherever the server says."""

    async def answer(http: web.Request) -> web.Response:
        return web.Response(status=302, headers={"Location": f"http://127.0.0.1:9/{KEY}"})

    fault = bounded(fault_of(answer))
    assert (fault.kind, fault.retryable) == ("bad_response", False)
    assert "redirected to http://127.0.0.1:9/***" in str(fault)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
DROPS = {
    "before the answer": b"",
    "in the head": b"HTTP/1.1 200 O",
    "in the body": HEAD + b'Content-Length: 500\r\n\r\n{"choices"',
    "no HTTP": b"hello\r\n\r\n",
}


@pytest.mark.parametrize("sent", DROPS.values(), ids=DROPS.keys())
def test_a_connection_that_breaks(sent: bytes) -> None:
    async def main() -> TransportError:
        async with raw(sent) as url:
            return await fault_at(url)

    fault = bounded(main())
    assert (fault.kind, fault.retryable, fault.usage) == ("connection", True, MISSING)


@pytest.mark.parametrize("sent", [b"", HEAD + b"Content-Length: 500\r\n\r\n{"], ids=["silence", "half an answer"])
def test_a_server_that_does_not_answer(sent: bytes) -> None:
    async def main() -> TransportError:
        async with raw(sent, hold=True) as url:
            return await fault_at(url, timeout_s=0.3)

    fault = bounded(main())
    assert (fault.kind, fault.retryable, fault.usage) == ("timeout", True, MISSING)
    assert "0.3 s" in str(fault)


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_refused_connection_has_cost_nothing() -> None:
    fault = bounded(fault_at(f"http://127.0.0.1:{closed_port()}/v1"))
    assert (fault.kind, fault.retryable, fault.usage) == ("connection", True, NOT_BILLED)


def test_a_host_that_does_not_exist_has_cost_nothing() -> None:
    fault = bounded(fault_at("http://nowhere.invalid/v1"))
    assert (fault.kind, fault.usage) == ("connection", NOT_BILLED)


def test_https_where_plain_http_is_spoken() -> None:
    async def main() -> TransportError:
        async with raw(b"HTTP/1.1 400 Bad Request\r\n\r\n", read=False) as url:
            return await fault_at(url.replace("http://", "https://"))

    fault = bounded(main())
    assert (fault.kind, fault.retryable, fault.usage) == ("connection", False, NOT_BILLED)


def test_a_caller_that_gives_up_is_let_go() -> None:
    async def main() -> None:
        async with raw(b"", hold=True) as url, client_of(url) as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await client.complete(question())

    bounded(main())


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8080", "ftp://host/v1", "http://", "http://host:0", "http://host:99999/v1", "http://host/v1?a=b",
     "http://a b/v1", "http://[::1/v1"],
)  # fmt: skip
def test_a_url_that_is_none(url: str) -> None:
    with pytest.raises(ConfigError, match="is no URL of a server"):
        ChatClient(url, None, 1.0)


def test_a_url_with_a_password_is_refused_without_showing_it() -> None:
    with pytest.raises(ConfigError) as error:
        ChatClient("http://user:sesame@host/v1", None, 1.0)
    assert "sesame" not in str(error.value)


@pytest.mark.parametrize("key", ["sk-two words", "sk-line\nbreak", "sk-é"])
def test_a_key_that_no_header_can_carry(key: str) -> None:
    with pytest.raises(ConfigError) as error:
        ChatClient("http://host/v1", key, 1.0)
    assert key not in str(error.value)


class TokenServer:
    """llama.cpp's /tokenize: {"content"} in, {"tokens"} out; here a token a character."""

    def __init__(self, *statuses: int) -> None:
        self.asked: list[str] = []
        self._statuses = list(statuses)

    async def __call__(self, http: web.Request) -> web.Response:
        if http.path != "/tokenize":
            return web.json_response({"error": "no"}, status=404)
        self.asked.append((await http.json())["content"])
        status = self._statuses.pop(0) if self._statuses else 200
        return web.json_response({"tokens": list(range(len(self.asked[-1])))}, status=status)


def test_tokenize_at_the_root() -> None:
    async def main() -> tuple[Any, Any]:
        async with canned(TokenServer()) as url, client_of(url) as client:
            return await client.tokenize(["ab", "", "cde", "é"]), await client.tokenize([])

    assert bounded(main()) == ([2, 0, 3, 1], [])


@pytest.mark.parametrize("status", [404, 405, 400, 422])
def test_a_server_without_a_tokenizer_is_asked_once(status: int) -> None:
    server = TokenServer(status)

    async def main() -> list[int]:
        async with canned(server) as url, client_of(url) as client:
            assert await client.tokenize(["ab", "cde"]) is None
            server._statuses.append(status)
            weights = ServerWeights(client)
            await weights.weigh(["hello world"])
            return await weights.weigh(["hello world", ""])

    assert bounded(main()) == [count_tokens("hello world"), 0]
    assert server.asked == ["ab", "hello world"]


def test_weights_are_asked_for_once_and_remembered_within_bounds() -> None:
    server = TokenServer()

    async def main() -> None:
        async with canned(server) as url, client_of(url) as client:
            weights = ServerWeights(client, remembered=2)
            assert await weights.weigh(["a", "bb", "a", ""]) == [1, 2, 1, 0]
            assert await weights.weigh(["bb", "ccc"]) == [2, 3]
            assert await weights.weigh(["a"]) == [1]

    bounded(main())
    assert sorted(server.asked) == ["a", "a", "bb", "ccc"]


def test_a_fault_gives_the_whole_call_to_one_tokenizer() -> None:
    async def main() -> None:
        async with canned(TokenServer(200, 500)) as url, client_of(url) as client:
            weights = ServerWeights(client)
            assert await weights.weigh(["hello world", "hello there"]) == [2, 2]
            assert await weights.weigh(["hello world"]) == [11]

    bounded(main())


def test_an_estimate_counts_every_text() -> None:
    tool = {"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object"}}}
    request = question("Is it?", tools=(tool,), response_format={"type": "json_object"})
    call = {"id": "1", "function": {"name": "look", "arguments": "{}"}}
    history = ({"role": "assistant", "content": None, "tool_calls": [call]},)
    said = Response("Yes.", (ToolCall("2", "look", '{"a": 1}'),), MISSING)

    async def weigh(texts: Any) -> list[int]:
        return [len(t) for t in texts]

    async def main() -> Response:
        asked = type(request)(request.model, (*request.messages, *history), request.tools, request.response_format)
        return await estimated(asked, said, weigh)

    rendered = "// Looks.\ntype look = (_: {}) => any;"
    prompt = len("Is it?") + len("look") + len("{}") + len(rendered) + len('{"type": "json_object"}')
    assert bounded(main()).usage == Usage(prompt, len("Yes.") + len("look") + len('{"a": 1}'), status="estimated")


def test_the_protocol_itself_needs_no_http_library() -> None:
    script = (
        "import sys, harness.models.chat.wire, harness.models.chat.faults, harness.models.simulated\n"
        "sys.exit(any(n in sys.modules for n in ('aiohttp', 'litellm')))"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=60, check=False).returncode == 0
