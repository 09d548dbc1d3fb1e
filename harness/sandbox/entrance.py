"""The first thing in every process of a sandbox: confined, or it says why not and ends."""

from __future__ import annotations

import os
import sys

from harness.sandbox.codec import line
from harness.sandbox.lock import Order, lock
from harness.sandbox.native import LockError


def enter(said: int, keep: tuple[int, ...] = ()) -> Order:
    """Lock this process and say so on the descriptor ``said``: ``{"locked": true}`` or ``{"missing": what}``. On
    return the harness cannot be found by ``import`` any more, and 0, 1 and 2 read and write nothing."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    sys.path[:] = [p for p in sys.path if p != root]
    order = Order.read()
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    try:
        lock(order, (said, *keep))
    except (LockError, OSError, ValueError) as fault:
        os.write(said, line({"missing": str(fault) if isinstance(fault, LockError) else repr(fault)}))
        os._exit(3)
    os.write(said, line({"locked": True}))
    return order
