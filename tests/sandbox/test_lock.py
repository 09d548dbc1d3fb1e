"""No lock, no run: where anything of it is missing, nothing is executed and the error says what."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from support.processes import before_main

from harness.errors import SandboxError
from harness.sandbox import process, seccomp
from harness.sandbox.native import LockError
from harness.sandbox.process import require
from harness.sandbox.runner import run_tests
from harness.sandbox.syscalls import ALLOWED, CHECKED

REFUSING = """
import struct, ctypes
from harness.sandbox.native import native
steps = b"".join(struct.pack("=HBBI", *s) for s in (
    (0x20, 0, 0, 0), (0x15, 0, 1, {number}), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)))
buffer = ctypes.create_string_buffer(steps, len(steps))
native().prctl(38, *(ctypes.c_ulong(x) for x in (1, 0, 0, 0)))
native().prctl(22, ctypes.c_ulong(2), struct.pack("@HP", len(steps) // 8, ctypes.addressof(buffer)), None, None)
"""
"""Takes one system call from the process, as a kernel without it would."""
NO_LANDLOCK = REFUSING.format(number=444)
NO_SECCOMP = "import harness.sandbox.seccomp as s\ns._SECCOMP = 9999"
OTHER_MACHINE = "import harness.sandbox.seccomp as s\ns.MACHINES = {'riscv64': (0, 0)}"
LEAKS = {
    "sockets": "import harness.sandbox.seccomp as s\ns.ALLOWED['socket'] = (41, 198)",
    "files": "import harness.sandbox.landlock as s\ns.restrict = lambda *rest: None",
    "processes": "import harness.sandbox.seccomp as s\ns._CLONE_THREAD = 0",
}
"""Locks with a hole, by what leaks."""
GRADED = {"m.py": "def f(): return 1"}
TESTS = "def test_f(program):\n    assert program['m'].f() == 1"


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        (NO_LANDLOCK, "Landlock (a kernel of 5.13 or newer with it switched on)"),
        (NO_SECCOMP, "seccomp filters (Invalid argument)"),
        (OTHER_MACHINE, f"a filter of system calls for {os.uname().machine} (there is one for riscv64)"),
        (LEAKS["sockets"], "a lock on sockets: one could be made"),
        (LEAKS["files"], "a lock on files: "),
        (LEAKS["processes"], "a lock on processes: one could be started"),
    ],
)
def test_without_a_lock_nothing_runs(code: str, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    require()  # what this machine has is known before anything is taken from it
    monkeypatch.setattr("harness.sandbox.runner.command", before_main(code))
    with pytest.raises(SandboxError) as raised:
        asyncio.run(run_tests(GRADED, TESTS))
    assert missing in str(raised.value)
    assert "needs Linux 5.13 or newer with Landlock and seccomp, on x86_64 or aarch64" in str(raised.value)


def test_a_suite_learns_it_when_it_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "command", before_main(NO_LANDLOCK))
    with pytest.raises(SandboxError, match="Missing here: Landlock"):
        require.__wrapped__()
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(SandboxError, match=r"Missing here: Linux \(this is darwin\)"):
        require.__wrapped__()


def test_a_python_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(SandboxError, match="a Python that starts alone"):
        require.__wrapped__()


def test_the_probe_finds_libraries_and_no_modules_of_others() -> None:
    libraries = require()
    assert any("libc.so" in path or "libc-" in path or "ld-musl" in path for path in libraries)
    assert all(Path(path).is_file() and ".so" in Path(path).name for path in libraries)
    assert not any("-packages" in path for path in libraries)


def test_an_unknown_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seccomp, "MACHINES", {})
    with pytest.raises(LockError, match="a filter of system calls for"):
        seccomp.restrict()


HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}
OTHER_NAMES = {"newfstatat": "fstatat"}


@pytest.mark.parametrize("place", HEADERS)
def test_the_numbers_are_the_kernels(place: int) -> None:
    if not HEADERS[place].exists():
        pytest.skip(f"{HEADERS[place]} is not installed (package linux-libc-dev)")
    known: dict[str, int] = {}
    for row in HEADERS[place].read_text().splitlines():
        words = row.split()
        if len(words) == 3 and words[0] == "#define" and words[1].startswith("__NR") and words[2].isdigit():
            known[words[1].removeprefix("__NR3264_").removeprefix("__NR_")] = int(words[2])
    for name, numbers in {**ALLOWED, **CHECKED}.items():
        number = numbers[place]
        if number is not None:
            assert known.get(name, known.get(OTHER_NAMES.get(name, ""))) == number, name
