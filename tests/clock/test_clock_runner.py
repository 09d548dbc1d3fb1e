"""Running a program under a clock: results, leftovers, interrupts."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time as real_time

import pytest

from harness.clock.protocol import Clock
from harness.clock.runner import run
from harness.errors import ClockError

KINDS = pytest.mark.parametrize("kind", ["virtual", "real"])


@KINDS
def test_result_error_and_kind(kind: str) -> None:
    async def main(clock: Clock) -> str:
        return clock.kind

    async def fails(clock: Clock) -> None:
        raise LookupError("mine")

    assert run(kind, main) == kind
    with pytest.raises(LookupError, match="mine"):
        run(kind, fails)


@KINDS
def test_leftover_tasks_are_cancelled(kind: str) -> None:
    ended: list[str] = []

    async def left() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("cancelled")

    async def main(clock: Clock) -> asyncio.Task[None]:
        task = asyncio.create_task(left())
        await asyncio.sleep(0)
        return task

    assert run(kind, main).cancelled()
    assert ended == ["cancelled"]


def test_threads_are_waited_for_at_the_end() -> None:
    """A cancelled wait leaves its thread behind; closing the loop joins it without calling it a deadlock."""
    done = threading.Event()

    def slow() -> None:
        real_time.sleep(0.1)
        done.set()

    async def main(clock: Clock) -> None:
        waiting = asyncio.create_task(asyncio.to_thread(slow))
        await asyncio.sleep(0)
        waiting.cancel()

    run("virtual", main)
    assert done.is_set()


def test_cleaning_up_after_the_watchdog() -> None:
    ended: list[float] = []

    async def main(clock: Clock) -> None:
        time = clock.start()
        try:
            with time.real("stuck"):
                await asyncio.Event().wait()
        finally:
            await time.sleep(5, "a")
            ended.append(time.now())

    with pytest.raises(ClockError, match="stuck"):
        run("virtual", main, watchdog_s=0.1)
    assert ended == [5.0]


def test_unknown_kind_and_useless_scale() -> None:
    async def main(clock: Clock) -> None: ...

    with pytest.raises(ClockError, match=r"unknown clock 'vritual'\. Did you mean 'virtual'\?"):
        run("vritual", main)
    with pytest.raises(ClockError, match=r"clock\.scale=2 needs clock=real"):
        run("virtual", main, scale=2)


PROGRAM = """
import asyncio, sys, time
from harness.clock.runner import run

async def main(clock):
    t = clock.start()
    try:
        if sys.argv[1] == "jumping":
            print("ready", flush=True)
            while True:
                await t.sleep(1, "a")
        else:
            with t.real("nothing that ever comes"):
                print("ready", flush=True)
                await asyncio.Event().wait()
    finally:
        await t.sleep(1000, "a")
        print("cleaned up", flush=True)

try:
    run("virtual", main, watchdog_s=60)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("doing", ["jumping"] * 10 + ["waiting"])  # jumping: the signal can come anywhere
def test_an_interrupt_ends_a_virtual_run_promptly(doing: str) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, doing],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        stdout = program.stdout
        assert stdout is not None and stdout.readline() == "ready\n"
        real_time.sleep(0.1)
        began = real_time.monotonic()
        program.send_signal(signal.SIGINT)
        said, _ = program.communicate(timeout=30)
        assert said == "cleaned up\ninterrupted\n"
        assert real_time.monotonic() - began < 5
    finally:
        program.kill()
        program.communicate(timeout=30)
