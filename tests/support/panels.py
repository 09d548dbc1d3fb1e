"""Agents with the same prompts, told apart in tests by the seeds of their requests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.models.protocol import Request, TransportError
from harness.models.seeds import request_seed
from harness.models.simulated.draws import ORDINAL_BITS
from harness.records import RunRecord

from .models import ActingModel, Call, Say, turn

DEAD = Say(fault=TransportError("made to fail by a test", kind="test", retryable=False))
READ = Say(calls=(Call("read_document", {"name": "a.txt"}),))


class Panel(ActingModel):
    """``acts``: agent → what it says the first, second, … time it is asked. ``topology``: the name of the class, in
    lower case, run as sample ``s0`` with seed 0 (``support.runs.run_once``)."""

    def __init__(self, topology: str, acts: Mapping[str, Sequence[Say]], **more: Any) -> None:
        self._names = {request_seed(0, "s0", 0, topology, agent, 0): agent for agent in acts}
        super().__init__(lambda request: acts[self.agent(request)][turn(request)], **more)

    def agent(self, request: Request) -> str:
        return self._names[request.seed >> ORDINAL_BITS << ORDINAL_BITS]

    def of(self, agent: str) -> list[Request]:
        return [r for r in self.requests if self.agent(r) == agent]


def entries(**answers: str) -> str:
    """An answer with one entry for each question."""
    return json.dumps([{"question": question, "answer": answer} for question, answer in answers.items()])


def left_out(record: RunRecord) -> list[tuple[str, str]]:
    """Who was left out, and why, in order; as many as the run counts."""
    found = [(e.agent, json.loads(e.data)["text"]) for e in record.events if e.type == "left_out"]
    assert record.run.left_out == len(found)
    return found
