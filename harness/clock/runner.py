"""Running a program under a clock, from a loop of its own to the closing of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from harness.clock.loop import VirtualLoop
from harness.clock.protocol import Clock
from harness.clock.real import RealClock
from harness.clock.virtual import VirtualClock
from harness.errors import ClockError, unknown

KINDS = ("real", "virtual")

_T = TypeVar("_T")


def run(
    kind: str,
    main: Callable[[Clock], Coroutine[Any, Any, _T]],
    *,
    scale: float = 1.0,
    watchdog_s: float = 30.0,
) -> _T:
    """Run ``main(clock)`` to its end in a new event loop and return its result.

    Whatever tasks are left are cancelled and the loop is closed. SIGINT cancels ``main``, which may clean up, and then
    raises KeyboardInterrupt; a second one interrupts at once (``asyncio.Runner``). ClockError: an unknown kind, a bad
    value, a deadlock of virtual time, or I/O that stays in flight longer than ``watchdog_s`` real seconds.

    kind: ``real`` or ``virtual``. scale: see ``RealClock``; virtual time has no speed, so it must be 1 there.
    """
    if kind == "virtual":
        if scale != 1.0:
            raise ClockError(f"clock.scale={scale:g} needs clock=real: virtual time jumps and has no speed.")
        if not 0 < watchdog_s <= 86_400:
            raise ClockError(f"clock.watchdog_s is {watchdog_s}; it must be above 0 and at most 86400 real seconds.")
        loop = VirtualLoop(watchdog_s)
        return _run(lambda: loop, main, VirtualClock(loop))
    if kind == "real":
        return _run(asyncio.SelectorEventLoop, main, RealClock(scale))
    raise ClockError(unknown("clock", kind, KINDS))


def _run(
    loop_factory: Callable[[], asyncio.AbstractEventLoop],
    main: Callable[[Clock], Coroutine[Any, Any, _T]],
    clock: Clock,
) -> _T:
    with asyncio.Runner(loop_factory=loop_factory) as runner:
        return runner.run(main(clock))
