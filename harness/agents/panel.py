"""Agents that work at the same time and know nothing of each other; one that fails is left out and counted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from math import inf
from typing import Any, TypeVar

from harness.agents.faults import OwnFault, own_fault
from harness.errors import TopologyFailed, single_fault
from harness.session import Session

ROUNDING = 1e-3
"""Seconds by which two readings of a run's clock may be off."""
T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


async def together(
    session: Session,
    work: Mapping[str, Work[T]],
    *,
    timeout_s: float | None = None,
    bound: str = "worker_timeout_s",
    heard: Callable[[str, T], None] = lambda name, made: None,
) -> dict[str, T]:
    """Do each agent's work, all at once but never more than ``limits.workers_running``; what came of it, by name and in
    the order of ``work``, without those that were left out.

    An agent is left out (``Session.leave_out``) when it fails by its own fault or is not done ``timeout_s`` after it
    began (``bound``: the name of that setting). ``heard``: told of each agent that is done, as soon as it is. A breach
    of the run's limit, and a defect, end all and are raised.
    """
    slots = asyncio.Semaphore(session.limits.workers_running)
    done: dict[str, T] = {}

    async def one(name: str, own: Work[T]) -> None:
        async with place(session, slots):
            made = await alone(session, name, own, timeout_s, bound)
            if not isinstance(made, OwnFault):
                done[name] = made
                heard(name, made)

    with single_fault():
        async with asyncio.TaskGroup() as group:
            for name, own in work.items():
                group.create_task(one(name, own))
    return {name: done[name] for name in work if name in done}


async def alone(
    session: Session, name: str, own: Work[T], timeout_s: float | None, bound: str = "worker_timeout_s"
) -> T | OwnFault:
    """One agent's work: what came of it, or the fault of its own by which it was left out. ``bound``: the name of the
    setting that is ``timeout_s``."""
    limit, began = inf if timeout_s is None else timeout_s, session.time.now()
    try:
        async with session.time.timeout(limit, session.named(name)):
            return await own()
    except Exception as fault:
        failed = own_fault(fault)
        if failed is None:
            raise
        if not failed.text:  # our own timeout says nothing, nor does one that a tool raised by itself
            late = session.time.now() - began > limit - ROUNDING
            failed = OwnFault(failed.reason, f"{bound}: not done after {limit:g} s" if late else "a timeout of its own")
        session.leave_out(name, failed.text)
        return failed


@asynccontextmanager
async def place(session: Session, slots: asyncio.Semaphore) -> AsyncIterator[None]:
    """One of the places for agents at work; waiting for it is no work (``runs.working_s``)."""
    queued = session.time.now()
    async with slots:
        if session.time.now() > queued:
            session.operator.waits.append((queued, session.time.now()))
        yield


def need(session: Session, quorum: int, answered: Mapping[str, object], of: int, what: str) -> None:
    """Raise TopologyFailed, with what ended the others, unless at least ``quorum`` of ``of`` agents (``what``, in the
    plural) have answered."""
    if len(answered) < quorum:
        few = f"quorum: {len(answered)} of {of} {what} answered, and {quorum} are needed"
        why = "; ".join(dict.fromkeys(session.left_out()))
        raise TopologyFailed(f"{few if quorum > 1 else f'none of {of} {what} answered'} ({why})")
