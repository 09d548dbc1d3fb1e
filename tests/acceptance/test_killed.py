"""Stopping a sweep, gently or not: finished runs are kept, nothing else is taken for data, nothing runs on."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bus.servers import redis_binaries

import results

from .commands import GENERATED, QUIET, call, command, environment, printed_commands, shell, stored, validate, wait_for

SAMPLES = 40
SWEEP = ("-m", "topology=single,bus", *GENERATED, f"task.samples={SAMPLES}", "bus=embedded", "store.part_rows=800")
"""Some seconds of work; parts are folded every few runs."""
GONE_S = 10

pytestmark = pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder for temporary files with a path short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="kill-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def start(folder: Path, scratch: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(*SWEEP, *QUIET), cwd=folder, env=environment({"TMPDIR": str(scratch)}),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def servers_in(scratch: Path) -> list[str]:
    """Command lines of all processes that have to do with this folder: the private server and its keeper."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        if str(scratch) in words:
            found.append(words)
    return found


def assert_whole(folder: Path) -> set[tuple[str, str]]:
    """What is readable: whole runs only, each once. Returns (topology, sample)."""
    done = validate(folder / "runs")
    assert done.returncode == 0, done.stdout + done.stderr
    found = results.load(folder / "runs")
    assert found.runs.run_id.is_unique and set(found.runs.status) == {"ok"}
    ids = set(found.runs.run_id)
    for table in ("calls", "shares", "events"):
        assert set(found.frame(table).run_id) == ids, table
    ended = found.events[found.events.type == "run_ended"]
    assert set(ended.run_id) == ids, "to the last event"
    return set(zip(found.runs.topology, found.runs.sample_id, strict=True))


@pytest.mark.parametrize("runs", [1, 25])
def test_kill_9_during_a_sweep(tmp_path: Path, scratch: Path, runs: int) -> None:
    child = start(tmp_path, scratch)
    try:
        wait_for(lambda: stored(tmp_path) >= runs, child)
        assert servers_in(scratch), "the private server is recognised"
        before = stored(tmp_path)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=20)
    finally:
        child.kill()
        child.wait(20)
    assert child.returncode == -signal.SIGKILL
    wait_for(lambda: not servers_in(scratch) and not list(scratch.iterdir()), seconds=GONE_S)
    kept = assert_whole(tmp_path)
    assert before <= len(kept) < 2 * SAMPLES

    done = call(tmp_path, "topology=single", *GENERATED, "task.samples=1", *QUIET)
    assert done.returncode == 0, done.stderr
    root = tmp_path / "runs"
    assert not list(root.glob("spool/*.jsonl")) and not list(root.rglob("*.tmp")), "the remains are folded"
    assert stored(tmp_path) == len(kept) + 1
    assert_whole_again(tmp_path, kept)


def assert_whole_again(folder: Path, kept: set[tuple[str, str]]) -> None:
    done = validate(folder / "runs")
    assert done.returncode == 0, done.stdout + done.stderr
    runs = results.load(folder / "runs").runs
    assert kept <= set(zip(runs.topology, runs.sample_id, strict=True))


def test_kill_9_before_the_first_run_is_stored(tmp_path: Path, scratch: Path) -> None:
    child = start(tmp_path, scratch)
    try:
        wait_for(lambda: bool(servers_in(scratch)), child)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=20)
    finally:
        child.kill()
        child.wait(20)
    wait_for(lambda: not servers_in(scratch) and not list(scratch.iterdir()), seconds=GONE_S)
    done = call(tmp_path, "topology=single", *GENERATED, "task.samples=1", *QUIET)
    assert done.returncode == 0, done.stderr
    assert_whole(tmp_path)


def test_ctrl_c_and_the_printed_command_give_exactly_the_whole(tmp_path: Path, scratch: Path) -> None:
    child = start(tmp_path, scratch)
    try:
        wait_for(lambda: stored(tmp_path) >= 12, child)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
    finally:
        child.kill()
        child.wait(20)
    assert child.returncode == 130, said
    assert not servers_in(scratch) and not list(scratch.iterdir()), "gone before the command returns"
    kept = assert_whole(tmp_path)
    missing = re.search(r"error: Stopped by SIGINT: (\d+) of (\d+) runs are missing", said)
    assert missing is not None, said
    assert (int(missing[1]), int(missing[2])) == (2 * SAMPLES - len(kept), 2 * SAMPLES)

    lines = printed_commands(said)
    assert 1 <= len(lines) <= 2
    for line in lines:
        done = shell(tmp_path, line)
        assert done.returncode == 0, done.stderr
    runs = results.load(tmp_path / "runs").runs
    got = list(zip(runs.topology, runs.sample_id, strict=True))
    assert len(got) == len(set(got)) == 2 * SAMPLES, "each sample of each topology once"
    assert validate(tmp_path / "runs").returncode == 0
    assert runs.groupby("topology").config_hash.nunique().max() == 1, "and the same configuration"


@pytest.mark.parametrize("after_s", [0.0, 0.04, 0.08, 0.12])
def test_ctrl_c_before_anything_has_begun(tmp_path: Path, scratch: Path, after_s: float) -> None:
    """While it still imports and composes: quiet, and nothing is left."""
    child = start(tmp_path, scratch)
    try:
        importing = Path(f"/proc/{child.pid}/maps")
        wait_for(lambda: "_yaml" in importing.read_text(), child, pause=0.001)
        time.sleep(after_s)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
    finally:
        child.kill()
        child.wait(20)
    # CPython itself ends with the signal if a library caught it inside of ``exec``; to a shell that is 130 too.
    assert child.returncode in (130, -signal.SIGINT), said
    assert "Traceback" not in said and "defect" not in said, said
    assert not servers_in(scratch)
    assert stored(tmp_path) == 0
