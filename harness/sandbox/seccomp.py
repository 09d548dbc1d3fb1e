"""Seccomp: a filter in the kernel after which a process has only the system calls of ``syscalls``.

A call that is not there answers ENOSYS, as from a kernel that does not know it, so that libraries fall back to another
(glibc from clone3, whose arguments no filter can see, to clone). Code for another instruction set is killed.
"""

from __future__ import annotations

import ctypes
import os
import struct

from harness.sandbox.native import LockError, native
from harness.sandbox.syscalls import ALLOWED, CHECKED, MACHINES

_ALLOW, _KILL, _ABSENT = 0x7FFF0000, 0x80000000, 0x00050000 | 38
_NUMBER, _ARCH, _ARGS = 0, 4, 16
_LOAD, _AND, _RETURN, _EQUAL = 0x20, 0x54, 0x06, 0x15
_SECCOMP, _FILTER = 22, 2
_CLONE_THREAD = 0x10000
_WRITING = 0o3 | 0o100 | 0o1000
"""O_ACCMODE, O_CREAT, O_TRUNC: what an ``open`` for reading has none of."""
_FCNTL = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: not F_SETOWN and F_SETSIG, which send signals."""
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""

Code = list[tuple[int, int, int, int]]


def restrict() -> None:
    """For this thread, all that it starts, and ever; after ``no_new_privileges``. LockError on a machine that is not
    in ``MACHINES``, or where the kernel refuses."""
    machine = os.uname().machine
    if machine not in MACHINES:
        raise LockError(f"a filter of system calls for {machine} (there is one for {' and '.join(MACHINES)})")
    code = b"".join(struct.pack("=HBBI", *step) for step in program(machine, os.getpid()))
    steps = ctypes.create_string_buffer(code, len(code))
    filters = struct.pack("@HP", len(code) // 8, ctypes.addressof(steps))
    if native().prctl(_SECCOMP, ctypes.c_ulong(_FILTER), filters) != 0:
        raise LockError(f"seccomp filters ({os.strerror(ctypes.get_errno())})")


def program(machine: str, pid: int) -> Code:
    """The filter. ``pid``: of the process that it is for."""
    arch, place = MACHINES[machine]
    code: Code = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, _NUMBER)]
    for numbers in ALLOWED.values():
        number = numbers[place]
        if number is not None:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for name, numbers in CHECKED.items():
        number = numbers[place]
        if number is not None:
            body = _checks(name, pid)
            code += [(_EQUAL, 0, len(body), number), *body]
    return [*code, (_RETURN, 0, 0, _ABSENT)]


def _checks(name: str, pid: int) -> Code:
    """Allow by arguments. Each ends in a return."""
    if name == "open":
        return _if(1, (0,), _WRITING)
    if name == "openat":
        return _if(2, (0,), _WRITING)
    if name == "clone":
        return _if(0, (_CLONE_THREAD,), _CLONE_THREAD)
    if name in ("kill", "tgkill"):
        return _if(0, (pid,))
    if name == "fcntl":
        return _if(1, _FCNTL)
    if name == "ioctl":
        return _if(1, _IOCTL)
    if name == "prlimit64":  # reading its own limits
        return _both(_if(0, (0, pid)), _null(2))
    if name == "socketpair":  # a stream between its own threads, as asyncio makes one: it can address nobody else
        return _both(_if(0, (1,)), _if(1, (1,), 0xF))
    return _null(4)  # sendto without an address


def _if(argument: int, values: tuple[int, ...], mask: int = 0xFFFFFFFF, high: bool = False) -> Code:
    """Allow if the argument's low (or high) 32 bits under the mask are one of the values, else refuse."""
    load: Code = [(_LOAD, 0, 0, _ARGS + 8 * argument + (4 if high else 0))]
    if mask != 0xFFFFFFFF:
        load.append((_AND, 0, 0, mask))
    jumps: Code = [(_EQUAL, len(values) - n, 0, value) for n, value in enumerate(values)]
    return [*load, *jumps, (_RETURN, 0, 0, _ABSENT), (_RETURN, 0, 0, _ALLOW)]


def _null(argument: int) -> Code:
    """Allow if the argument is a null pointer."""
    return _both(_if(argument, (0,)), _if(argument, (0,), high=True))


def _both(first: Code, second: Code) -> Code:
    """Instead of allowing, the first goes on to the second."""
    return [*first[:-1], *second]
