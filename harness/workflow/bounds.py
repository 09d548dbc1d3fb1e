"""How much a workflow may do."""

from __future__ import annotations

import os
from dataclasses import dataclass

from harness.clock.protocol import Timeline

MOST_AT_ONCE = 16
"""Agents at work at the same time (seed document 004, "Scripted Workflow")."""
SPARE_CORES = 2
"""Processor cores that are left to the rest of the machine (004)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """``agents``: calls of one run; ``at_once``: agents at work at the same time, None: by the rule of ``places``;
    ``parallel_timeout_s``: seconds after which a call of ``parallel`` is not waited for; ``steps``: rounds of loops and
    calls of functions in the script; ``agent_steps``: model calls of one agent; ``agent_timeout_s``: seconds of one
    agent, None: no bound; ``retries``: how often a result is sent back that does not fit its schema."""

    agents: int
    at_once: int | None
    parallel_timeout_s: float
    steps: int
    agent_steps: int
    agent_timeout_s: float | None
    retries: int

    def places(self, time: Timeline) -> int:
        """How many agents work at once: 004's max(1, min(16, cores - 2)) on the real clock, 16 on the virtual one,
        whose figures must not depend on the machine. ``limits.workers_running`` plays no part: it is the bound of a
        lead's team (000), and a script has none."""
        if self.at_once is not None:
            return self.at_once
        return MOST_AT_ONCE if time.kind == "virtual" else max(1, min(MOST_AT_ONCE, _cores() - SPARE_CORES))


def _cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
