"""Which processes and threads there are."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Set
from pathlib import Path
from types import ModuleType

from harness.sandbox.lock import Order
from harness.sandbox.process import command


def children(of: int | None = None) -> set[int]:
    """Processes that one (this one) has started and that are still there, ended but not waited for included."""
    parent = os.getpid() if of is None else of
    return {pid for pid, fields in _stats() if int(fields[1]) == parent}


def running(pid: int) -> bool:
    return any(found == pid and fields[0] != "Z" for found, fields in _stats())


def threads_since(before: Set[threading.Thread], within_s: float = 5) -> set[threading.Thread]:
    """Threads that were not there before and have not ended after so long.

    asyncio waits for each child in a thread of its own, which tells of the end and then takes a moment to end itself.
    """
    deadline = time.monotonic() + within_s
    while (left := set(threading.enumerate()) - before) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def _stats() -> list[tuple[int, list[str]]]:
    """Every process's number with the fields of its ``stat`` after the name."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            found.append((int(stat.parent.name), stat.read_text().rpartition(")")[2].split()))
        except OSError:  # it has just gone
            continue
    return found


def before_main(code: str) -> Callable[[ModuleType, Order], list[str]]:
    """As ``harness.sandbox.process.command``, with code that runs before the process locks itself."""

    def changed(module: ModuleType, order: Order) -> list[str]:
        words = command(module, order)
        at = words.index("-c") + 1
        first, rest = words[at].split("; from ", 1)
        words[at] = f"{first}\n{code}\nfrom {rest}"
        return words

    return changed
