"""A lead at work, with its sub-agents beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from harness.errors import single_fault
from harness.session import Session
from harness.topology import Answer


async def led(session: Session, solve: Callable[[asyncio.TaskGroup], Coroutine[Any, Any, str]]) -> Answer:
    """The answer that a lead gives; its sub-agents, and theirs, run in the group. Those that were abandoned go on to
    their end after it; what they spend is late. A fault or a breach of the run's limit in any of them ends them all."""
    with single_fault():
        async with asyncio.TaskGroup() as group:
            answer = await solve(group)
            session.offer(answer)
            session.answered()
    return Answer(answer)
