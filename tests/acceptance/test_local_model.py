"""Whole commands with the real small model: graded rows, whatever it answers, and nothing hangs or stays behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from models.local_model import needs_extra, processes, truncated

import results

from .commands import QUIET, command, each, environment, inside, one_error, stored, validate, wait_for

pytestmark = [needs_extra, pytest.mark.timeout(420)]
SECONDS = 360
"""Most real seconds one command may take, on cores that other tests are using."""
SMALL = (
    *("model=local", "model.threads=1", "model.max_tokens=16", "bus=memory", "limits.run_calls=4"),
    *("task=qa_corpus", "task.corpus=generated", "task.docs=2", "limits.transport_attempts=2"),
)
"""One thread: two on a busy core wait for each other."""


def call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = environment({"TMPDIR": str(folder)})
    return subprocess.run(
        command(*words), cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.fixture
def started(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """One run after the other, of one call each."""
    words = ("topology=single", "topology.max_steps=1", *SMALL, "task.samples=4", "concurrency=1", *QUIET)
    child = subprocess.Popen(
        command(*words), cwd=tmp_path, env=environment({"TMPDIR": str(tmp_path)}), text=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    yield child
    child.kill()
    child.communicate(timeout=20)


def graded(folder: Path) -> results.Results:
    """The rows, which must be whole; every run has been graded or says what went wrong."""
    checked = validate(folder / "runs")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    found = results.load(folder / "runs")
    assert (
        set(found.runs.clock) == {"real"}
        and set(found.runs.model) == {"SmolLM2-135M-Instruct.Q4_1"}
        and not found.runs.simulated.any()
    )
    for row in each(found.runs):
        assert 0 <= row.score <= 1 and (row.status in ("ok", "limit") or (row.error_type and row.error)), row
    assert set(found.calls.run_id) == set(found.runs.run_id), "every run asked the model"
    return found


def assert_answered(found: results.Results) -> None:
    """Calls that the model answered are billed as its server counted them."""
    answered = found.calls[found.calls.status == "ok"]
    assert len(answered) and (answered.prompt_tokens > 300).all() and (answered.completion_tokens > 0).all()
    assert (answered.usage_status == "reported").all() and answered.cost_usd.isna().all()


def test_graded_rows_from_a_real_model(tmp_path: Path) -> None:
    """A team, whose lead is offered the longest form there is, that of an order."""
    done = call(tmp_path, "topology=bus", *SMALL, "task.samples=1", *QUIET)
    told = ("not ok: ", "warning: ")  # answers so short are cut off
    assert all(line.startswith(told) for line in done.stderr.splitlines()), done.stderr
    assert_answered(graded(tmp_path))
    assert not processes(tmp_path)


def test_a_server_killed_in_mid_run_gives_rows(tmp_path: Path, started: subprocess.Popen[str]) -> None:
    """Those before as good as any of ``single``, and those after."""
    wait_for(lambda: stored(tmp_path) >= 1, started, seconds=120)
    (address,) = tmp_path.glob("harness-model-*/address")
    os.kill(json.loads(address.read_text())["pid"], signal.SIGKILL)
    _, said = started.communicate(timeout=SECONDS)
    assert "server_gone" in said or "connection" in said or "has ended" in said, said
    found = graded(tmp_path)
    assert len(found.runs) == 4
    assert_answered(found)
    failed = found.calls[found.calls.status == "error"]
    assert len(failed) and failed.error.str.startswith(("server_gone: ", "connection: ")).all()
    assert found.runs.error.str.contains("SIGKILL").any()
    assert not processes(tmp_path)


def test_a_command_killed_in_mid_run_leaves_no_server(tmp_path: Path, started: subprocess.Popen[str]) -> None:
    wait_for(lambda: stored(tmp_path) >= 1, started, seconds=120)
    assert len(processes(tmp_path)) == 2
    started.kill()
    started.communicate(timeout=20)
    wait_for(lambda: not processes(tmp_path), seconds=10)
    assert not list(tmp_path.glob("harness-model-*"))


def test_files_that_are_no_model(tmp_path: Path) -> None:
    (tmp_path / "notes.gguf").write_text("Some notes.")
    truncated(tmp_path)
    words = ("topology=single", *SMALL, "task.samples=1", *QUIET)
    for path, why in (
        ("none.gguf", "does not exist"),
        ("notes.gguf", "is no GGUF file"),
        ("cut.gguf", "cannot be loaded"),
    ):
        said = one_error(inside(tmp_path, *words, f"model.path={path}"))
        assert why in said and path in said and "model.path" in said
        assert stored(tmp_path) == 0 and not processes(tmp_path)
    assert "clock=virtual cannot drive" in one_error(inside(tmp_path, *words, "clock=virtual"))
