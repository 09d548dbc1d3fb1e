"""Starting the processes of a sandbox, and whether this machine can confine them."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from harness.errors import SandboxError
from harness.sandbox import probe
from harness.sandbox.lock import Order

_ROOT = Path(__file__).parents[2]
_PROBE_S = 30.0
_MOST_MB = 512


def command(module: ModuleType, order: Order) -> list[str]:
    """Run a module's ``main`` in a Python that sees its standard library and nothing else. ``-I`` would hide
    PYTHONHASHSEED as well: with an environment of our own (``environment``), ``-P -s -S`` isolate as much."""
    code = f"import sys; sys.path.insert(0, {str(_ROOT)!r}); from {module.__name__} import main; main()"
    return [sys.executable, "-P", "-s", "-S", "-B", "-c", code, order.argument()]


def environment(folder: str) -> dict[str, str]:
    """All that a process is told. Sets are in the same order each time; one arena, or each thread would take 64 MB of
    its address space; LD_LIBRARY_PATH is what some Pythons are found with."""
    told = {"HOME": folder, "TZ": "UTC", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1"}
    if "LD_LIBRARY_PATH" in os.environ:
        told["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return told


@functools.cache
def require() -> tuple[str, ...]:
    """Try it once a process; the files of shared libraries that Python loads. Raises SandboxError where code cannot be
    confined: a suite that executes code calls this when it loads, so that nothing is spent before."""
    if sys.platform != "linux":
        raise unavailable(f"Linux (this is {sys.platform})")
    with tempfile.TemporaryDirectory(prefix="graded-") as folder:
        order = Order(folder, [], 10, _MOST_MB, os.getpid())
        try:
            done = subprocess.run(
                command(probe, order), env=environment(folder), cwd=folder, capture_output=True, timeout=_PROBE_S
            )
            found, said = (json.loads(row) for row in done.stdout.splitlines())
        except (OSError, ValueError, subprocess.TimeoutExpired) as fault:
            raise unavailable(f"a Python that starts alone ({type(fault).__name__}: {fault})") from None
    if "missing" in said:
        raise unavailable(said["missing"])
    return tuple(found["libraries"])


def unavailable(what: str) -> SandboxError:
    return SandboxError(
        f"executed grading runs code that a model wrote, and runs it confined or not at all. Missing here: {what}. It "
        "needs Linux 5.13 or newer with Landlock and seccomp, on x86_64 or aarch64; no privileges.",
        missing=what,
    )
