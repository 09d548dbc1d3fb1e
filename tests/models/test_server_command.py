"""``python -m harness.models.server`` as a user starts, uses and ends it; and a whole run against it."""

from __future__ import annotations

import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from support.within import within

import results
from harness.entry.command import run
from harness.entry.serve import main as serve
from harness.models.openai_compatible import OpenAICompatibleModel

from .chat_servers import KEY

ROOT = Path(__file__).parents[2]
SECONDS = 40
"""Most real seconds for a command or a wait."""
COMMAND = "harness/__main__.py"
TASK = ("task=qa_corpus", "task.corpus=generated", "task.docs=3", "task.samples=1")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default", "OPENAI_API_KEY": KEY}


def words(module: str, *more: str) -> list[str]:
    return [sys.executable, "-m", module, *more]


def call(module: str, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(module, *more),
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def first_line(child: subprocess.Popen[str]) -> str:
    """What it prints first, waited for."""
    assert child.stdout is not None
    with selectors.DefaultSelector() as ready:
        ready.register(child.stdout, selectors.EVENT_READ)
        assert ready.select(SECONDS), "the server did not get ready"
    return child.stdout.readline()


class Server:
    """A started server: its process, its base URL and its log."""

    def __init__(self, child: subprocess.Popen[str], log: Path) -> None:
        self.child = child
        self.log = log
        said = first_line(child)
        found = re.fullmatch(r"serving simulated model '(\w+)' at (http://127\.0\.0\.1:\d+/v1)\n", said)
        assert found is not None, said + (child.communicate(timeout=SECONDS)[1])
        self.url = found[2]

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def end(self, number: int) -> tuple[int, str]:
        """Its exit code and what it said on stderr."""
        self.child.send_signal(number)
        _, said = self.child.communicate(timeout=SECONDS)
        return self.child.returncode, said


@contextmanager
def server(folder: Path, *more: str) -> Iterator[Server]:
    log = folder / "served.jsonl"
    command = words("harness.models.server", *TASK, "--port", "0", "--log", str(log), *more)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = subprocess.Popen(command, cwd=folder, env=environment(), text=True, **pipes)
    try:
        yield Server(child, log)
    finally:
        child.kill()
        child.communicate(timeout=SECONDS)


def test_a_run_on_the_model_beside_it_is_the_run_in_process(tmp_path: Path) -> None:
    asked = (*TASK, "progress=none", "topology=strong")
    here = within(tmp_path, run, [COMMAND, *asked, "store.dir=here"])
    assert here.returncode == 0, here.stderr
    with server(tmp_path, "--speed", "inf") as served:
        there = call(
            "harness", tmp_path, *asked, "store.dir=there",
            "model=openai_compatible", f"model.base_url={served.url}", "model.strong=simulated-strong",
        )  # fmt: skip
        assert there.returncode == 0, there.stderr
        lines = served.lines()
    expected, found = results.load(tmp_path / "here"), results.load(tmp_path / "there")
    same = ["prompt_tokens", "cached_tokens", "completion_tokens", "score", "answer"]
    assert expected.runs[same].equals(found.runs[same])
    assert set(found.calls.model) == {line["model"] for line in lines} == {"simulated-strong"}


def test_a_run_over_http_is_the_run_in_process(tmp_path: Path) -> None:
    """Same tokens, same answer; the log of what was served is the ledger; the key is nowhere."""
    asked = ("topology=single", *TASK, "progress=none", "limits.transport_attempts=20", "seed=1")
    odds = ("model.faults.rate_limited=0.7", "model.faults.retry_after_s=0.01", "model.reasoning_share=0.2")
    here = within(tmp_path, run, [COMMAND, *asked, *odds, "store.dir=here"])
    assert here.returncode == 0, here.stderr
    with server(tmp_path, *odds, "--speed", "inf") as served:
        there = call(
            "harness", tmp_path, *asked, "model=openai_compatible", f"model.base_url={served.url}", "store.dir=there"
        )
        assert there.returncode == 0, there.stderr
        lines = served.lines()
        code, said = served.end(signal.SIGTERM)
        assert (code, said) == (0, "")
    expected, found = results.load(tmp_path / "here"), results.load(tmp_path / "there")
    same = ["prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens", "attempts", "score", "answer"]
    assert found.runs[same].to_dict("records") == expected.runs[same].to_dict("records")
    assert found.runs[["simulated", "clock", "model"]].to_dict("records") == [
        {"simulated": True, "clock": "real", "model": "simulated"}
    ]
    assert len(lines) == len(found.calls) == found.runs.attempts[0] and found.runs.retries_transport[0] > 0
    counts = ["prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens", "reasoning_tokens"]
    calls = found.calls.sort_values("started_s")
    for line, (_, row) in zip(lines, calls.iterrows(), strict=True):
        assert [line[c] or 0 for c in counts] == [row[c] for c in counts]
        assert (line["status"], row.status) in ((200, "ok"), (429, "error"))
    written = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert len(written) > 4 and not any(KEY.encode() in p.read_bytes() for p in written)
    for name in ("runs", "calls", "events", "messages"):
        assert KEY not in found.frame(name).to_csv()
    assert KEY not in there.stdout + there.stderr and "SIMULATED" in there.stdout
    checked = call("results", tmp_path, "validate", "there")
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with server(tmp_path) as served:
        assert served.end(number) == (0, "")


def ask(url: str, seed: int) -> bytes:
    sent = {"model": "simulated", "messages": [{"role": "user", "content": "hi"}], "seed": seed}
    asked = Request(f"{url}/chat/completions", json.dumps(sent).encode(), {"Authorization": f"Bearer {KEY}"})
    with urlopen(asked, timeout=SECONDS) as answer:
        said: bytes = answer.read()
        return said


def test_a_killed_server_leaves_whole_lines_and_the_next_one_adds_to_them(tmp_path: Path) -> None:
    for _ in range(2):
        with server(tmp_path, "--speed", "inf") as served:
            for seed in range(5):
                ask(served.url, seed)
            served.end(signal.SIGKILL)
    text = (tmp_path / "served.jsonl").read_text()
    assert text.endswith("\n") and KEY not in text
    assert [json.loads(line)["number"] for line in text.splitlines()] == [1, 2, 3, 4, 5] * 2


def one_error(folder: Path, *more: str) -> str:
    done = within(folder, serve, more)
    assert done.returncode == 2 and not done.stdout, done.stdout
    (said,) = done.stderr.splitlines()
    assert said.startswith("error: ")
    return said


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = one_error(tmp_path, *TASK, "--port", str(port))
    assert f"cannot listen on 127.0.0.1, port {port}: " in said and "in use" in said


BAD = {
    "an option that is none": (["--prot", "1"], "unknown flag '--prot'"),
    "a port that is none": (["--port", "http"], "--port: invalid int value: 'http'"),
    "a port out of range": ([*TASK, "--port", "70000"], "cannot listen on 127.0.0.1, port 70000"),
    "no speed": ([*TASK, "--speed", "0"], "--speed 0: must be above 0"),
    "a log in no folder": ([*TASK, "--log", "nowhere/log"], "--log nowhere/log: cannot be written"),
    "a misspelt key": (["task.doc=2"], "unknown key 'task.doc'"),
    "a sweep": (["-m", "task.docs=2,4"], "leave out -m"),
    "a corpus that is not there": (["task.corpus=nowhere"], "task.corpus=nowhere is neither"),
    "a real model": (["model=openai_compatible"], "only a simulated model is served"),
}


@pytest.mark.parametrize(("more", "said"), BAD.values(), ids=BAD.keys())
def test_bad_input(tmp_path: Path, more: Sequence[str], said: str) -> None:
    assert said in one_error(tmp_path, *more)


def test_help(tmp_path: Path) -> None:
    done = call("harness.models.server", tmp_path, "--help")
    assert done.returncode == 0 and "--speed" in done.stdout and not done.stderr


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = call(
        "harness",
        tmp_path,
        "topology=single",
        *TASK,
        "model=openai_compatible",
        f"model.base_url=http://127.0.0.1:{port}/v1",
    )
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert f"model.base_url=http://127.0.0.1:{port}/v1: cannot be used: no connection" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_a_server_that_dies_gives_rows(tmp_path: Path) -> None:
    slow = ("model.latency.ttft_s=2", "model.latency.jitter=0")
    with server(tmp_path, *slow) as served:
        asked = ("topology=single", *TASK, "progress=none", "summary=false", "limits.backoff_s=0.01")
        child = subprocess.Popen(
            words("harness", *asked, "model=openai_compatible", f"model.base_url={served.url}"),
            cwd=tmp_path, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            deadline = time.monotonic() + SECONDS
            while not served.lines():
                assert time.monotonic() < deadline
                time.sleep(0.05)
            time.sleep(0.7)  # the second request is sent at once, and its answer takes two seconds
            served.end(signal.SIGKILL)
            child.communicate(timeout=SECONDS)
        finally:
            child.kill()
            child.communicate(timeout=SECONDS)
    assert child.returncode == 0
    found = results.load(tmp_path / "runs")
    assert found.runs.status[0] == "error"
    answered, broken, *refused = [row for _, row in found.calls.sort_values("started_s").iterrows()]
    assert answered.status == "ok" and answered.usage_status == "reported"
    assert broken.error.startswith("connection: the connection to") and broken.usage_status == "missing"
    assert [row.usage_status for row in refused] == ["reported"] * 3
    assert all(row.error.startswith("connection: no connection to") and row.prompt_tokens == 0 for row in refused)


def test_the_default_url_is_the_servers_default_port() -> None:
    from harness.entry.serve import PORT

    assert OpenAICompatibleModel().base_url == f"http://127.0.0.1:{PORT}/v1"
