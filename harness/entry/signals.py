"""Ctrl-C and SIGTERM: the first asks for an orderly end, the second or the end of a grace period ends the process."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.experiment import Stop

GRACE_S = 10.0
"""Real seconds that runs have to stop in. One whose topology swallows its cancellation would never."""

_NOTICE = b"\nstopping: finished runs are kept; once more ends it at once\n"
_OVER = b"error: a run did not stop when it was told to, so the process was ended; finished runs are kept\n"


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """While this lasts, SIGINT raises KeyboardInterrupt as usual, and what is yielded says whether it has come:
    libraries that it meets in the middle may raise errors of their own instead. One that is ignored stays so."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        yield lambda: False
        return
    seen: list[int] = []

    def handler(signum: int, frame: FrameType | None) -> None:
        seen.append(signum)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def orderly_end(stop: Stop) -> Iterator[None]:
    """While this lasts, SIGINT and SIGTERM go to ``stop``. Only the main thread may receive signals."""

    def handler(signum: int, frame: FrameType | None) -> None:
        if stop.signum is not None:
            signal.signal(signum, signal.SIG_DFL)
            os.kill(os.getpid(), signum)
            return
        os.write(2, _NOTICE)  # not print: the handler may have interrupted one
        stop.request(signum)
        signal.setitimer(signal.ITIMER_REAL, GRACE_S)

    def end(_: int, frame: FrameType | None) -> None:
        os.write(2, _OVER)
        os._exit(128 + (stop.signum or signal.SIGALRM))

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {s: signal.signal(s, handler) for s in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, end)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for signum, former in before.items():
            signal.signal(signum, former)
