"""Confining the process that calls it, once and for good, and looking whether it holds."""

from __future__ import annotations

import json
import os
import signal
import sys

from harness.sandbox import landlock, seccomp
from harness.sandbox.native import LockError, native, no_new_privileges

_DEATH_SIGNAL, _DUMPABLE = 1, 4
_CAPABILITIES_3 = 0x20080522
MOST_FILES = 64
_SITES = ("site-packages", "dist-packages", "__phello__", "test")
"""What in the folder of the standard library is not of it: what is installed there may hold the tests' sources."""
_ANYWHERE = ("/etc/ld.so.cache", "/usr/share/zoneinfo", "/dev/null", "/dev/zero", "/dev/urandom")


class Order:
    """``folder``: what it may read besides Python. ``libraries``: files of shared libraries that Python loads later.
    ``parent``: the process without which it is to end. (No dataclass: those take a fifth of a process's start.)"""

    def __init__(self, folder: str, libraries: list[str], cpu_s: int, memory_mb: int, parent: int) -> None:
        self.folder, self.libraries = folder, libraries
        self.cpu_s, self.memory_mb, self.parent = cpu_s, memory_mb, parent

    def argument(self) -> str:
        return json.dumps(vars(self))

    @classmethod
    def read(cls) -> Order:
        """The order that this process was started with."""
        return cls(**json.loads(sys.argv[1]))


def lock(order: Order, keep: tuple[int, ...]) -> None:
    """``keep``: file descriptors that stay open beside 0, 1 and 2. LockError if anything of it is not to be had.

    Files can be read where ``order`` says and nowhere written. No right to write at all is what bounds the disk: no
    limit of the kernel bounds a sum of files without privileges, and a bound that only some machines have would make
    results differ between machines.
    """
    import resource

    native().prctl(_DEATH_SIGNAL, signal.SIGKILL)
    native().prctl(_DUMPABLE, 0)  # a limit of 0 keeps a core file away, not a program that collects cores
    if os.getppid() != order.parent:
        os._exit(1)  # it ended before we asked to end with it
    _close_all_but({0, 1, 2, *keep})
    memory = order.memory_mb * 2**20
    for name, bound in (
        ("CPU", order.cpu_s), ("AS", memory), ("FSIZE", 0), ("CORE", 0), ("NOFILE", MOST_FILES), ("MEMLOCK", 0),
        ("MSGQUEUE", 0), ("RTPRIO", 0), ("NICE", 0),
    ):  # fmt: skip
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (bound, bound))
    no_new_privileges()
    landlock.restrict([*_python(), *order.libraries, *_ANYWHERE, order.folder], sys.path)
    _drop_capabilities()
    seccomp.restrict()
    _look(order.folder)


def _close_all_but(keep: set[int]) -> None:
    low = 0
    for stop in (*sorted(keep), os.sysconf("SC_OPEN_MAX")):
        if low < stop:  # an empty range would be taken for all there are
            os.closerange(low, stop)
        low = stop + 1


def _python() -> list[str]:
    """The entries of the standard library's folders, without what else is installed there."""
    found = []
    for folder in sys.path:
        if os.path.isdir(folder):
            found += [os.path.join(folder, name) for name in os.listdir(folder) if name not in _SITES]
        else:
            found.append(folder)
    return found


def _drop_capabilities() -> None:
    """Root keeps its number and loses its powers. Nothing to lose for others."""
    import struct

    header = struct.pack("=Ii", _CAPABILITIES_3, 0)
    if native().capset(header, bytes(24)) != 0:
        raise LockError("capset")


def _look(folder: str) -> None:
    """Try what must fail. LockError if it does not."""
    if native().socket(2, 1, 0) >= 0:
        raise LockError("a lock on sockets: one could be made")
    for path, flags in ((__file__, os.O_RDONLY), (os.path.join(folder, "written"), os.O_WRONLY | os.O_CREAT)):
        try:
            os.open(path, flags)
        except OSError:
            continue
        raise LockError(f"a lock on files: {path} could be opened")
    try:
        child = os.fork()
    except OSError:
        return
    if child == 0:
        os._exit(0)
    raise LockError("a lock on processes: one could be started")
