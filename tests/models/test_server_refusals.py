"""What the stand-in refuses, and how: as OpenAI does, so that clients understand it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from harness.errors import ConfigError
from harness.models.protocol import Request, TransportError
from harness.models.server.clock import ServerClock
from harness.models.server.log import ServedLog
from harness.models.simulated.provider.provider import Faults

from .chat_servers import bounded
from .stands import INSTANT, Stand, asking, over_http, simulated, standing


async def posted(
    stand: Stand, sent: Any, path: str = "/chat/completions", method: str = "POST"
) -> tuple[int, Any, Any]:
    data = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    async with aiohttp.ClientSession() as http, http.request(method, stand.url + path, data=data) as answer:
        return answer.status, (await answer.json())["error"], answer.headers


PLAIN = {"model": "simulated", "messages": [{"role": "user", "content": "hi"}]}
MALFORMED = {
    "no JSON": (b"{", None),
    "nested without end": (b"[" * 100_000, None),
    "no object": ([], None),
    "no model": ({"messages": PLAIN["messages"]}, "model"),
    "no messages": ({"model": "simulated"}, "messages"),
    "empty messages": (PLAIN | {"messages": []}, "messages"),
    "a message that is a text": (PLAIN | {"messages": ["hi"]}, "messages[0]"),
    "a role that is none": (PLAIN | {"messages": [{"role": "boss", "content": "x"}]}, "messages[0]"),
    "content that is a number": (PLAIN | {"messages": [{"role": "user", "content": 5}]}, "messages[0].content"),
    "no content": (PLAIN | {"messages": [{"role": "assistant", "content": None}]}, "messages[0].content"),
    "calls that are a text": (
        PLAIN | {"messages": [{"role": "assistant", "tool_calls": "x"}]}, "messages[0].tool_calls"
    ),
    "a result of no call": (PLAIN | {"messages": [{"role": "tool", "content": "x"}]}, "messages[0].tool_call_id"),
    "tools that are an object": (PLAIN | {"tools": {}}, "tools"),
    "a tool without a name": (PLAIN | {"tools": [{"type": "function"}]}, "tools[0]"),
    "a forced tool": (PLAIN | {"tool_choice": "required"}, "tool_choice"),
    "two answers": (PLAIN | {"n": 2}, "n"),
    "a seed that is a text": (PLAIN | {"seed": "1"}, "seed"),
    "a seed of 64 bits": (PLAIN | {"seed": 2**63}, "seed"),
    "no tokens": (PLAIN | {"max_tokens": 0}, "max_tokens"),
    "a stream that is a text": (PLAIN | {"stream": "yes"}, "stream"),
    "options without a stream": (PLAIN | {"stream_options": {"include_usage": True}}, "stream_options"),
    "a format that is a text": (PLAIN | {"response_format": "json"}, "response_format"),
}  # fmt: skip


def test_malformed_requests_are_refused_and_logged(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(), tmp_path) as stand:
            for name, (sent, param) in MALFORMED.items():
                status, error, _ = await posted(stand, sent)
                assert (status, error["type"], error["param"]) == (400, "invalid_request_error", param), name
            assert [line["status"] for line in stand.lines()] == [400] * len(MALFORMED)

    bounded(main())


def test_unknown_models_and_paths(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(), tmp_path) as stand:
            status, error, _ = await posted(stand, PLAIN | {"model": "gpt-4o"})
            assert (status, error["code"], error["param"]) == (404, "model_not_found", "model")
            status, error, _ = await posted(stand, PLAIN, "/completions")
            assert status == 404 and "/v1/completions" in error["message"]
            assert (await posted(stand, b"", method="GET"))[0] == 405
            assert await stand.client.tokenize(["a"]) is None

    bounded(main())


def test_a_rate_limit_says_when_to_come_back(tmp_path: Path) -> None:
    async def main() -> None:
        model = simulated(faults=Faults(rate_limited=1, retry_after_s=1.2))
        async with standing(model, tmp_path) as stand:
            status, error, headers = await posted(stand, PLAIN)
            assert (status, error["type"], error["code"]) == (429, "rate_limit_error", "rate_limit_exceeded")
            assert (headers["Retry-After"], headers["retry-after-ms"]) == ("2", "1200")
            assert await over_http(stand, asking()) == ("rate_limited", 1.2)

    bounded(main())


def test_a_server_error(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(faults=Faults(server_error=1)), tmp_path) as stand:
            status, error, headers = await posted(stand, PLAIN)
            assert (status, error["type"]) == (500, "server_error") and "Retry-After" not in headers
            assert [line["prompt_tokens"] for line in stand.lines()] == [None]

    bounded(main())


@pytest.mark.parametrize("speed", [INSTANT, 100.0])
def test_a_stall_stalls_until_the_client_leaves(tmp_path: Path, speed: float) -> None:
    async def main() -> None:
        async with standing(simulated(faults=Faults(stall=1)), tmp_path, speed=speed, held_s=3600) as stand:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await stand.client.complete(asking())
            while not stand.lines():
                await asyncio.sleep(0.01)
            (line,) = stand.lines()
            assert (line["status"], line["prompt_tokens"], line["latency_s"]) == (499, None, 3600)

    bounded(main())


def test_a_server_ends_although_a_request_is_stalled(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(faults=Faults(stall=1)), tmp_path, held_s=3600) as stand:
            asked = asyncio.create_task(over_http(stand, asking()))
            await asyncio.sleep(0.2)
        assert (await asked)[0] == "connection"  # type: ignore[index]

    bounded(main())


def test_a_transcript_that_does_not_fit_is_not_worth_a_retry(tmp_path: Path) -> None:
    from harness.models.scripted import ScriptedModel

    script = tmp_path / "script.yaml"
    script.write_text("conversations:\n  - steps: [{text: Hello.}]\n")

    async def main() -> None:
        async with standing(ScriptedModel(script), tmp_path) as stand:
            request = Request("scripted", ({"role": "user", "content": "hi"},))
            assert (await stand.client.complete(request)).text == "Hello."
            with pytest.raises(TransportError) as fault:
                await stand.client.complete(request)
            assert fault.value.kind == "bad_request" and "a further request came" in str(fault.value)

    bounded(main())


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_speed_that_is_none(speed: float) -> None:
    with pytest.raises(ConfigError, match="--speed"):
        ServerClock(speed)


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--log .*nowhere"):
        ServedLog(tmp_path / "nowhere" / "served.jsonl")
