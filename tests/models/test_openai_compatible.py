"""The model behind HTTP: what it finds out when it is opened, and what it sends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from harness.accounting.tokens import count_tokens
from harness.accounting.usage import Usage
from harness.clock.real import RealClock
from harness.config import ClockConf
from harness.entry.wiring import decided
from harness.errors import ConfigError, HarnessError
from harness.models.openai_compatible import OpenAICompatibleModel
from harness.models.protocol import TransportError

from .chat_servers import KEY, bounded, canned, question, raw, saying
from .test_chat_client import closed_port

VARIABLE = "TEST_SERVER_KEY"


class Listing:
    """A server with a list of models, that echoes what it is sent; ``key``: the only one it takes."""

    def __init__(self, *entries: dict[str, Any], key: str | None = None, usage: Any = None) -> None:
        self.entries = entries
        self.key = key
        self.usage = usage
        self.sent: list[Any] = []

    async def __call__(self, http: web.Request) -> web.Response:
        if self.key is not None and http.headers.get("Authorization") != f"Bearer {self.key}":
            said = {"error": {"message": f"Incorrect API key: {http.headers.get('Authorization')}"}}
            return web.json_response(said, status=401)
        if http.path == "/v1/models":
            if not self.entries:
                return web.json_response({"error": "no"}, status=404)
            return web.json_response({"object": "list", "data": list(self.entries)})
        if http.path == "/v1/chat/completions":
            self.sent.append(await http.json())
            return web.json_response(saying(usage=self.usage))
        return web.json_response({"error": "no"}, status=404)


@asynccontextmanager
async def opened(server: Listing, **settings: Any) -> AsyncIterator[OpenAICompatibleModel]:
    async with canned(server) as url:
        model = OpenAICompatibleModel(base_url=url, api_key_env=VARIABLE, **settings)
        try:
            await model.open(RealClock())
            yield model
        finally:
            await model.close()
            await model.close()


async def refused(server: Listing, **settings: Any) -> str:
    with pytest.raises(ConfigError) as error:
        async with opened(server, **settings):
            pass
    return str(error.value)


def test_the_only_model_is_taken() -> None:
    async def main() -> None:
        async with opened(Listing({"id": "small"})) as model:
            assert (model.name, model.simulated, model.roles) == ("small", False, {})

    bounded(main())


def test_several_models_must_be_chosen_from() -> None:
    said = bounded(refused(Listing({"id": "b"}, {"id": "a"})))
    assert "model.name is empty" in said and "(a, b)" in said


def test_a_server_without_a_list_needs_a_name() -> None:
    assert "model.name is empty" in bounded(refused(Listing()))

    async def main() -> None:
        async with opened(Listing(), name="any") as model:
            assert (await model.complete(question())).text == "Yes."

    bounded(main())


def test_a_model_that_is_not_served() -> None:
    said = bounded(refused(Listing({"id": "llama3.2:latest"}, {"id": "qwen3:8b"}), name="qwen3:7b"))
    assert said.startswith("unknown model 'qwen3:7b'. Did you mean 'qwen3:8b'? Valid choices: llama3.2:latest, qwen3")


def test_a_name_without_a_tag_is_the_latest() -> None:
    async def main() -> None:
        async with opened(Listing({"id": "llama3.2:latest"}, {"id": "qwen3:8b"}), name="llama3.2") as model:
            assert model.name == "llama3.2"

    bounded(main())


def test_a_window_that_the_server_does_not_have() -> None:
    server = Listing({"id": "small", "max_model_len": 4096})
    said = bounded(refused(server, window_tokens=8192))
    assert "model.window_tokens=8192" in said and "set model.window_tokens=4096 or less" in said

    async def main() -> None:
        async with opened(server, window_tokens=4096):
            pass

    bounded(main())


def test_what_says_that_it_is_simulated_is_simulated_from_then_on_in_real_time() -> None:
    async def main() -> None:
        async with opened(Listing({"id": "simulated", "simulated": True})) as model:
            assert model.simulated

    bounded(main())
    assert decided(ClockConf(), OpenAICompatibleModel()).kind == "real"
    with pytest.raises(ConfigError, match="answers in real time"):
        decided(ClockConf(kind="virtual"), OpenAICompatibleModel())


def test_a_key_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)
    said = bounded(refused(Listing({"id": "small"}, key="another")))
    assert f"refuses the key in the environment variable {VARIABLE}" in said and KEY not in said


def test_a_key_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert f"environment variable {VARIABLE} is not set" in bounded(refused(Listing({"id": "small"}, key=KEY)))


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, KEY)

    async def main() -> None:
        async with opened(Listing({"id": "small"}, key=KEY)) as model:
            assert (await model.complete(question())).text == "Yes."
            assert KEY not in repr(model) and KEY not in repr(vars(model))

    bounded(main())


def test_a_server_that_is_not_there() -> None:
    url = f"http://127.0.0.1:{closed_port()}/v1"
    with pytest.raises(ConfigError) as error:
        asyncio.run(OpenAICompatibleModel(base_url=url).open(RealClock()))
    assert f"model.base_url={url}: cannot be used: no connection" in str(error.value)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"])
def test_a_server_of_another_kind(answer: bytes) -> None:
    async def main() -> None:
        async with raw(answer) as url:
            with pytest.raises(ConfigError, match="cannot be used"):
                await OpenAICompatibleModel(base_url=url).open(RealClock())

    bounded(main())


def test_a_url_that_is_none() -> None:
    with pytest.raises(ConfigError, match="base_url=localhost:8089: is no URL"):
        asyncio.run(OpenAICompatibleModel(base_url="localhost:8089").open(RealClock()))


@pytest.mark.parametrize(
    "settings",
    [{"window_tokens": 0}, {"max_tokens": 0}, {"temperature": -0.1}, {"top_p": float("nan")}, {"timeout_s": 0.0}],
)
def test_bad_settings(settings: dict[str, Any]) -> None:
    (key,) = settings
    with pytest.raises(ConfigError, match=rf"model\.{key}="):
        OpenAICompatibleModel(**settings)


def test_sampling_settings_are_sent_if_they_are_set() -> None:
    server = Listing({"id": "small"})

    async def main() -> None:
        async with opened(server, max_tokens=99, temperature=0.0) as model:
            await model.complete(question())
            await model.complete(question(max_tokens=7))
        async with opened(server, top_p=0.9) as model:
            await model.complete(question())

    bounded(main())
    plain = {"model": "small", "messages": [{"role": "user", "content": "Is it?"}], "seed": 0}
    assert server.sent == [
        plain | {"max_tokens": 99, "temperature": 0.0},
        plain | {"max_tokens": 7, "temperature": 0.0},
        plain | {"top_p": 0.9},
    ]


def test_usage_is_estimated_where_the_server_reports_none() -> None:
    async def main() -> Usage:
        async with opened(Listing({"id": "small"})) as model:
            assert await model.weigh(["hello world"]) == [count_tokens("hello world")]
            return (await model.complete(question("Is it so?"))).usage

    assert bounded(main()) == Usage(count_tokens("Is it so?"), count_tokens("Yes."), status="estimated")


def test_a_model_that_is_not_open() -> None:
    with pytest.raises(HarnessError, match="is not open"):
        asyncio.run(OpenAICompatibleModel(name="m").complete(question()))
    assert asyncio.run(OpenAICompatibleModel().weigh(["hello world"])) == [2]


def test_faults_are_passed_on_and_not_retried() -> None:
    server = Listing({"id": "small"})

    async def main() -> str:
        async with opened(server) as model:
            server.key = "changed"
            with pytest.raises(TransportError) as fault:
                await model.complete(question())
        return fault.value.kind

    assert bounded(main()) == "unauthorized"
