"""Runs a llama.cpp server for the process that started this script, and not a moment longer.

``python keeper.py FOLDER``, with one line of JSON on standard input (``Order``) whose pipe then stays open: when it
closes, however that came about, the server is killed, the folder removed and the script ends. In the folder it leaves
``address`` (JSON: the server's ``url`` and ``pid``) as soon as it listens, and ``status`` (text) when it has ended.

It stands alone, without the harness, so that it starts fast. The server runs in a child of its own because it lets no
other thread of its process run while it loads a model.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn, TypedDict

_LOOK_S = 0.1


class Order(TypedDict):
    """``context``: tokens for each of ``parallel`` slots. ``threads``: of the computation."""

    path: str
    api_key: str
    alias: str
    context: int
    parallel: int
    threads: int


def main() -> None:
    folder = Path(sys.argv[1])
    line = _line()
    if not line:
        shutil.rmtree(folder, ignore_errors=True)
        return
    order: Order = json.loads(line)
    server = os.fork()
    if server == 0:
        _serve(folder, order)
    ended = False
    while not select.select([0], [], [], None if ended else _LOOK_S)[0]:
        pid, status = os.waitpid(server, os.WNOHANG)
        if pid:
            ended = True
            code = os.waitstatus_to_exitcode(status)
            _write(folder / "status", f"status {code}" if code >= 0 else signal.Signals(-code).name)
    if not ended:
        os.kill(server, signal.SIGKILL)
        os.waitpid(server, 0)
    shutil.rmtree(folder, ignore_errors=True)


def _line() -> bytes:
    """The first line of standard input and not a byte more; empty when there is none."""
    read = b""
    while not read.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            return b""
        read += byte
    return read


def _serve(folder: Path, order: Order) -> NoReturn:
    """Load the model and serve it until killed. Exit code 1 when it cannot be loaded; the log says why."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # the pipe is the keeper's
    try:
        llama = importlib.import_module("xllamacpp")
        params = llama.CommonParams()
        params.model.path = order["path"]
        params.model_alias = {order["alias"]}
        params.api_keys = [order["api_key"]]
        params.port = 0  # whichever is free when it binds
        params.n_ctx = order["context"] * order["parallel"]
        params.n_parallel = order["parallel"]
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = order["threads"]
        params.verbosity = 1  # errors only: it logs for as long as it runs
        params.offline, params.ui, params.endpoint_slots = True, False, False
        server = llama.Server(params)
        _write(folder / "address", json.dumps({"url": server.listening_address, "pid": os.getpid()}))
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    while True:
        time.sleep(3600)


def _write(path: Path, text: str) -> None:
    """All of it or nothing, for those who look meanwhile."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.rename(path)


if __name__ == "__main__":
    main()
