"""The stand-in answers as the model in this process would, and refuses as OpenAI does."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from harness.entry.command import run
from harness.entry.serve import served_model
from harness.errors import ConfigError
from harness.models.chat.wire import body, response
from harness.models.protocol import Model, Request, Response, TransportError
from harness.models.server.clock import ServerClock
from harness.models.server.served import served
from harness.models.simulated import SimulatedModel
from harness.models.simulated.provider.provider import Cache, Faults, Latency, RateLimit
from harness.models.simulated.variant import Variant

from .chat import CORPUS, Chat, lead_prompt, statement, system, user
from .chat_servers import KEY, assembled, bounded, chunks
from .stands import INSTANT, Outcome, Stand, asking, over_http, simulated, standing


async def outcome_of(model: Model, clock: ServerClock, request: Request) -> Outcome:
    """What the model in this process does, in time that passes as the stand-in's does."""
    began = clock.ticks()
    try:
        said = await model.complete(request)
    except TransportError as fault:
        await clock.spend(began, fault.latency_s or 0)
        clock.skip(fault.retry_after_s or 0)
        return fault.kind, fault.retry_after_s
    await clock.spend(began, said.latency_s or 0)
    return replace(said, latency_s=None)


async def streamed(stand: Stand, request: Request) -> Outcome:
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{stand.url}/chat/completions", json=body(request, stream=True)) as answer,
    ):
        if answer.status != 200:
            kind = {429: "rate_limited", 500: "server_error"}[answer.status]
            exact = answer.headers.get("retry-after-ms")
            return kind, None if exact is None else float(exact) / 1000
        assert answer.content_type == "text/event-stream"
        return response(assembled(chunks(await answer.read())))


LIVELY = (
    *("task=qa_corpus", "task.corpus=generated", "task.docs=4", "task.samples=2"),
    *("model.behaviour.clarify.rate=0.5", "model.behaviour.malformed.rate=0.2", "model.behaviour.relay.drift=0.3"),
    *("model.reasoning_share=0.4", "model.cache.report_writes=true", "model.faults.rate_limited=0.1"),
    *("model.faults.server_error=0.05", "model.max_output_tokens=1200"),
)


@pytest.mark.parametrize("topology", ["single", "sync", "bus"])
def test_the_same_answers_as_in_this_process(topology: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[Request] = []
    complete = SimulatedModel.complete

    async def recording(model: SimulatedModel, request: Request) -> Response:
        requests.append(request)
        return await complete(model, request)

    words = (f"topology={topology}", *LIVELY)
    with monkeypatch.context() as patched:
        patched.setattr(SimulatedModel, "complete", recording)
        quiet = ("bus=memory", f"store.dir={tmp_path}/runs", "progress=none", "summary=false")
        assert run(["harness/__main__.py", *words, *quiet]) == 0
    assert len(requests) >= 4

    async def main() -> None:
        models = [served_model(words) for _ in range(3)]
        here, there, in_chunks = (m for m in models if m is not None)
        clock = ServerClock(INSTANT)
        await here.open(clock)
        expected = [await outcome_of(here, clock, r) for r in requests]
        (tmp_path / "a").mkdir()
        (tmp_path / "b").mkdir()
        async with standing(there, tmp_path / "a") as one, standing(in_chunks, tmp_path / "b") as other:
            assert [await over_http(one, r) for r in requests] == expected
            assert [await streamed(other, r) for r in requests] == expected
            served = [
                (line["prompt_tokens"], line["completion_tokens"]) for line in one.lines() if line["status"] == 200
            ]
            assert [{**line, "time": 0, "stream": 0} for line in one.lines()] == [
                {**line, "time": 0, "stream": 0} for line in other.lines()
            ]
        answers = [o for o in expected if isinstance(o, Response)]
        assert served == [(a.usage.prompt_tokens, a.usage.completion_tokens) for a in answers]
        assert any(a.usage.reasoning_tokens for a in answers) and any(a.tool_calls for a in answers)

    bounded(main())


def test_the_prompt_cache_and_the_limit_see_time_pass_at_any_speed(tmp_path: Path) -> None:
    """A prompt is cached once its answer is there; two requests a minute, and the third has to wait for the rest."""

    async def main(speed: float) -> tuple[list[int], Outcome, Outcome]:
        model = simulated(rate_limit=RateLimit(2), cache=Cache(min_tokens=64, step=1))
        async with standing(model, tmp_path, speed=speed) as stand:
            cached = [(await stand.client.complete(asking(ordinal=i))).usage.cached_tokens for i in (1, 2)]
            early = await over_http(stand, asking(ordinal=3))
            await asyncio.sleep(60 / speed)
            return cached, early, await over_http(stand, asking(ordinal=4))

    for speed in (INSTANT, 200.0):
        cached, early, late = bounded(main(speed))
        assert cached[0] == 0 and cached[1] > 100
        assert isinstance(early, tuple) and early[0] == "rate_limited" and early[1] and 50 < early[1] <= 60
        assert isinstance(late, Response)


def test_latency_is_divided_by_speed(tmp_path: Path) -> None:
    async def main(speed: float) -> float:
        model = simulated(latency=Latency(ttft_s=40, per_prompt_token_s=0, tokens_per_s=1e9, jitter=0))
        async with standing(model, tmp_path, speed=speed) as stand:
            began = asyncio.get_running_loop().time()
            await stand.client.complete(asking())
            assert stand.lines()[-1]["latency_s"] == 40
            return asyncio.get_running_loop().time() - began

    assert 0.4 <= bounded(main(100)) < 5
    assert bounded(main(INSTANT)) < 0.4


def test_the_log_has_no_text_and_no_header(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(cache=Cache(min_tokens=64, step=1, report_writes=True)), tmp_path) as stand:
            usages = [(await stand.client.complete(asking(ordinal=i))).usage for i in (1, 2)]
            await stand.client.models()
            lines = stand.lines()
        assert [line["number"] for line in lines] == [1, 2]
        for line, usage in zip(lines, usages, strict=True):
            assert line["time"].startswith("20") and (line["status"], line["stream"]) == (200, False)
            for name in (
                "prompt_tokens",
                "completion_tokens",
                "cached_tokens",
                "cache_write_tokens",
                "reasoning_tokens",
            ):
                assert line[name] == getattr(usage, name)
        assert lines[0]["seed"] == asking(ordinal=1).seed and lines[0]["cache_write_tokens"] > 0
        text = (tmp_path / "served.jsonl").read_text()
        assert KEY not in text and "March" not in text and "Bearer" not in text

    bounded(main())


def test_health_and_models(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(window_tokens=9000), tmp_path) as stand, aiohttp.ClientSession() as http:
            async with http.get(stand.url.removesuffix("/v1") + "/health") as answer:
                assert answer.status == 200
            entry, beside = await stand.client.models()
            assert (entry["id"], entry["simulated"], entry["max_model_len"]) == ("simulated", True, 9000)
            assert (beside["id"], beside["simulated"], beside["max_model_len"]) == ("simulated-strong", True, 9000)
            assert (entry["parent"], beside["parent"]) == (None, "simulated")

    bounded(main())


def test_the_models_beside_the_main_one_answer_to_their_names(tmp_path: Path) -> None:
    """As in this process, each by itself; a name that nobody has is refused, and the log says who answered."""
    roles: dict[str, str | Variant] = {"worker": "cousin", "judge": "cousin", "lead": Variant("dear", window_tokens=50)}

    async def main() -> None:
        here = simulated(by_role=roles)
        await here.open(ServerClock(INSTANT))
        async with standing(simulated(by_role=roles), tmp_path) as stand:
            listed = [(m["id"], m["max_model_len"]) for m in await stand.client.models()]
            window = here.window_tokens
            assert listed == [("simulated", window), ("cousin", window), ("dear", 50), ("simulated-strong", window)]
            for name, model in (
                ("simulated", here),
                ("cousin", here.roles["judge"]),
                ("simulated-strong", here.roles["strong"]),
            ):
                expected = await model.complete(replace(asking(), model=name))
                assert await over_http(stand, replace(asking(), model=name)) == replace(expected, latency_s=None)
            async with (
                aiohttp.ClientSession() as http,
                http.post(f"{stand.url}/chat/completions", json=body(replace(asking(), model="gpt-4o"))) as answer,
            ):
                assert answer.status == 404
                said = (await answer.json())["error"]["message"]
            assert "this server has 'simulated', 'cousin', 'dear', 'simulated-strong'" in said
            assert [line["model"] for line in stand.lines()] == ["simulated", "cousin", "simulated-strong", None]

    bounded(main())


@pytest.mark.parametrize(
    "roles", [{"judge": Variant("simulated", accuracy=0.5)}, {"a": "x", "b": Variant("x", tokens_per_s=1)}]
)
def test_one_name_for_two_models_is_refused(roles: dict[str, str | Variant], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="differs from another of the same name in its "):
        served(simulated(by_role=roles))


def test_no_tools_when_none_may_be_chosen(tmp_path: Path) -> None:
    async def main() -> None:
        async with standing(simulated(), tmp_path) as stand:
            sent = body(asking())
            async with aiohttp.ClientSession() as http:
                for choice, called in (("auto", True), ("none", False)):
                    async with http.post(
                        f"{stand.url}/chat/completions", json=sent | {"tool_choice": choice}
                    ) as answer:
                        said = response(await answer.json())
                    assert bool(said.tool_calls) == called

    bounded(main())


def test_a_whole_conversation_by_openais_own_client(tmp_path: Path) -> None:
    """The library that most programs use reads the answers, the streams and the errors as they are meant."""
    openai = pytest.importorskip("openai")

    async def main() -> None:
        model = simulated()
        async with standing(model, tmp_path) as stand:
            client = openai.AsyncOpenAI(base_url=stand.url, api_key=KEY, max_retries=0)
            chat = Chat(model, [system(lead_prompt()), user(statement())])
            sent: dict[str, Any] = {
                "model": "simulated",
                "messages": chat.messages,
                "tools": list(CORPUS),
                "seed": chat.seed,
            }
            whole = await client.chat.completions.create(**sent)
            parts = await client.chat.completions.create(**sent, stream=True, stream_options={"include_usage": True})
            pieces = [part async for part in parts]
            assert whole.system_fingerprint == pieces[0].system_fingerprint == "simulated"
            (call, *_) = whole.choices[0].message.tool_calls
            arguments = "".join(
                c.function.arguments or ""
                for p in pieces
                for choice in p.choices
                for c in choice.delta.tool_calls or ()
                if c.index == 0
            )
            assert arguments == call.function.arguments and json.loads(arguments)
            assert pieces[-1].usage.prompt_tokens == whole.usage.prompt_tokens > 0
            assert whole.usage.completion_tokens_details.reasoning_tokens == 0
            assert pieces[-2].choices[0].finish_reason == whole.choices[0].finish_reason == "tool_calls"
            with pytest.raises(openai.NotFoundError):
                await client.chat.completions.create(**sent | {"model": "gpt-4o"})
            with pytest.raises(openai.BadRequestError):
                await client.chat.completions.create(**sent | {"n": 3})
            await client.close()
        async with standing(simulated(faults=Faults(rate_limited=1)), tmp_path) as stand:
            client = openai.AsyncOpenAI(base_url=stand.url, api_key=KEY, max_retries=0)
            with pytest.raises(openai.RateLimitError) as limited:
                await client.chat.completions.create(**sent)
            assert limited.value.response.headers["retry-after"] == "2"
            await client.close()

    bounded(main())
