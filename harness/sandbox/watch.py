"""The real time and the threads of a sandbox, kept from outside, on whatever clock the harness runs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
import time
from pathlib import Path

_LOOK_S = 0.05


class Watch:
    """Kills processes when their time is up or one has too many threads: no limit of the kernel bounds the threads of
    one process without privileges.

    ``reason``: why it killed. The loop is woken at every look: something under watch will end, and is no reason for
    the watchdog of virtual time to speak.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, wall_s: float, threads: int) -> None:
        self._loop, self._wall_s, self._threads = loop, wall_s, threads
        self._watched: dict[int, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, name="sandbox watch", daemon=True)
        self.reason: str | None = None
        self._thread.start()

    def add(self, pid: int) -> None:
        """A process that has just been started and not been waited for."""
        with contextlib.suppress(ProcessLookupError):
            self._watched[pid] = os.pidfd_open(pid)

    def end(self) -> None:
        """Kill what still runs; at most a look later nothing is left of this."""
        self._over.set()
        self._thread.join()
        self._kill()
        for handle in self._watched.values():
            os.close(handle)
        self._watched.clear()

    def _look(self) -> None:
        until = time.monotonic() + self._wall_s
        while not self._over.wait(_LOOK_S):
            if time.monotonic() > until:
                self.reason = f"not done after {self._wall_s:g} s"
            elif any(_threads(pid) > self._threads for pid in list(self._watched)):
                self.reason = f"more than {self._threads} threads"
            if self.reason is not None:
                self._kill()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(_nothing)

    def _kill(self) -> None:
        """The last first: it may be at reading from those before it, and would tell of their end as their own doing."""
        for handle in reversed(list(self._watched.values())):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)


def _threads(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[17])
    except (OSError, IndexError, ValueError):
        return 0


def _nothing() -> None:
    pass
