"""The model behind litellm: what is sent and read, what is refused before anything is sent, and its roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import web

from harness.accounting.prices import PriceCard
from harness.accounting.usage import Usage
from harness.clock.real import RealClock
from harness.entry.schema import make
from harness.errors import ConfigError
from harness.models.litellm import LiteLLMModel
from harness.models.litellm.catalogue import left_out
from harness.models.protocol import Request, Response, ToolCall

from .chat_servers import KEY, bounded, canned, question, saying

pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier:UserWarning")
"""Pydantic remarks on litellm's own classes when these are first used; litellm's filter for that ends with a test."""

KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")
TOOL = {"type": "function", "function": {"name": "look", "description": "d", "parameters": {"type": "object"}}}
FORMAT = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    yield


def asked(
    request: Request, payload: dict[str, Any] | None = None, listed: tuple[Any, ...] = (), **settings: Any
) -> tuple[list[Any], Response, LiteLLMModel]:
    """What a server was sent, what the model made of its answer, and the model."""
    seen: list[Any] = []

    async def answer(http: web.Request) -> web.Response:
        if http.method == "GET":
            return web.json_response({"object": "list", "data": list(listed)})
        seen.append((http.path, http.headers.get("Authorization"), await http.json()))
        return web.json_response(payload or saying())

    async def main() -> tuple[Response, LiteLLMModel]:
        async with canned(answer) as url:
            model = LiteLLMModel("openai/m", api_base=url, window=1000, **settings)
            await model.open(RealClock())
            try:
                return await model.complete(request), model
            finally:
                await model.close()
                await model.close()

    response, model = bounded(main())
    return seen, response, model


def refusal(what: Callable[[], Any]) -> str:
    with pytest.raises(ConfigError) as error:
        what()
    assert KEY not in str(error.value)
    return str(error.value)


def opened(**settings: Any) -> Any:
    """A model from configuration values, opened."""
    model: LiteLLMModel = make({"_target_": "harness.models.litellm.LiteLLMModel", **settings}, "model")
    bounded(model.open(RealClock()))
    return model


def test_a_request_goes_out_whole() -> None:
    """Tools, schema and a 63-bit seed as they are; the model's name without its provider; the key as a bearer token."""
    request = question(tools=(TOOL,), response_format=FORMAT, seed=2**62 + 1)
    seen, response, _ = asked(request, temperature=0.5, max_tokens=77, service_tier="flex")
    ((path, authorization, body),) = seen
    assert (path, authorization) == ("/v1/chat/completions", f"Bearer {KEY}")
    expected = {
        "model": "m", "messages": [{"role": "user", "content": "Is it?"}], "tools": [TOOL], "response_format": FORMAT,
        "seed": 2**62 + 1, "temperature": 0.5, "max_tokens": 77, "service_tier": "flex",
    }  # fmt: skip
    assert {k: body.get(k) for k in expected} == expected
    assert set(body) <= {*expected, "stream"}
    assert (response.text, response.finish_reason, response.latency_s) == ("Yes.", "stop", None)


def test_a_requests_own_bound_on_tokens_wins() -> None:
    seen, _, _ = asked(question(max_tokens=5), max_tokens=77)
    assert seen[0][2]["max_tokens"] == 5


def test_calls_keep_their_arguments_to_the_letter() -> None:
    raw = '{"a": 1,  "b": broken'
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": raw}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    _, response, _ = asked(
        question(tools=(TOOL,)), saying(choices=[{"index": 0, "message": message, "finish_reason": "tool_calls"}])
    )
    assert response.tool_calls == (ToolCall("c1", "look", raw),)
    assert (response.text, response.finish_reason) == ("", "tool_calls")


def test_an_echoed_key_is_in_no_answer() -> None:
    _, response, _ = asked(question(), saying(f"Your key is {KEY}."))
    assert response.text == "Your key is ***."


def test_usage_as_it_is_reported() -> None:
    reported = {
        "prompt_tokens": 100, "completion_tokens": 30, "total_tokens": 130,
        "prompt_tokens_details": {"cached_tokens": 64}, "completion_tokens_details": {"reasoning_tokens": 20},
    }  # fmt: skip
    _, response, _ = asked(question(), saying(usage=reported))
    assert response.usage == Usage(100, 30, cached_tokens=64, reasoning_tokens=20)


def test_usage_that_nobody_reports_is_estimated() -> None:
    """By o200k_base: "Is it?" and "Yes." have three and two tokens."""
    payload = saying()
    del payload["usage"]
    _, response, _ = asked(question(), payload)
    assert response.usage == Usage(3, 2, status="estimated")


@pytest.mark.parametrize(
    ("requested", "served", "usd"),
    [  # gpt-4o-mini: 0.15 USD a million prompt tokens, 0.25 at priority; 0.60 and 1.00 of completion
        (None, None, (9 * 0.15 + 2 * 0.6) / 1e6),
        (None, "priority", (9 * 0.25 + 2 * 1.0) / 1e6),
        ("priority", "default", (9 * 0.15 + 2 * 0.6) / 1e6),
        ("priority", None, (9 * 0.25 + 2 * 1.0) / 1e6),
        ("auto", "auto", (9 * 0.15 + 2 * 0.6) / 1e6),
    ],
)
def test_the_tier_that_served_is_billed(requested: str | None, served: str | None, usd: float) -> None:
    payload = saying() if served is None else saying(service_tier=served)
    _, response, model = asked(question(), payload, service_tier=requested, prices_as="gpt-4o-mini")
    bill = model.pricing.bill(response.usage)
    assert bill is not None
    assert bill.total_pusd == round(usd * 1e12)


def test_a_card_wins_over_the_table() -> None:
    bill = LiteLLMModel("openai/gpt-4o-mini", price=PriceCard(1, 2)).pricing.bill(Usage(1, 1))
    assert bill is not None
    assert bill.total_pusd == 3_000_000
    assert "leave one out" in refusal(lambda: LiteLLMModel("a/b", price=PriceCard(1, 2), prices_as="gpt-4o"))


@pytest.mark.parametrize(
    ("listed", "simulated"),
    [((), False), (({"id": "m"},), False), (({"id": "m", "simulated": True},), True)],
)
def test_a_server_that_says_so_is_simulated(listed: tuple[Any, ...], simulated: bool) -> None:
    assert asked(question(), listed=listed)[2].simulated is simulated
    assert LiteLLMModel("openai/m").simulated is False


def test_a_stand_in_that_serves_another_model() -> None:
    said = refusal(lambda: asked(question(), listed=({"id": "other", "simulated": True},)))
    assert "unknown model.name 'openai/m'" in said and "openai/other" in said


def test_prices_of_a_model_nobody_knows() -> None:
    said = refusal(lambda: opened(name="openai/gpt-4o-mini", prices_as="gpt-4o-minni"))
    assert "model.prices_as=gpt-4o-minni: not in litellm's table. Did you mean gpt-4o-mini" in said


@pytest.mark.parametrize("key", ["sk-abc\n", "sk-ä", "sk a"])
def test_a_key_that_no_header_can_carry(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read from a file with its line break, say."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    said = refusal(lambda: opened(name="openai/gpt-4o-mini"))
    assert said.startswith("the environment variable OPENAI_API_KEY holds characters") and key.strip() not in said


def test_a_provider_nobody_knows() -> None:
    said = refusal(lambda: opened(name="opennai/gpt-4o"))
    assert "model.name=opennai/gpt-4o" in said and "openai/gpt-4o" in said
    assert "provider/model" in refusal(lambda: opened(name="nothing-like-it"))


def test_a_model_nobody_knows() -> None:
    said = refusal(lambda: opened(name="openai/gpt-4oo-mini"))
    assert "Did you mean openai/gpt-4o-mini" in said and "model.window_tokens=N" in said
    assert opened(name="openai/gpt-4oo-mini", window_tokens=5).window_tokens == 5


def test_a_size_from_the_table() -> None:
    """OpenAI's model page: 128,000 tokens of context."""
    assert opened(name="openai/gpt-4o-mini").window_tokens == 128_000


@pytest.mark.parametrize(
    ("name", "variable"),
    [("openai/gpt-4o", "OPENAI_API_KEY"), ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
     ("gemini/gemini-2.5-flash", "GEMINI_API_KEY")],
)  # fmt: skip
def test_a_missing_key(name: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    said = refusal(lambda: opened(name=name))
    assert f"'{name}'" in said and variable in said
    monkeypatch.setenv(variable, " ")
    assert refusal(lambda: opened(name=name)) == said, "set to nothing is not set"
    monkeypatch.setenv(variable, KEY)
    assert opened(name=name).window_tokens > 0


def test_ways_to_sign_in_that_are_no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
    assert opened(name="bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0").window_tokens == 200_000


def test_what_a_provider_does_not_take() -> None:
    assert left_out("gpt-4o", "openai") == frozenset()
    assert "seed" in left_out("claude-sonnet-4-5", "anthropic")


def test_roles_have_models_of_their_own() -> None:
    """A server of one's own is the same provider's only; sizes and prices are each model's own."""
    roles = {
        "lead": "openai/m",
        "worker": "openai/gpt-4o",
        "judge": {"name": "anthropic/claude-sonnet-4-5", "prices_as": "gpt-4o-mini"},
    }
    model = make(
        {"_target_": "harness.models.litellm.LiteLLMModel", "name": "openai/m", "api_base": "http://127.0.0.1:9/v1",
         "window_tokens": 1000, "temperature": 0.5, "price": {"input": 1, "output": 1}, "roles": roles},
        "model",
    )  # fmt: skip
    lead, worker, judge = (model.roles[r] for r in roles)
    assert [m.name for m in (lead, worker, judge)] == ["openai/m", "openai/gpt-4o", "anthropic/claude-sonnet-4-5"]
    assert [m.api_base for m in (lead, worker, judge)] == ["http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1", None]
    assert [m.temperature for m in (lead, worker, judge)] == [0.5] * 3
    million = Usage(10**6, 0)  # in USD: the card's 1, gpt-4o's 2.50, gpt-4o-mini's 0.15
    assert [m.pricing.bill(million).total_pusd / 1e12 for m in (lead, worker, judge)] == [1, 2.5, 0.15]


def test_a_role_is_opened_with_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    said = refusal(lambda: opened(name="openai/gpt-4o", roles={"worker": "anthropic/claude-sonet-4"}))
    assert "model.roles.worker.name=anthropic/claude-sonet-4" in said and "model.roles.worker.window_tokens" in said


@pytest.mark.parametrize("wrong", [{"window_tokens": 0}, {"max_tokens": 0}, {"temperature": -1}])
def test_impossible_values(wrong: dict[str, Any]) -> None:
    assert f"model.{next(iter(wrong))}=" in refusal(lambda: opened(name="openai/m", **wrong))
