"""Running a script that a test has written, on virtual time, with a model that answers what the prompt tells it to."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

from support.models import Acting, ActingModel, Say
from support.panels import DEAD
from support.runs import check_invariants, events, run_once

from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import RunRecord
from topologies.workflow import Workflow

HEAD = 'META = {"name": "test", "description": "a test", "phases": []}\n'
_SAY = re.compile(r"say=(\S+)")
_LATENCY = re.compile(r"latency_ms=(\d+)")


def obedient(request: Request) -> Say:
    """Answers what stands after ``say=`` in its order, after ``latency_ms=``; fails where the order says ``die``."""
    order = str(request.messages[1]["content"])
    if "die" in order.split():
        return DEAD
    said, waits = _SAY.search(order), _LATENCY.search(order)
    return Say(said[1] if said else "done", latency_s=int(waits[1]) / 1000 if waits else 1.0)


def written(folder: Path, body: str, head: str = HEAD, name: str = "script.py") -> str:
    """The path of a script."""
    path = folder / name
    path.write_text(head + dedent(body), "utf-8")
    return str(path)


def ran(
    folder: Path,
    body: str,
    acts: Acting = obedient,
    *,
    model: ActingModel | None = None,
    limits: Limits | None = None,
    seed: int = 0,
    on: tuple[str, float] = ("virtual", 1.0),
    head: str = HEAD,
    **options: Any,
) -> RunRecord:
    """One run of a script; every invariant of any run holds. ``on``: the kind of clock and its scale."""
    topology = Workflow(script=written(folder, body, head), **options)
    kind, scale = on
    record = run_once(topology, model or ActingModel(acts), limits=limits, seed=seed, kind=kind, scale=scale)
    check_invariants(record)
    return record


def main(*lines: str) -> str:
    return "async def main(task):\n" + "".join(f"    {line}\n" for line in lines)


def told(record: RunRecord, type: str) -> list[dict[str, Any]]:
    """What the events of a type say."""
    return [json.loads(e.data) for e in events(record, type)]


def most_at_once(record: RunRecord) -> int:
    """Calls under way at the same time, at most."""
    edges: Sequence[tuple[float, int]] = sorted(
        e for c in record.calls for e in ((c.started_s, 1), (c.ended_s, -1))
    )  # of one instant, ends come first
    most = running = 0
    for _, step in edges:
        running += step
        most = max(most, running)
    return most
