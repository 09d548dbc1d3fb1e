"""A bounded executor with the rules of a thread pool: core, queue, more up to a maximum, then rejection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from harness.errors import ConfigError


@dataclass(frozen=True)
class Pool:
    """Places of sub-agents (seed document 001, section 6: core 2, max 8, queue 16, then rejected). A sub-agent starts
    at once while fewer than ``core`` run; then it is queued; with a full ``queue`` it starts while fewer than ``max``
    run; then it is rejected."""

    core: int = 2
    max: int = 8
    queue: int = 16

    def __post_init__(self) -> None:
        if not 1 <= self.core <= self.max or self.queue < 0:
            raise ConfigError(
                f"topology.pool: core={self.core}, max={self.max}, queue={self.queue}: 1 <= core <= max and 0 <= queue "
                "must hold."
            )

    def within(self, running: int) -> Pool:
        """The same with at most so many running."""
        return Pool(min(self.core, running), min(self.max, running), self.queue)


class Rejected(Exception):
    """The executor is full."""


@dataclass(slots=True, eq=False)
class Job:
    """Something submitted. ``started``: set when it has a place."""

    work: Callable[[], Coroutine[Any, Any, None]]
    started: bool = False


class Executor:
    """Runs jobs in a task group. A job nobody waits for any more goes on, unless it was still queued."""

    def __init__(self, pool: Pool, group: asyncio.TaskGroup) -> None:
        self._pool = pool
        self._group = group
        self._running = 0
        self._queue: deque[Job] = deque()

    def submit(self, work: Callable[[], Coroutine[Any, Any, None]]) -> Job:
        """Raises Rejected when every place and the queue are taken."""
        job = Job(work)
        if self._running < self._pool.core:
            self._start(job)
        elif len(self._queue) < self._pool.queue:
            self._queue.append(job)
        elif self._running < self._pool.max:
            self._start(job)
        else:
            raise Rejected(f"{self._running} sub-agents run and {len(self._queue)} are queued; no more are taken")
        return job

    def abandon(self, job: Job) -> None:
        """Nobody waits for it: it never starts, or, if it has, is left alone."""
        if job in self._queue:
            self._queue.remove(job)

    def _start(self, job: Job) -> None:
        self._running += 1
        job.started = True
        self._group.create_task(self._run(job))

    async def _run(self, job: Job) -> None:
        try:
            await job.work()
        finally:
            self._running -= 1
        if self._queue:  # not after a fault or a cancellation: those end the group, and nothing more starts in it
            self._start(self._queue.popleft())
