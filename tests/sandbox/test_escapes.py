"""Code that tries to get out, or to pass without being right: its sample fails, and nothing outside has changed."""

from __future__ import annotations

import asyncio
import os
import socket
import sysconfig
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.attempts import attempts, source
from support.processes import before_main, children, threads_since

import harness
from harness.sandbox.limits import SandboxLimits
from harness.sandbox.report import TestReport
from harness.sandbox.runner import run_tests

TIGHT = SandboxLimits(cpu_s=5, wall_s=20, memory_mb=256, threads=100)
SECRET = "sesame-917"


@dataclass
class Outside:
    """What the attempts reach for."""

    file: Path
    listener: socket.socket
    address: str


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    file = tmp_path_factory.mktemp("outside") / "open"
    file.write_text("whole")
    file.chmod(0o666)
    address = f"sandbox-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{address}")
        listener.setblocking(False)
        yield Outside(file, listener, address)


OLDER = """
import harness.sandbox.landlock as landlock
kernel = landlock.syscall
landlock.syscall = lambda *args: {version} if args[1:] == (None, 0, 1) else kernel(*args)
"""
"""Makes the lock use no more of Landlock than an older kernel has."""
POWERLESS = """
import struct
from harness.sandbox.native import native
native().capset(struct.pack("=Ii", 0x20080522, 0), bytes(24))
"""
"""Leaves root no more than any user has."""
BEFORE = {
    "this kernel": "",
    "no root": POWERLESS,
    "Landlock 4": OLDER.format(version=4) + POWERLESS,
    "Landlock 1": OLDER.format(version=1),
}


@pytest.fixture(scope="module", params=BEFORE)
def refused(outside: Outside, request: pytest.FixtureRequest) -> dict[str, str]:
    """Every attempt's message. One process tries them all: what one breaks there is its own."""
    before, stdlib = children(), Path(sysconfig.get_path("stdlib"))
    names = attempts()
    tests = "planted = 'planted'\n" + "\n".join(
        f"def test_{name}(program):\n    assert program['answer'].try_{name}() == 'escaped'" for name in names
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_SECRET", SECRET)
        patch.setattr("harness.sandbox.runner.command", before_main(BEFORE[request.param]))
        here = source(harness=str(Path(harness.__file__).parent), open=str(outside.file), address=outside.address)
        files = {"answer.py": here, "recursion.py": "def f(): return f()\n"}
        files["answer.py"] += "\ndef recursion(): import recursion as r; return r.f()\n"
        report = asyncio.run(run_tests(files, tests, limits=TIGHT))
    assert report.fault is None, "all were tried"
    assert not any(r.passed for r in report.results)
    assert report.share == 0
    # No harm:
    assert outside.file.read_text() == "whole"
    assert [p.name for p in outside.file.parent.iterdir()] == ["open"]
    assert oct(outside.file.stat().st_mode & 0o777) == "0o666"
    assert not (stdlib / "sitecustomize.py").exists()
    assert not (stdlib / "site-packages" / "evil.pth").exists()
    with pytest.raises(BlockingIOError):
        outside.listener.recv(1)
    assert children() <= before
    return {r.name.removeprefix("test_"): r.message for r in report.results}


def test_every_escape_is_refused(refused: dict[str, str]) -> None:
    """Each by what refuses it: nothing failed for another reason."""
    assert refused.keys() == attempts().keys()
    other = {name: said for name, said in refused.items() if attempts()[name][1] not in said}
    assert other == {}
    assert [n for n, said in refused.items() if "escaped" in said.replace("== 'escaped'", "")] == []


def written(data: bytes, forever: bool = False) -> str:
    """An answer that writes to every descriptor it may have."""
    return f"""
import os
def attack():
    while True:
        for fd in range(64):
            try: os.write(fd, {data!r})
            except OSError: pass
        if not {forever}: return 1
"""


ENDS = {
    "exit_at_import": ("import os; os._exit(0)", "it ended with exit status 0"),
    "exit_in_a_call": ("import os\ndef attack(): os._exit(0)", "it ended with exit status 0"),
    "exit_of_a_thread": (
        "import os, threading\ndef attack():\n    threading.Thread(target=os._exit, args=(0,)).start()\n    "
        "threading.Event().wait()",
        "it ended with exit status 0",
    ),
    "kills_itself": ("import os, signal\ndef attack(): os.kill(os.getpid(), 15)", "it ended with SIGTERM"),
    "patched_isinstance": (
        "import builtins\ndef attack():\n    builtins.isinstance = lambda *a: True",
        "it ended with exit status 1",
    ),
    "crash": ("import ctypes\ndef attack(): ctypes.string_at(0)", "it ended with SIGSEGV"),
    "endless_loop": (
        "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\ndef attack():\n    while True:\n        try:\n"
        "            while True: pass\n        except BaseException: pass",
        "it ended, killed (it had 1 s of CPU time)",
    ),
    "endless_import": ("while True: pass", "it ended, killed (it had 1 s of CPU time)"),
    "threads": (
        "import threading\nthreading.stack_size(32768)\ndef attack():\n    stay = threading.Event().wait\n"
        "    while True:\n        try: threading.Thread(target=stay, daemon=True).start()\n"
        "        except RuntimeError: pass",
        "",  # its threads or its CPU time, whichever is counted first
    ),
    "flood": (written(b"x" * 4096, forever=True), "its reply was longer than 50,000 bytes"),
    "empty_lines": (written(b"\n" * 99), "its reply was no JSON"),
    "fake_verdict": (
        written(b'{"test": "test_attack", "passed": true, "message": ""}\n' * 3),
        "its reply was not to this call",
    ),
    "reply_of_another_call": (written(b'{"id": 7, "value": 1}\n'), "its reply was not to this call"),
    "reply_in_advance": (written(b'{"id": 1, "value": 2}\n'), "its reply was not to this call"),
    "value_of_no_type": (written(b'{"id": 1, "value": {"os": "os"}}\n'), "its reply was no value (KeyError)"),
    "no_error": (written(b'{"id": 1, "error": {"types": 5, "text": ""}}\n'), "its reply was no value and no error"),
    "endless_result": ("import itertools\ndef attack(): return itertools.count()", None),
    "closed_pipe": ("import os, time\ndef attack():\n    os.closerange(3, 64)\n    time.sleep(60)", "it ended"),
}  # fmt: skip
"""By name: an answer, and what befalls the run."""
ENDING_TESTS = """
def test_attack(program):
    assert program["answer"].attack() == 1

def test_shy(program):
    try:
        program["answer"].attack()
    except Exception:
        pass

def test_honest(program):
    assert program["other"].honest() == 42
"""


def test_an_end_fails_its_test_and_all_that_follow() -> None:
    """All at once: they wait for their time to be up, and a fixture would be made anew by every worker."""
    limits = SandboxLimits(cpu_s=1, wall_s=60, memory_mb=128, threads=100, reply_bytes=50_000)

    async def one(answer: str) -> TestReport:
        files = {"answer.py": answer, "other.py": "def honest(): return 42"}
        return await run_tests(files, ENDING_TESTS, limits=limits)

    async def every() -> list[TestReport]:
        return await asyncio.gather(*(one(answer) for answer, _ in ENDS.values()))

    before, threads = children(), set(threading.enumerate())
    reports = dict(zip(ENDS, asyncio.run(every()), strict=True))
    assert children() <= before
    assert threads_since(threads) == set()
    assert [name for name, report in reports.items() if report.results[0].passed] == []
    lives = reports.pop("endless_result")  # refused, and the program lives on
    assert [r.passed for r in lives.results] == [False, True, True]
    assert {n: str(r.fault) for n, r in reports.items() if str(ENDS[n][1]) not in str(r.fault)} == {}
    assert [name for name, report in reports.items() if report.share > 0] == []
    assert all(r.message for report in reports.values() for r in report.results)
