"""Landlock: from here on this process reads what is named and touches no other file, network or process.

The interface is the kernel's (Documentation/userspace-api/landlock.rst); the numbers are those of linux/landlock.h and
the same on every machine.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

from harness.sandbox.native import LockError, syscall

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FILES = {1: 13, 2: 14, 3: 15, 5: 16}
"""From the version on: how many rights over files there are."""
_NETWORK = {4: 2}
"""TCP: bind and connect."""
_SCOPES = {6: 2}
"""Abstract unix sockets and signals."""


def restrict(read: Iterable[str], listed: Iterable[str]) -> None:
    """``read``: files, and folders with all that is below, that stay readable; what does not exist is left out.
    ``listed``: folders whose names stay readable, at every depth. LockError where the kernel has no Landlock."""
    version = syscall(_CREATE, None, 0, 1)
    if version < 1:
        raise LockError("Landlock (a kernel of 5.13 or newer with it switched on)")
    rights = [(1 << _known(table, version)) - 1 for table in (_FILES, _NETWORK, _SCOPES)]
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = syscall(_CREATE, struct.pack("=3Q", *rights), size, 0)
    if ruleset < 0:
        raise LockError("Landlock (its ruleset was refused)")
    for path in read:
        _allow(ruleset, path, _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0))
    for path in listed:
        _allow(ruleset, path, _READ_DIR)
    if syscall(_RESTRICT, ruleset, 0) != 0:
        raise LockError(f"Landlock (restricting failed: {os.strerror(ctypes.get_errno())})")
    os.close(ruleset)


def _known(table: dict[int, int], version: int) -> int:
    return max((bits for since, bits in table.items() if since <= version), default=0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, place), 0) != 0:
            raise LockError(f"Landlock (no rule for {path}: {os.strerror(ctypes.get_errno())})")
    finally:
        os.close(place)
