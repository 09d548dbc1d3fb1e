"""Tasks that a topology starts and does not end: they belong to its run, and end with it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from harness.session import Session

_OWNER: ContextVar[set[asyncio.Task[Any]] | None] = ContextVar("tasks of this run", default=None)
PATIENCE_S = 1.0
"""Seconds of the run's clock that a cancelled task has to end in."""


class Leftovers:
    """The tasks of one run that are not done."""

    def __init__(self, tasks: set[asyncio.Task[Any]]) -> None:
        self._tasks = tasks

    async def end(self, session: Session) -> None:
        """Cancel what is left and wait for it, so that the calls it had under way become rows. Says so in an event."""
        left = {t for t in self._tasks if not t.done()}
        if not left:
            return
        names = sorted(getattr(t.get_coro(), "__qualname__", "?") for t in left)
        session.events.emit("leftover", "engine", {"tasks": names})
        for task in left:
            task.cancel()
        await asyncio.wait(left, timeout=PATIENCE_S)


@contextmanager
def owned_tasks() -> Iterator[Leftovers]:
    """While this lasts, every task that this context or one of its tasks creates belongs to it."""
    loop = asyncio.get_running_loop()
    if loop.get_task_factory() is None:
        loop.set_task_factory(cast(Any, _created))  # typeshed wants more of a factory than asyncio does
    tasks: set[asyncio.Task[Any]] = set()
    token = _OWNER.set(tasks)
    try:
        yield Leftovers(tasks)
    finally:
        _OWNER.reset(token)


def _created(loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
    task = asyncio.Task(coro, loop=loop, **options)
    owner = _OWNER.get()
    if owner is not None:
        owner.add(task)
        task.add_done_callback(owner.discard)
    return task
