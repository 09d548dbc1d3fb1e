"""The packaged model in its real server: what it serves, and how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from harness.clock.real import RealClock
from harness.errors import ConfigError, HarnessError
from harness.models.local.model import LocalModel
from harness.models.local.server import ModelServerError
from harness.models.protocol import Request, TransportError

from .local_model import GONE_S, asking, needs_extra, processes, truncated

pytestmark = [needs_extra, pytest.mark.timeout(300)]
SMALL: dict[str, Any] = {"window_tokens": 1024, "threads": 1, "parallel": 2, "max_tokens": 24}


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the servers of this test keep their files."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@asynccontextmanager
async def opened(**settings: Any) -> AsyncIterator[LocalModel]:
    model = LocalModel(**{**SMALL, **settings})
    await model.open(RealClock())
    try:
        yield model
    finally:
        await model.close()


def run(body: Callable[[LocalModel], Awaitable[None]], **settings: Any) -> None:
    async def main() -> None:
        async with opened(**settings) as model:
            await body(model)

    asyncio.run(main())


def until_gone(folder: Path) -> None:
    deadline = time.monotonic() + GONE_S
    while processes(folder):
        assert time.monotonic() < deadline, "a process of the server lives on"
        time.sleep(0.02)


def folders(scratch: Path) -> list[Path]:
    return list(scratch.glob("harness-model-*"))


def told(scratch: Path) -> Any:
    (folder,) = folders(scratch)
    return json.loads((folder / "address").read_text())


def test_it_answers_and_leaves_nothing(scratch: Path) -> None:
    async def body(model: LocalModel) -> None:
        answer = await model.complete(asking("Say hello.", seed=2**62 + 1))
        assert answer.text and answer.tool_calls == () and answer.latency_s is None
        assert answer.usage.status == "reported"
        assert 0 < answer.usage.completion_tokens <= 24 and answer.usage.prompt_tokens > 3
        short = await model.complete(asking("Count to a hundred.", max_tokens=3))
        assert (short.finish_reason, short.usage.completion_tokens) == ("length", 3)
        again = await model.complete(asking("Say hello.", seed=5))
        assert again.text == answer.text, "greedy"
        assert not model.simulated and model.pricing.bill(answer.usage) is None
        assert len(processes(scratch)) == 2 and folders(scratch)[0].stat().st_mode & 0o777 == 0o700

    run(body)
    assert not processes(scratch) and not folders(scratch)


def test_weights_are_the_model_s_own_tokens(scratch: Path) -> None:
    """Of SmolLM2's vocabulary: "hello world" is two entries, and a chat marker that stands in a text is one."""

    async def body(model: LocalModel) -> None:
        texts = ["hello world", "", "hello", "hello world", "中文 é \ud800", "a" * 5000]
        counts = list(await model.weigh(texts))
        assert counts[:4] == [2, 0, 1, 2] and counts[4] > 0 and counts[5] > 100
        assert list(await model.weigh(texts)) == counts
        asked = await model.complete(asking("hello world"))
        longer = await model.complete(asking("hello world hello world"))
        (more,) = await model.weigh([" hello world"])
        assert longer.usage.prompt_tokens - asked.usage.prompt_tokens == more

    run(body)


def test_a_schema_is_kept_to(scratch: Path) -> None:
    schema = {
        "type": "object", "required": ["colour", "count"], "additionalProperties": False,
        "properties": {"colour": {"enum": ["red", "blue"]}, "count": {"type": "integer", "minimum": 0, "maximum": 9}},
    }  # fmt: skip

    async def body(model: LocalModel) -> None:
        wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
        answer = await model.complete(asking("Describe the car.", response_format=wanted))
        found = json.loads(answer.text)
        assert set(found) == {"colour", "count"} and found["colour"] in ("red", "blue") and 0 <= found["count"] <= 9
        with pytest.raises(TransportError) as refused:
            await model.complete(
                asking("x", response_format={"type": "json_schema", "json_schema": {"schema": {"type": "no"}}})
            )
        assert refused.value.kind == "bad_request" and not refused.value.retryable

    run(body, max_tokens=60)


def test_a_tool_call_keeps_to_the_tool_s_schema(scratch: Path) -> None:
    """With one tool and an answer that may only be a very long one, the model's calls are those of the tool."""
    parameters = {
        "type": "object", "properties": {"name": {"enum": ["a.txt", "b.txt"]}}, "required": ["name"],
        "additionalProperties": False,
    }  # fmt: skip
    tool = {
        "type": "function",
        "function": {"name": "read_document", "description": "Reads.", "parameters": parameters},
    }
    history = (
        {"role": "user", "content": "Read a.txt, then b.txt."},
        {
            "role": "assistant", "content": None,
            "tool_calls": [{"id": "c", "type": "function",
                            "function": {"name": "read_document", "arguments": '{"name": "a.txt"}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": "First half. Now read b.txt."},
    )  # fmt: skip

    async def body(model: LocalModel) -> None:
        answer = await model.complete(Request("local", history, (tool,)))
        assert answer.tool_calls or answer.text
        for call in answer.tool_calls:
            assert call.name == "read_document" and json.loads(call.arguments)["name"] in ("a.txt", "b.txt")

    run(body, max_tokens=200)


def test_a_prompt_beyond_the_context_is_a_fault_of_its_own_kind(scratch: Path) -> None:
    async def body(model: LocalModel) -> None:
        with pytest.raises(TransportError) as refused:
            await model.complete(asking("word " * 1500))
        assert (refused.value.kind, refused.value.retryable) == ("context_window", False)
        assert (await model.complete(asking("Hi."))).text

    run(body)


def test_only_who_has_the_key_is_served(scratch: Path) -> None:
    async def body(model: LocalModel) -> None:
        url = told(scratch)["url"]
        assert url.startswith("http://127.0.0.1:")
        asked = urllib.request.Request(f"{url}/v1/chat/completions", b'{"messages": []}')
        with pytest.raises(urllib.error.HTTPError) as refused:
            await asyncio.to_thread(urllib.request.urlopen, asked, timeout=10)
        with refused.value as answer:
            assert answer.code == 401
        for pid in processes(scratch):
            for name in ("cmdline", "environ"):
                assert model._server is not None
                assert model._server.api_key.encode() not in Path(f"/proc/{pid}/{name}").read_bytes()

    run(body)


def test_two_at_once_do_not_get_in_each_other_s_way(scratch: Path) -> None:
    async def main() -> None:
        async with opened() as first, opened() as second:
            answers = await asyncio.gather(*(m.complete(asking("Say hello.")) for m in (first, second)))
            assert answers[0].text == answers[1].text
            assert len({f.name for f in folders(scratch)}) == 2

    asyncio.run(main())
    assert not processes(scratch)


def test_a_server_that_dies_ends_the_calls_under_way_and_all_later_ones(scratch: Path) -> None:
    async def body(model: LocalModel) -> None:
        under_way = asyncio.create_task(model.complete(asking("Tell a long story.", max_tokens=900)))
        await asyncio.sleep(0.5)
        os.kill(told(scratch)["pid"], signal.SIGKILL)
        with pytest.raises(TransportError) as broken:
            await asyncio.wait_for(under_way, 20)
        assert broken.value.kind in ("connection", "server_gone")
        deadline = time.monotonic() + GONE_S
        while True:
            with pytest.raises(TransportError) as gone:
                await asyncio.wait_for(model.complete(asking("Hi.")), 20)
            if gone.value.kind == "server_gone":
                break
            assert time.monotonic() < deadline
        assert not gone.value.retryable and "SIGKILL" in str(gone.value)
        assert list(await model.weigh(["hello never weighed before"])) == [4], "o200k_base"

    run(body, max_tokens=900)
    assert not processes(scratch) and not folders(scratch)


def test_death_by_sigkill_leaves_no_server(scratch: Path) -> None:
    """While it serves, and while it loads."""
    program = (
        "import asyncio, sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from harness.clock.real import RealClock\n"
        "from harness.models.local.model import LocalModel\n"
        "async def main():\n"
        "    await LocalModel(window_tokens=512, threads=1, parallel=1).open(RealClock())\n"
        "    print('open', flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    for loading in (False, True):
        child = subprocess.Popen([sys.executable, "-c", program, str(scratch)], stdout=subprocess.PIPE, cwd=Path.cwd())
        try:
            deadline = time.monotonic() + 60
            while len(processes(scratch)) < 2:
                assert time.monotonic() < deadline and child.poll() is None
                time.sleep(0.002)
            if not loading:
                assert child.stdout is not None and child.stdout.readline() == b"open\n"
        finally:
            child.kill()
            child.communicate(timeout=20)
        until_gone(scratch)
        assert not folders(scratch)


def test_an_open_that_is_given_up_leaves_nothing(scratch: Path) -> None:
    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(LocalModel(**SMALL).open(RealClock()), 0.1)

    asyncio.run(main())
    assert not processes(scratch) and not folders(scratch)


def test_a_keeper_that_is_killed_takes_the_server_along_at_the_latest_on_close(scratch: Path) -> None:
    async def body(model: LocalModel) -> None:
        server = told(scratch)["pid"]
        (keeper,) = set(processes(scratch)) - {server}
        os.kill(keeper, signal.SIGKILL)
        assert server in processes(scratch)

    run(body)
    until_gone(scratch)


def refused(scratch: Path, kind: type[HarnessError], said: str, **settings: Any) -> None:
    async def nothing(model: LocalModel) -> None:
        raise AssertionError("it opened")

    with pytest.raises(kind, match=said) as error:
        run(nothing, **settings)
    assert "\n" not in str(error.value)
    assert not processes(scratch) and not folders(scratch)


def test_a_truncated_file(scratch: Path) -> None:
    said = r"cannot be loaded: .*ended with status 1\. It said: .*not within the file bounds.*model\.path=FILE"
    refused(scratch, ModelServerError, said, path=truncated(scratch))


def test_a_file_that_only_begins_like_one(scratch: Path) -> None:
    (scratch / "odd.gguf").write_bytes(b"GGUF and then some words")
    refused(scratch, ModelServerError, "cannot be loaded", path=scratch / "odd.gguf")


def test_a_server_that_never_gets_ready(scratch: Path) -> None:
    refused(scratch, ModelServerError, r"not ready within 0\.01 s.*model\.ready_s=SECONDS", ready_s=0.01)


def test_a_window_that_the_model_does_not_have(scratch: Path) -> None:
    refused(scratch, ConfigError, "a context of 8192 tokens. Set model.window_tokens=8192", window_tokens=9000)


@pytest.mark.parametrize(
    ("key", "value"),
    [("window_tokens", 0), ("threads", 0), ("max_tokens", 0), ("parallel", 0), ("temperature", -1.0), ("ready_s", 0.0)],
)
def test_settings_out_of_range(key: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=rf"model\.{key}={value}: must be"):
        LocalModel(**{key: value})


def test_closed_twice_and_never_opened() -> None:
    async def main() -> None:
        model = LocalModel()
        await model.close()
        await model.close()
        assert list(await model.weigh(["hello world", ""])) == [2, 0]
        with pytest.raises(ConfigError, match="not open"):
            await model.complete(asking("Hi."))

    asyncio.run(main())
