"""Ctrl-C and SIGTERM: finished rows stay, and the printed commands run exactly what is missing."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from acme.commands import ACME, call, command, environment, printed_commands

import results
from harness.entry.signals import GRACE_S

QUIET = ("summary=false", "progress=none")


def finish(folder: Path, stderr: str) -> int:
    """Run every printed command; how many there were."""
    commands = printed_commands(stderr)
    for text in commands:
        done = subprocess.run(
            text, shell=True, cwd=folder, env=environment(), capture_output=True, text=True, timeout=90
        )
        assert done.returncode == 0, done.stderr
    return len(commands)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM], ids=lambda s: s.name)
def test_an_interrupted_run_is_completed_by_the_printed_command(tmp_path: Path, signum: signal.Signals) -> None:
    stop = ("topology.stop_on=sum-2", f"topology.stop_signal={int(signum)}")
    done = call(tmp_path, *ACME, *stop, "task.size=5", "concurrency=1", *QUIET)
    assert done.returncode == 128 + signum
    assert f"error: Stopped by {signum.name}: 3 of 5 runs are missing." in done.stderr
    store = str(tmp_path / "runs")
    assert sorted(results.load(store).runs.sample_id) == ["sum-0", "sum-1"]
    assert finish(tmp_path, done.stderr) == 1
    assert sorted(results.load(store).runs.sample_id) == [f"sum-{i}" for i in range(5)]


def test_an_interrupted_sweep_is_completed_too(tmp_path: Path) -> None:
    # The signal comes once, on whichever of the two cells is first at sum-3.
    done = call(
        tmp_path, *ACME, "-m", "topology=ask,pair", "task.size=4,6", "topology.stop_on=sum-3", "bus=memory",
        "concurrency=1", *QUIET,
    )  # fmt: skip
    assert done.returncode == 130
    store = str(tmp_path / "runs")
    first = results.load(store).runs
    assert 0 < len(first) < 20
    assert 1 <= finish(tmp_path, done.stderr) <= 4
    runs = results.load(store).runs
    assert len(runs) == 20
    sizes = runs.groupby(["topology", "sample_id"]).size()
    assert all(sizes[t, f"sum-{i}"] == (2 if i < 4 else 1) for t in ("ask", "pair") for i in range(6))


def test_a_list_too_long_for_a_command_line_works_as_well(tmp_path: Path) -> None:
    done = call(tmp_path, *ACME, "topology.stop_on=sum-1", "task.size=400", "concurrency=1", *QUIET)
    assert done.returncode == 130
    assert "399 of 400 runs are missing" in done.stderr and len(done.stderr) < 2_000
    assert finish(tmp_path, done.stderr) == 1
    runs = results.load(str(tmp_path / "runs")).runs
    assert len(runs) == 400 and runs.sample_id.is_unique


GRACIOUS = """
import sys
from harness.__main__ import main
from harness.entry import signals
signals.GRACE_S = {grace_s}
sys.exit(main())
"""


@contextmanager
def blocked(folder: Path, grace_s: float = GRACE_S) -> Iterator[subprocess.Popen[bytes]]:
    """A command whose only topology call blocks the whole process, from the moment at which it does."""
    python, _, _, *words = command(*ACME, "topology.block_on=sum-1", "concurrency=1", *QUIET)
    child = subprocess.Popen(
        [python, "-c", GRACIOUS.format(grace_s=grace_s), *words],
        cwd=folder,
        env=environment(),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while not (folder / "blocking").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        yield child
    finally:
        child.kill()
        child.wait(timeout=20)
        if child.stderr is not None:
            child.stderr.close()


def test_a_second_interrupt_ends_the_process(tmp_path: Path) -> None:
    with blocked(tmp_path) as child:
        child.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert child.poll() is None  # the first one waits for an orderly end
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) == -signal.SIGINT


def test_a_run_that_does_not_stop_is_given_ten_seconds(tmp_path: Path) -> None:
    """Of which this test waits for one."""
    assert GRACE_S == 10
    with blocked(tmp_path, grace_s=1.0) as child:
        told = time.monotonic()
        child.send_signal(signal.SIGTERM)
        assert child.wait(timeout=40) == 128 + signal.SIGTERM
        assert time.monotonic() - told >= 1.0
        assert child.stderr is not None and b"did not stop" in child.stderr.read()
    assert list(results.load(tmp_path / "runs").runs.sample_id) == ["sum-0"]
