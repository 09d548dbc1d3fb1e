"""Who was at work in a run, when and with whom: calls and messages of chosen runs, and how many agents runs have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from results.columns import Columns
from results.frames import Results
from results.tally import JUDGE

_CALLS = ("run_id", "agent", "activity", "started_s", "ended_s", "status", "late", "prompt_tokens", "completion_tokens")
_MESSAGES = ("run_id", "sender", "recipient", "type", "sent_s", "read_s", "delivery")


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt. Seconds from the run's start. ``late``: nobody waited for it any more."""

    agent: str
    activity: str
    start: float
    end: float
    status: str
    late: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class Message:
    """``read``: seconds from the run's start, None for a message that nobody read."""

    sender: str
    recipient: str
    type: str
    sent: float
    read: float | None
    delivery: str


@dataclass(frozen=True, slots=True)
class Trace:
    """One run's attempts (the judge's left out) and messages, in the order of their times."""

    calls: tuple[Call, ...]
    messages: tuple[Message, ...]


def agents(results: Results) -> dict[str, int]:
    """Run → agents that made a call in it, the judge left out. A run without calls has no entry."""
    found: dict[str, int] = {}
    for table in results.snapshot.tables("calls", ["run_id", "agent", "activity"]):
        calls = Columns.of(table)
        calls = calls.where(~calls.texts("activity").equal(JUDGE))
        for run_id in calls.sums(["run_id", "agent"], []).texts("run_id").tolist():
            found[run_id] = found.get(run_id, 0) + 1
    return found


def typical(runs: Columns) -> str:
    """The run of the median cost, of tokens where any cost is unknown; of an even number the cheaper one in the middle.

    ``runs``: of one cell, at least one.
    """
    spent = runs.numbers("prompt_tokens") + runs.numbers("completion_tokens")
    if runs.numbers("cost_complete").all():
        spent = runs.numbers("cost_pusd")
    ids = runs.texts("run_id").tolist()
    order = sorted(range(len(ids)), key=lambda i: (int(spent[i]), ids[i]))
    return ids[order[(len(order) - 1) // 2]]


def traces(results: Results, run_ids: Iterable[str]) -> dict[str, Trace]:
    """What happened in these runs."""
    wanted = frozenset(run_ids)
    calls: dict[str, list[Call]] = {run_id: [] for run_id in wanted}
    messages: dict[str, list[Message]] = {run_id: [] for run_id in wanted}
    for run_id, *values in _rows(results, "calls", _CALLS, wanted):
        agent, activity, start, end, status, late, prompt, completion = values
        if activity != JUDGE:
            calls[run_id].append(Call(agent, activity, start, end, status, bool(late), prompt + completion))
    for run_id, sender, recipient, kind, sent, read, delivery in _rows(results, "messages", _MESSAGES, wanted):
        messages[run_id].append(Message(sender, recipient, kind, sent, None if np.isnan(read) else read, delivery))
    return {
        run_id: Trace(
            tuple(sorted(calls[run_id], key=lambda c: (c.start, c.end, c.agent))),
            tuple(sorted(messages[run_id], key=lambda m: (m.sent, m.sender, m.recipient))),
        )
        for run_id in sorted(wanted)
    }


def _rows(results: Results, name: str, columns: tuple[str, ...], wanted: frozenset[str]) -> Iterable[tuple[Any, ...]]:
    for table in results.snapshot.tables(name, columns):
        found = Columns.of(table)
        found = found.where(found.texts("run_id").among(wanted))
        if len(found):
            yield from zip(*(found.columns[c].tolist() for c in columns), strict=True)
