"""Tests run on graded code.

    harness  <- verdicts -  tester (runs the tests)  - calls, as plain data ->  program (runs the graded code)

One program serves all tests of a run; a suite that wants each test to meet a fresh one makes one run of each.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from harness.clock.outside import outside
from harness.errors import CorpusError
from harness.sandbox import program, tester
from harness.sandbox.limits import USUAL, SandboxLimits
from harness.sandbox.lock import Order
from harness.sandbox.process import command, environment, require, unavailable
from harness.sandbox.report import TestReport, TestResult
from harness.sandbox.source import lay_out, names_of_tests, refusal
from harness.sandbox.watch import Watch

_TESTER_MB = 2048
_PLACES: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
"""As many at once as there are processors: more would only eat each other's time, and a result must not hang on it."""


async def run_tests(
    files: Mapping[str, str], tests: str, *, given: str = "", limits: SandboxLimits = USUAL
) -> TestReport:
    """Run every top-level ``def test_…(program)`` of ``tests`` on the files of an answer.

    ``files``: text by relative path; ``pkg/mod.py`` is ``program["pkg.mod"]`` in a test. ``given``: source that the
    tests' module begins with. On the virtual clock time stands still meanwhile. Whatever the files hold, this returns.
    Raises CorpusError for tests that cannot run whatever the answer, and SandboxError where code cannot be confined.
    """
    names = names_of_tests(tests)
    libraries = require()
    refused = refusal(files, limits)
    if refused is not None:
        return TestReport.failed(names, refused)
    loop = asyncio.get_running_loop()
    places = _PLACES.setdefault(loop, asyncio.Semaphore(len(os.sched_getaffinity(0))))
    with outside("sandbox"):
        async with places:
            with tempfile.TemporaryDirectory(prefix="graded-") as folder:
                lay_out(files, Path(folder))
                job = {"given": given, "tests": tests, "names": names, "most": limits.reply_bytes}
                said, fault = await _run(folder, job, libraries, limits)
    return _report(names, said, fault)


async def _run(
    folder: str, job: dict[str, Any], libraries: Sequence[str], limits: SandboxLimits
) -> tuple[list[dict[str, Any]], str | None]:
    """What the tester said, and what befell the run."""
    alone: dict[str, Any] = {"cwd": folder, "env": environment(folder), "start_new_session": True}
    confined = Order(folder, list(libraries), limits.cpu_s, limits.memory_mb, os.getpid())
    trusted = Order(folder, list(libraries), int(limits.wall_s) + 1, _TESTER_MB, os.getpid())
    watch = Watch(asyncio.get_running_loop(), limits.wall_s, limits.threads)
    started: list[Process] = []
    try:
        with ExitStack() as ours:
            asked, asks = _pipe(ours)
            answers, answered = _pipe(ours)
            graded = await asyncio.create_subprocess_exec(
                *command(program, confined), stdin=asked, stdout=answered, stderr=DEVNULL, **alone
            )
            started.append(graded)
            watch.add(graded.pid)
            testing = await asyncio.create_subprocess_exec(
                *command(tester, trusted), stdin=PIPE, stdout=PIPE, stderr=PIPE, pass_fds=(asks, answers), **alone
            )
            started.append(testing)
            watch.add(testing.pid)
        out, err = await testing.communicate(json.dumps({**job, "requests": asks, "replies": answers}).encode())
    finally:
        watch.end()
        for process in started:
            await process.wait()
    said = [json.loads(row) for row in out.split(b"\n")[:-1]]  # what follows the last is a line cut off
    if watch.reason is not None:  # whoever was killed first is no fault of the machine's
        said = [row for row in said if "missing" not in row]
    elif testing.returncode != 0:
        said.append({"died": f"{_ending(testing.returncode)} {err.decode(errors='replace')[-500:]}"})
    return said, watch.reason or _fault(said, graded.returncode, limits)


def _pipe(stack: ExitStack) -> tuple[int, int]:
    ends = os.pipe()
    for end in ends:
        stack.callback(os.close, end)
    return ends


def _fault(said: Sequence[dict[str, Any]], code: int | None, limits: SandboxLimits) -> str | None:
    gone = said[-1].get("gone") if said else None
    if gone is None or not str(gone).endswith("it ended"):
        return gone
    if code == -signal.SIGKILL:
        return f"{gone}, killed (it had {limits.cpu_s} s of CPU time)"
    return f"{gone} with {_ending(code)}"


def _ending(code: int | None) -> str:
    return f"exit status {code}" if code is None or code >= 0 else signal.Signals(-code).name


def _report(names: Sequence[str], said: Sequence[dict[str, Any]], fault: str | None) -> TestReport:
    """A test that was not reported has failed."""
    results = dict.fromkeys(names, TestResult("", False, ""))
    for row in said:
        if "missing" in row:
            raise unavailable(row["missing"])
        if "broken" in row:
            raise CorpusError(f"the tests, or what they are given, cannot be executed: {row['broken']}")
        if "died" in row:
            fault = fault or f"the tester ended: {row['died']}"
        if "test" in row:
            message = str(row["message"]).encode(errors="replace").decode()
            results[row["test"]] = TestResult(row["test"], row["passed"] is True, message)
    return TestReport(
        tuple(
            r if r.name else TestResult(name, False, f"not run: {fault or 'no verdict'}") for name, r in results.items()
        ),
        fault,
    )
