"""Stores whose verdict is known before anything is worked out: cells as lists of outcomes, one a sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from run_builder import Call, Read, record

from harness.records import RunRecord

TOKEN_USD = 3e-6
"""What a token of these stores costs: they are all read."""
FAMILY = ("single", "resample", "strong")


@dataclass(frozen=True)
class One:
    """What a cell made of one sample. ``talk``: how many of ``tokens`` are coordination."""

    score: float
    tokens: int = 1000
    talk: int = 0
    wall_s: float = 10.0
    status: str = "ok"
    priced: bool = True


def world(
    cells: Mapping[str, Sequence[One | None]],
    *,
    task: str = "qa",
    cluster: Callable[[int], str] = lambda i: f"cluster{i}",
    epoch: int = 0,
    **changes: Any,
) -> list[RunRecord]:
    """One run for each cell and sample that has an outcome. Cells are named by their topology; those of FAMILY are
    single agents. ``changes``: fields of all run rows."""
    return [
        _run(name, one, task=task, sample=f"s{i:03d}", cluster_id=cluster(i), epoch=epoch, **changes)
        for name, outcomes in cells.items()
        for i, one in enumerate(outcomes)
        if one is not None
    ]


def _run(name: str, one: One, **options: Any) -> RunRecord:
    reads = [Read("task", one.tokens - one.talk), *([Read("sync", one.talk, author="peer")] if one.talk else [])]
    made = {"family": "single" if name in FAMILY else "team", "cell": name, "topology": name, "wall_s": one.wall_s}
    return record(
        [Call("agent", reads, [], priced=one.priced)], score=one.score, status=one.status, **{**made, **options}
    )
