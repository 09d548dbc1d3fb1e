"""Real time, and real time made faster."""

from __future__ import annotations

import asyncio
import math
import re
import time as real_time

import pytest

from harness.clock.protocol import Clock
from harness.clock.real import RealClock
from harness.clock.runner import run
from harness.errors import ClockError


def test_scale_divides_waiting_and_not_what_is_reported() -> None:
    async def main(clock: Clock) -> tuple[float, int]:
        time = clock.start()
        await time.sleep(5, "a")
        with pytest.raises(TimeoutError):
            async with time.timeout(5, "a"):
                await asyncio.Event().wait()
        return time.now(), clock.ticks()

    began = real_time.monotonic()
    now, ticks = run("real", main, scale=100)
    took = real_time.monotonic() - began
    assert 0.1 <= took < 5
    assert 10 <= now <= 100 * took + 0.01
    assert ticks >= 10_000_000


def test_turns_and_counting_are_free() -> None:
    async def main(clock: Clock) -> None:
        time = clock.start()
        turn = time.turn("a")
        with pytest.raises(StopIteration):
            turn.send(None)  # never suspends
        time.expect("x", 3)
        time.arrived("x", 5)
        with time.real("y"):
            pass

    run("real", main)


def test_timestamp_is_the_date() -> None:
    async def main(clock: Clock) -> str:
        return clock.start().timestamp()

    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", run("real", main))


@pytest.mark.parametrize("scale", [0, -1, math.inf, math.nan])
def test_scale_must_be_positive(scale: float) -> None:
    with pytest.raises(ClockError, match=r"clock\.scale"):
        RealClock(scale)
