"""The event loop of virtual time.

Its time is an integer count of microseconds that moves only when nothing can run: then, in this order,

1. while real I/O is in flight, the loop waits for it (really) and time stands still;
2. if agents wait for their turn, the first of each run continues, and the loop comes back here when it is quiet again;
3. else time jumps to the next timer.

Step 2 is what makes ties come out the same on every repetition: of the actions that one instant allows, each run takes
one at a time, and whatever I/O it causes has come back before the next begins.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar

from harness.clock.inflight import InFlight
from harness.clock.turns import Turns
from harness.errors import ClockError

TICKS_PER_S = 1_000_000
"""One tick is a microsecond. Times stay exact up to 30 years of virtual time in one loop (double precision)."""

_MOST_NAMED = 10
_SELDOM = 16

_T = TypeVar("_T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """``time()`` is ``ticks`` / 10⁶. Everything outside the process that the loop may have to wait for must be counted
    with ``real`` or ``in_flight``; work handed to a thread through ``run_in_executor`` (and so ``asyncio.to_thread``)
    is counted here.

    watchdog_s: real seconds without any sign of life from what is in flight, after which the loop raises ClockError.
    """

    def __init__(self, watchdog_s: float = 30.0) -> None:
        self.ticks = 0
        self.in_flight = InFlight()
        self.watchdog_s = watchdog_s
        self._contended: dict[Turns, None] = {}
        super().__init__(_Selector(self))
        # Half a tick: a timer is due when its tick has come, however its time was rounded, and never a tick early.
        self._clock_resolution = 0.5 / TICKS_PER_S

    def time(self) -> float:
        return self.ticks / TICKS_PER_S

    @contextmanager
    def real(self, label: str) -> Iterator[None]:
        """Count one operation as in flight while the body runs."""
        self.in_flight.begin(label)
        try:
            yield
        finally:
            self.in_flight.end(label)

    def ask(self, turns: Turns, who: str, number: int, go: Callable[[], bool]) -> None:
        """Queue a waiter of the run that ``turns`` belongs to."""
        turns.add(who, number, go)
        self._contended[turns] = None

    # mypy: typeshed gives this method a type-variable tuple that a subclass cannot restate for 3.11 and later alike.
    def run_in_executor(self, executor: Executor | None, func: Callable[..., _T], *args: Any) -> asyncio.Future[_T]:  # type: ignore[override]
        label = f"thread {getattr(func, '__qualname__', type(func).__qualname__)}"
        self.in_flight.begin(label)
        try:
            future: asyncio.Future[_T] = super().run_in_executor(executor, func, *args)
        except BaseException:
            self.in_flight.end(label)
            raise
        future.add_done_callback(lambda _: self.in_flight.end(label))
        return future

    async def shutdown_default_executor(self, *args: Any, **kwargs: Any) -> None:
        with self.real("end of worker threads"):
            await super().shutdown_default_executor(*args, **kwargs)

    def pass_time(self, timeout: float | None) -> bool:
        """Nothing can run and nothing is in flight: give turns, else jump to the next timer, ``timeout`` s away.
        False if there is neither."""
        if self._grant():
            return True
        if timeout is None:
            return False
        self.ticks += max(1, round(timeout * TICKS_PER_S))
        return True

    def deadlock(self) -> ClockError:
        return ClockError(
            "deadlock in virtual time: nothing can run, no I/O is in flight, no timer is set and nobody waits for a "
            f"turn. Still waiting: {self._waiting()}. Give the wait a timeout, or the run a wall-clock limit, or mark "
            "what it waits for with time.real(...) if that is outside the process."
        )

    def stuck(self) -> ClockError:
        what = self.in_flight.describe()
        return ClockError(
            f"virtual time has stood still for {self.watchdog_s:g} real seconds, waiting for: {what}. Is that service "
            "alive? If it is only slow, raise clock.watchdog_s; clock=real does not wait.",
            in_flight=what,
        )

    def _grant(self) -> bool:
        granted = False
        for turns in list(self._contended):
            granted |= turns.grant()
            if not turns:
                del self._contended[turns]
        return granted

    def _waiting(self) -> str:
        tasks = sorted((t for t in asyncio.all_tasks(self) if not t.done()), key=lambda t: t.get_name())
        more = f" and {len(tasks) - _MOST_NAMED} more" if len(tasks) > _MOST_NAMED else ""
        return (", ".join(map(_where, tasks[:_MOST_NAMED])) or "no task") + more


class _Selector(selectors.DefaultSelector):
    """Decides what happens when the loop is about to wait; see the module's text."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop
        self._looked_away = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:  # callbacks are ready or a timer is due
            return self._glance()
        if self._loop.in_flight:
            events = super().select(self._loop.watchdog_s)
            if not events:
                raise self._loop.stuck()
            return events
        events = self._glance()
        if events or self._loop.pass_time(timeout):
            return events
        # A signal handler may have run just now, and cancelled what waited for a turn; then there is work after all.
        events = super().select(0)
        if not events:
            raise self._loop.deadlock()
        return events

    def _glance(self) -> list[tuple[selectors.SelectorKey, int]]:
        """What has come in, without waiting. As long as there is nothing to look at but the loop's own pipe, which is
        there to wake it when it sleeps, a look now and then will do."""
        if len(self.get_map()) == 1:
            self._looked_away = (self._looked_away + 1) % _SELDOM
            if self._looked_away:
                return []
        return super().select(0)


def _where(task: asyncio.Task[Any]) -> str:
    frames = task.get_stack(limit=1)
    place = f" at {frames[-1].f_code.co_filename.rsplit('/', 1)[-1]}:{frames[-1].f_lineno}" if frames else ""
    return f"{task.get_name()} in {getattr(task.get_coro(), '__qualname__', '?')}{place}"
