"""A llama.cpp server on a free loopback port that cannot outlive the process that started it."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.errors import ConfigError, HarnessError
from harness.models.local.gguf import EXTRA

_KEEPER = Path(__file__).with_name("keeper.py")
_LOOK_S = 0.02
_ASK_S = 5.0
_STOP_S = 5.0
_TAIL = 8
"""Lines of the log that an error quotes."""
_STAMP = re.compile(r"^[\d.]+ [A-Z] +")  # llama.cpp's time and level


class ModelServerError(HarnessError):
    """The server of a local model does not come up."""


class LlamaServer:
    """A child process, in a session of its own (Ctrl-C in the terminal reaches us and not the server), with a random
    key: what else runs on this machine cannot use it. Its log is in a folder (mode 0700) that goes with it.

    It ends with the last process that holds our end of its pipe: us, and whatever we forked without exec, if that lives
    longer. Where nothing listens yet (``ready`` has not returned), ``url`` is empty.
    """

    def __init__(self, path: Path, *, alias: str, context: int, parallel: int, threads: int) -> None:
        """Start it; returns at once. ``context``: tokens for each of ``parallel`` requests worked on at once.
        ConfigError when xllamacpp is not installed."""
        if importlib.util.find_spec("xllamacpp") is None:
            raise ConfigError(f"model=local needs the package 'xllamacpp', which is not installed. Run: {EXTRA}")
        self.api_key = secrets.token_urlsafe(24)
        self.url = ""
        self._path = path
        self._folder = Path(tempfile.mkdtemp(prefix="harness-model-"))
        order = {
            "path": str(path), "api_key": self.api_key, "alias": alias,
            "context": context, "parallel": parallel, "threads": threads,
        }  # fmt: skip
        with (self._folder / "log").open("wb") as log:
            self._keeper = subprocess.Popen(
                [sys.executable, "-P", str(_KEEPER), str(self._folder)],
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True, bufsize=0,
            )  # fmt: skip
        try:
            self._pipe.write(json.dumps(order).encode() + b"\n")
        except BaseException:
            self.stop()
            raise

    @property
    def ended(self) -> str:
        """How the server ended by itself; empty while it runs."""
        if self._keeper.poll() is not None:
            return f"status {self._keeper.returncode}"
        return self._read("status")

    @property
    def said(self) -> str:
        """The last lines of its log, as one."""
        lines = [" ".join(_STAMP.sub("", line).split()) for line in self._read("log").splitlines()[-_TAIL:]]
        return "; ".join(filter(None, lines)).rstrip(".") or "(nothing)"

    async def ready(self, within_s: float) -> None:
        """Wait until the server says that it is well, at most so many real seconds. Raises ModelServerError."""
        deadline = time.monotonic() + within_s
        while time.monotonic() < deadline:
            if self.ended:
                raise ModelServerError(
                    f"the model {self._path} cannot be loaded: the llama.cpp server ended with {self.ended}. It said: "
                    f"{self.said}. Name another GGUF file with model.path=FILE, or null for the packaged one."
                )
            if not self.url and (address := self._read("address")):
                self.url = json.loads(address)["url"]
            if self.url:
                well = await asyncio.to_thread(self._well)
                if well:
                    return
            await asyncio.sleep(_LOOK_S)
        raise ModelServerError(
            f"the llama.cpp server for {self._path} was not ready within {within_s:g} s. It said: {self.said}. Give it "
            "more time with model.ready_s=SECONDS, or choose a smaller model."
        )

    def properties(self) -> Mapping[str, Any]:
        """What the server tells of itself and its model (``GET /props``). Blocks for milliseconds."""
        told = self._get("/props")
        return told if isinstance(told, Mapping) else {}

    def stop(self) -> None:
        """End the server and remove its folder; safe to call twice. Blocks for some milliseconds."""
        self._pipe.close()
        try:
            self._keeper.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait(_STOP_S)
        if self._keeper.returncode:  # it was killed before it could do its work: the rest of its session is the server
            with suppress(ProcessLookupError):
                os.killpg(self._keeper.pid, signal.SIGKILL)
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _pipe(self) -> Any:
        return self._keeper.stdin

    def _well(self) -> bool:
        try:
            return self._get("/health") is not None
        except (OSError, ValueError):
            return False

    def _get(self, path: str) -> Any:
        asked = urllib.request.Request(f"{self.url}{path}", headers={"Authorization": f"Bearer {self.api_key}"})
        with _DIRECT.open(asked, timeout=_ASK_S) as answer:
            return json.loads(answer.read())

    def _read(self, name: str) -> str:
        try:
            return (self._folder / name).read_text(encoding="utf-8", errors="replace").strip()
        except FileNotFoundError:
            return ""


_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy that the environment names knows nothing of our loopback."""
