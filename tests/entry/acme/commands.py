"""Calling the harness as a user would, from a folder of one's own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from harness.entry.command import run

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CONF = HERE / "conf"
ACME = ("topology=ask", "task=sums", "model=adder")
"""The smallest whole command with this package's own parts."""

_PATH = os.pathsep.join([str(ROOT), str(HERE.parent)])


def environment(*more: Path) -> dict[str, str]:
    """The environment of a child in which harness and this package can be imported."""
    path = os.pathsep.join([_PATH, *map(str, more)])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "default", "COLUMNS": "100"}


def command(*arguments: str, python: tuple[str, ...] = ()) -> list[str]:
    return [sys.executable, *python, "-m", "harness", "--config-dir", str(CONF), *arguments]


def call(folder: Path, *arguments: str, plugins: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run ``python -m harness`` in a folder and wait for it."""
    more = () if plugins is None else (plugins,)
    return subprocess.run(
        command(*arguments), cwd=folder, env=environment(*more), capture_output=True, text=True, timeout=90
    )


def here(*arguments: str) -> int:
    """Run the same command in this process and return its exit code."""
    return run(["harness/__main__.py", "--config-dir", str(CONF), *arguments])


def printed_commands(stderr: str) -> list[str]:
    """The shell commands that an interrupted experiment printed, to be run with this interpreter."""
    return [
        f"{sys.executable}{line.strip().removeprefix('python')}"
        for line in re.findall(r"^  python .*$", stderr, re.MULTILINE)
    ]
