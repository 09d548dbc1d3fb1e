"""The order in which the agents of one run act at one instant."""

from __future__ import annotations

import heapq
from collections.abc import Callable

Go = Callable[[], bool]
"""Lets a waiter continue; False if it no longer waits, so that its turn passes to the next."""


class Turns:
    """One run's waiters, ordered by (who, order of asking)."""

    def __init__(self) -> None:
        self._waiters: list[tuple[str, int, Go]] = []
        self._asked = 0

    def __bool__(self) -> bool:
        return bool(self._waiters)

    def number(self) -> int:
        """The next place in the order of asking. Taken when waiting begins, not when it ends: timers that expire
        together reach the queue in an order that depends on other runs."""
        self._asked += 1
        return self._asked

    def add(self, who: str, number: int, go: Go) -> None:
        heapq.heappush(self._waiters, (who, number, go))

    def grant(self) -> bool:
        """Let the first who still waits continue; False if nobody does."""
        while self._waiters:
            _, _, go = heapq.heappop(self._waiters)
            if go():
                return True
        return False
