"""Over HTTP through litellm, against the stand-in: what it served is what the ledger has, and no key is left behind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import results
from harness.entry.command import run
from harness.records import TABLES

from .commands import GENERATED, ROOT, call, each, environment, validate, wait_for

pytestmark = pytest.mark.filterwarnings("ignore:.*ReadOnly. qualifier:UserWarning")
"""Pydantic remarks on litellm's own classes when these are first used; litellm's filter for that ends with a test."""

KEY = "sk-planted-5d41402abc4b2a76"
RETRY_AFTER_S = 0.25
BACKOFF_S = 20.0
"""The harness's own wait; so much longer that a wait shows who asked for it."""
TOPOLOGIES = [name for name in ("single", "bus", "sync") if (ROOT / "topologies" / f"{name}.py").exists()]
TASK = (*GENERATED, "task.docs=8", "task.limit=2")
KINDS = ("prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens", "reasoning_tokens")


@dataclass(frozen=True)
class Server:
    """A running stand-in: its URL, what it logs and what it prints."""

    url: str
    log: Path
    out: Path

    def model(self, *, priced: bool = True) -> list[str]:
        """The words of a command that uses it."""
        words = [
            "model=litellm", "model.name=openai/simulated", f"model.api_base={self.url}", "model.window_tokens=128000",
        ]  # fmt: skip
        return [*words, "model.prices_as=gpt-4o-mini"] if priced else words

    def served(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@dataclass(frozen=True)
class Done:
    """A sweep over all topologies and what is left of it."""

    folder: Path
    served: list[dict[str, Any]]
    said: str
    found: results.Results

    @property
    def calls(self) -> pd.DataFrame:
        return self.found.frame("calls")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    log, out = folder / "served.jsonl", folder / "out.txt"
    faults = ("model.faults.rate_limited=0.15", f"model.faults.retry_after_s={RETRY_AFTER_S}")
    words = ["--port", "0", "--log", str(log), "--speed", "1000", *TASK, *faults]
    with out.open("wb") as stream:
        child = subprocess.Popen(
            [sys.executable, "-m", "harness.models.server", *words],
            cwd=folder, env=environment({"OPENAI_API_KEY": KEY}), stdout=stream, stderr=stream, text=True,
        )  # fmt: skip
    try:
        wait_for(lambda: " at http" in out.read_text(), child)
        found = re.search(r" at (http\S+)", out.read_text())
        assert found is not None
        yield Server(found[1], log, out)
    finally:
        child.terminate()
        child.wait(timeout=20)


@pytest.fixture(scope="module")
def sweep(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("sweep")
    words = (
        "-m",
        f"topology={','.join(TOPOLOGIES)}",
        *TASK,
        *server.model(),
        "limits.transport_attempts=8",
        f"limits.backoff_s={BACKOFF_S}",
    )
    done = call(folder, *words, env={"OPENAI_API_KEY": KEY})
    assert done.returncode == 0, done.stderr
    return Done(folder, server.served(), done.stdout + done.stderr, results.load(folder / "runs"))


def usage(rows: list[Any]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(int(row[kind]) for kind in KINDS) for row in rows)


def test_what_was_served_is_what_the_ledger_has(sweep: Done) -> None:
    """Call by call, to the token; and as many requests came in as there are attempts."""
    answered = [line for line in sweep.served if line["status"] == 200]
    rows = sweep.calls.to_dict("records")
    assert len(sweep.served) == len(rows)
    assert usage(answered) == usage([row for row in rows if row["status"] == "ok"])
    assert set(sweep.calls.topology) == set(TOPOLOGIES)
    assert set(sweep.calls.usage_status) == {"reported"}


def test_a_rate_limit_is_a_row_and_a_further_attempt(sweep: Done) -> None:
    refused = [line for line in sweep.served if line["status"] == 429]
    failed = sweep.calls[sweep.calls.status == "error"]
    assert len(refused) == len(failed) > 0
    assert all(text.startswith("rate_limited: HTTP 429") for text in failed.error)
    assert failed.cost_pusd.sum() == failed.prompt_tokens.sum() == 0  # refused before any work
    attempts = {(c.run_id, c.operation_id, c.attempt): c for c in each(sweep.calls)}
    for row in each(failed):
        again = attempts[row.run_id, row.operation_id, row.attempt + 1]
        assert RETRY_AFTER_S <= again.queue_s < BACKOFF_S
    runs = sweep.found.frame("runs")
    assert runs.retries_transport.sum() == len(failed)


def test_a_call_costs_gpt_4o_minis_list_price(sweep: Done) -> None:
    """0.15 USD a million prompt tokens, 0.075 for cached ones, 0.60 of completion: 10⁶ pUSD a token to the dollar."""
    for row in each(sweep.calls):
        plain = row.prompt_tokens - row.cached_tokens
        assert row.cost_pusd == plain * 150_000 + row.cached_tokens * 75_000 + row.completion_tokens * 600_000
        assert row.fee_pusd == 0
    assert sweep.calls.cached_tokens.sum() > 0


def test_rows_say_what_they_were_made_with(sweep: Done) -> None:
    runs = sweep.found.frame("runs")
    assert list(runs.status.unique()) == ["ok"]
    assert set(runs.model) == {"openai/simulated"} and runs.simulated.all()
    assert set(runs.clock) == {"real"}
    assert validate(sweep.folder / "runs").returncode == 0


def test_the_stronger_model_is_served_and_billed_by_its_own_name(server: Server, tmp_path: Path) -> None:
    """At gpt-4o's list price: 2.50 USD a million prompt tokens, 1.25 for cached ones, 10 of completion."""
    before = len(server.served()) if server.log.exists() else 0
    strong = "model.strong={name: openai/simulated-strong, window_tokens: 128000, prices_as: gpt-4o}"
    words = ("topology=strong", *TASK, *server.model(), strong, "limits.transport_attempts=8")
    done = call(tmp_path, *words, env={"OPENAI_API_KEY": KEY})
    assert done.returncode == 0, done.stderr
    assert {line["model"] for line in server.served()[before:]} == {"simulated-strong"}
    calls = results.load(tmp_path / "runs").frame("calls")
    assert set(calls.model) == {"openai/simulated-strong"}
    for row in each(calls[calls.status == "ok"]):
        plain = row.prompt_tokens - row.cached_tokens
        assert row.cost_pusd == plain * 2_500_000 + row.cached_tokens * 1_250_000 + row.completion_tokens * 10_000_000
    assert validate(tmp_path / "runs").returncode == 0


def test_the_key_is_nowhere(sweep: Done, server: Server) -> None:
    """As bytes in every file, and decompressed in every table."""
    secret = KEY.encode()
    files = [path for path in (*sweep.folder.rglob("*"), server.log, server.out) if path.is_file()]
    assert len(files) > len(TABLES)
    assert [path for path in files if secret in path.read_bytes()] == []
    for name in TABLES:
        assert KEY not in sweep.found.frame(name).to_csv()
    assert KEY not in sweep.said
    assert KEY not in json.dumps(sweep.served)


def test_a_budget_stops_the_experiment_and_keeps_what_is_finished(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run costs about 0.002 USD: one of them passes a budget of 0.0005, and no further one starts."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    words = ("topology=single", *TASK, *server.model(), "limits.transport_attempts=8", "limits.experiment_usd=0.0005")
    code = run(["harness/__main__.py", *words, "concurrency=1", f"store.dir={tmp_path / 'runs'}", "progress=none"])
    said = capsys.readouterr()
    assert code == 1
    assert "Stopped by a limit (experiment_usd:" in said.err and "1 of 2 runs are missing" in said.err
    assert KEY not in said.out + said.err
    (row,) = each(results.load(tmp_path / "runs").frame("runs"))
    assert row.status == "ok" and row.cost_usd > 0.0005, "it was finished when it passed the bound"


@pytest.mark.parametrize("role", [False, True])
def test_a_budget_over_a_model_without_a_price_is_refused(
    role: bool, server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, before anything is sent, also where only a role's model has no price."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    before = len(server.served()) if server.log.exists() else 0
    roles = ["+model.roles.worker={name: openai/nobodys, window_tokens: 1000}"] if role else []
    words = ["topology=single", *TASK, *server.model(priced=role), *roles, "limits.run_usd=1"]
    assert run(["harness/__main__.py", *words, f"store.dir={tmp_path / 'runs'}", "progress=none"]) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.count("\n") == 1
    assert "limits.run_usd" in said.err and f"'openai/{'nobodys' if role else 'simulated'}'" in said.err
    assert len(server.served()) == before
    assert not (tmp_path / "runs").exists()
