"""A plan: steps for experts, which may depend on each other, and the levels in which they are done."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from typing import Any

from harness.delegation.order import TaskOrder
from harness.errors import unknown


class Risk(StrEnum):
    """What a wrong result of a step would do to the whole: it hardly matters, …, it spoils it."""

    LOW = "LOW"
    MEDIUM = "MEDIUM"
    HIGH = "HIGH"


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``expert``: name in the team; ``order``: what it is to do; ``written``: the step as it was handed in.
    ``whole``: its order is the sample's statement, and it is the only step."""

    id: str
    expert: str
    depends_on: tuple[str, ...]
    risk: Risk
    order: TaskOrder
    written: Mapping[str, Any]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps without a cycle, in the order in which they were handed in."""

    steps: tuple[Step, ...]

    def levels(self) -> list[list[Step]]:
        """The steps that may be done at the same time, level by level. What depends on a step that is not of this plan
        (one that is done) waits for nothing."""
        by_id = {step.id: step for step in self.steps}
        sorter = TopologicalSorter({s.id: [d for d in s.depends_on if d in by_id] for s in self.steps})
        sorter.prepare()
        found = []
        while sorter.is_active():
            ready = set(sorter.get_ready())
            found.append([step for step in self.steps if step.id in ready])
            sorter.done(*ready)
        return found


def before(steps: Sequence[Step]) -> dict[str, frozenset[str]]:
    """Step id → all steps on which it depends, also by way of others. The steps hold no cycle."""
    by_id = {step.id: step for step in steps}
    found: dict[str, frozenset[str]] = {}
    for id in TopologicalSorter({s.id: [d for d in s.depends_on if d in by_id] for s in steps}).static_order():
        own = [d for d in by_id[id].depends_on if d in by_id]
        found[id] = frozenset(own).union(*(found[d] for d in own))
    return found


def sole_last(steps: Sequence[Step]) -> Step | None:
    """The one step that depends on all others, also by way of others; None if there is none."""
    known = before(steps)
    return next((step for step in steps if len(known[step.id]) == len(steps) - 1), None)


def shape_faults(
    steps: Sequence[Mapping[str, Any]], experts: Collection[str], most: int, done: Collection[str] = ()
) -> list[str]:
    """What is wrong with steps as they were handed in, one sentence each, their orders aside. Each step has an ``id``
    and an ``expert``; ``done``: ids of steps that are done already, on which others may depend."""
    faults = []
    if not steps:
        faults.append("The plan has no step.")
    if len(steps) > most:
        faults.append(f"The plan has {len(steps)} steps; at most {most} are allowed.")
    ids = [str(step["id"]).strip() for step in steps]
    for id in dict.fromkeys(ids):
        if not id or id in done:
            faults.append(f"The id '{id}' is {'taken by a step that is done' if id else 'empty'}.")
        elif ids.count(id) > 1:
            faults.append(f"The id '{id}' stands for {ids.count(id)} steps: give each its own.")
    graph: dict[str, list[str]] = {}
    for id, step in zip(ids, steps, strict=True):
        if step["expert"] not in experts:
            faults.append(f"Step '{id}': {unknown('expert', step['expert'], experts)}")
        wanted = [str(d).strip() for d in step.get("depends_on", ())]
        for other in wanted:
            if other not in ids and other not in done:
                faults.append(f"Step '{id}' depends on '{other}', which is no step of the plan.")
        graph.setdefault(id, []).extend(d for d in wanted if d in ids)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        faults.append(f"Steps depend on each other in a cycle: {' -> '.join(cycle.args[1])}.")
    return faults
