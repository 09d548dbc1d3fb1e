"""The C library, for what Python has no function for."""

from __future__ import annotations

import ctypes
import functools

TYPE_CHECKING = False  # typing itself would take a tenth of a process's start
if TYPE_CHECKING:
    from typing import Any


_NO_NEW_PRIVS = 38


class LockError(Exception):
    """Something that confining needs and this machine does not have; the text names it."""


@functools.cache
def native() -> ctypes.CDLL:
    """The process's own C library. ``ctypes.get_errno`` tells why a call failed."""
    return ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *args: Any) -> int:
    """A system call by number; -1 if it failed. Numbers are passed in full registers, bytes and None as pointers."""
    function = native().syscall
    function.restype = ctypes.c_long
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    return int(function(ctypes.c_long(number), *wide))


def no_new_privileges() -> None:
    """What the kernel asks of everybody but root before it lets a process confine itself. Raises LockError."""
    zero = ctypes.c_ulong(0)
    if native().prctl(_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero) != 0:
        raise LockError("PR_SET_NO_NEW_PRIVS")
