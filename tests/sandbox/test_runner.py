"""Running tests from outside: its time, its end, and on whatever clock."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from support.models import ActingModel, Say
from support.processes import children, running
from support.runs import DeskSuite, events, run_once

from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.errors import ConfigError
from harness.limits import Limits
from harness.records import RunRecord
from harness.sandbox.limits import USUAL, SandboxLimits
from harness.sandbox.report import TestReport
from harness.sandbox.runner import run_tests
from harness.suite import Grade, Sample
from harness.topology import Topology
from topologies.resample import Resample
from topologies.single import Single

SLEEPS = {"m.py": "import time\ndef f(): time.sleep(600)"}
RIGHT = {"m.py": "def f(): return 1"}
TESTS = "def test_f(program):\n    assert program['m'].f() == 1"
SHORT = SandboxLimits(wall_s=0.6)


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process and no folder, in a temporary folder that no other test uses."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = children()
    yield
    assert children() <= before
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_end_is_ended() -> None:
    began = time.monotonic()
    report = asyncio.run(run_tests(SLEEPS, TESTS + "\ndef test_g(program): pass", limits=SHORT))
    assert time.monotonic() - began < 5
    assert report.fault == "not done after 0.6 s"
    assert [r.message for r in report.results] == ["not run: not done after 0.6 s"] * 2
    assert report.share == 0


def test_tests_that_do_not_end_are_ended() -> None:
    report = asyncio.run(run_tests(RIGHT, "def test_f(program):\n    while True: pass", limits=SHORT))
    assert report.fault == "not done after 0.6 s"
    assert not report.passed


def test_a_time_too_short_to_start_in_is_a_limit_like_any() -> None:
    for wall_s in (0.001, 0.02, 0.06, 0.07):
        report = asyncio.run(run_tests(SLEEPS, TESTS, limits=SandboxLimits(wall_s=wall_s)))
        assert (report.fault, report.share) == (f"not done after {wall_s:g} s", 0)


def test_the_least_memory_is_enough_to_start() -> None:
    assert asyncio.run(run_tests(RIGHT, TESTS, limits=SandboxLimits(memory_mb=64))).passed


def test_cancelling_leaves_nothing() -> None:
    async def main() -> None:
        before = children()
        task = asyncio.create_task(run_tests(SLEEPS, TESTS))
        while len(children() - before) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


@pytest.mark.parametrize("pauses", range(12))
def test_cancelling_at_any_moment_leaves_nothing(pauses: int) -> None:
    async def main() -> None:
        task = asyncio.create_task(run_tests(RIGHT, TESTS))
        for _ in range(pauses):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_several_at_once_do_not_mix() -> None:
    async def one(n: int) -> TestReport:
        tests = f"def test_f(program):\n    assert program['m'].f() == {n}"
        return await run_tests({"m.py": f"def f(): return {n - n % 3 // 2}"}, tests)

    async def main() -> list[TestReport]:
        return await asyncio.gather(*map(one, range(9)))

    reports = asyncio.run(main())
    assert [r.passed for r in reports] == [n % 3 != 2 for n in range(9)]


def test_limits_that_are_none() -> None:
    for wrong in (
        {"cpu_s": 0},
        {"wall_s": -1.0},
        {"wall_s": float("nan")},
        {"memory_mb": 32},
        {"cpu_s": 0.5},
        {"threads": 10**10},
    ):
        with pytest.raises(ConfigError, match=f"sandbox limit {next(iter(wrong))}="):
            SandboxLimits(**wrong)


@dataclass
class Executed(DeskSuite):
    """The answer is the text of a module; graded, and tested visibly, by executing it."""

    sandbox: SandboxLimits = USUAL

    def sample(self, sample_id: str) -> Sample:
        async def visible(answer: str) -> list[str]:
            return (await self.run(answer)).failures

        return replace(DeskSuite.sample(self, sample_id), visible=visible)

    async def grade(self, sample: Sample, answer: str) -> Grade:
        report = await self.run(answer)
        return Grade(report.share, {"fault": report.fault})

    async def run(self, answer: str) -> TestReport:
        return await run_tests({"m.py": answer}, TESTS, limits=self.sandbox)


def graded(
    answer: str, kind: str, topology: Topology | None = None, sandbox: SandboxLimits = USUAL, **limits: Any
) -> RunRecord:
    model = ActingModel(lambda _: Say(answer))
    scale = 20.0 if kind == "real" else 1.0
    suite = Executed(sandbox=sandbox)
    return run_once(topology or Single(), model, suite=suite, kind=kind, scale=scale, limits=Limits(**limits))


@pytest.mark.parametrize("kind", ["virtual", "real"])
def test_a_grader_may_execute_on_either_clock(kind: str) -> None:
    record = graded(RIGHT["m.py"], kind)
    assert (record.run.status, record.run.score) == ("ok", 1.0)


def test_virtual_time_stands_still_while_code_is_executed() -> None:
    """Neither the grader's limit nor the run's passes meanwhile, and the row tells no real time."""
    limits = {"grade_timeout_s": 1e-6, "run_wall_s": 600.0}
    record = graded(RIGHT["m.py"], "virtual", Resample(choose="visible"), **limits)
    assert (record.run.status, record.run.score, record.run.error) == ("ok", 1.0, None)
    again = graded(RIGHT["m.py"], "virtual", Resample(choose="visible"), **limits)
    assert again.run.wall_s == record.run.wall_s
    assert again.events == record.events


def test_a_program_without_end_ends_on_the_virtual_clock_too() -> None:
    record = graded(SLEEPS["m.py"], "virtual", sandbox=SHORT, grade_timeout_s=1e-6)
    assert (record.run.status, record.run.score) == ("ok", 0.0)
    (event,) = events(record, "graded")
    assert json.loads(event.data)["fault"] == "not done after 0.6 s"


def test_the_watchdog_of_virtual_time_lets_a_sandbox_keep_its_own_time() -> None:
    async def main(clock: Clock) -> TestReport:
        return await run_tests(SLEEPS, TESTS, limits=SandboxLimits(wall_s=1.2))

    assert run_clock("virtual", main, watchdog_s=0.6).fault == "not done after 1.2 s"


def test_cancelling_on_the_virtual_clock_leaves_nothing() -> None:
    async def main(clock: Clock) -> None:
        before = children()
        task = asyncio.create_task(run_tests(SLEEPS, TESTS))

        async def seen() -> None:
            while len(children() - before) < 2:
                await asyncio.to_thread(time.sleep, 0.01)
            task.cancel()

        await seen()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_clock("virtual", main)


def test_the_harness_dies_and_so_does_what_it_started(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Killed outright, it can tidy up nothing; the kernel ends its processes with it."""
    code = (
        f"import asyncio\nfrom harness.sandbox.runner import run_tests\nasyncio.run(run_tests({SLEEPS!r}, {TESTS!r}))"
    )
    folder = str(tmp_path_factory.mktemp("killed"))

    async def main() -> None:
        harness = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, cwd=Path(__file__).parents[2], env={**os.environ, "TMPDIR": folder}
        )
        try:
            while len(started := children(harness.pid)) < 2:
                await asyncio.sleep(0.02)
        finally:
            harness.kill()
            await harness.wait()
        async with asyncio.timeout(5):
            while any(running(pid) for pid in started):
                await asyncio.sleep(0.01)

    asyncio.run(main())
