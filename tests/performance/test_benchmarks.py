"""The benchmarks still run: each once, with tiny sizes, whose figures mean nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness import __file__ as harness

ROOT = Path(harness).parent.parent


@pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="benchmarks are not part of an installed package")
def test_every_benchmark_runs_and_the_table_is_printed() -> None:
    command = [sys.executable, "-m", "pytest", "benchmarks", "--small", "--benchmark-disable", "-q"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    _, _, table = done.stdout.partition("figures to hold")
    for figure in (
        "engine CPU a call, bus, short notes",
        "engine CPU a call, single, qa_corpus",
        "cold start: CPU against imports and one encoding",
        "bus delivery, redis, virtual clock: against raw",
        "bus delivery, redis, real clock: against raw",
        "memory: 6 samples against 3",
        "store: CPU a calls row",
        "validate: rows of all tables",
    ):
        assert figure in table
    assert "≤ 1.5 ×" in table
