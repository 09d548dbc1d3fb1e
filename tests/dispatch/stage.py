"""A lead and its sub-agents as scripts, with a desk of documents that orders can name; every call takes 1 s unless it
says otherwise."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.models import Act, ActingModel, Call, Say, text_of
from support.runs import DeskSuite, events, run_once

from harness.agents.tools import Arguments, Tool, ToolFailed
from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.models.protocol import Request
from harness.records import CallRow, DelegationRow, RunRecord
from harness.suite import Sample
from topologies.sync import Sync

READ = Call("read_document", {"name": "a.txt"})
DONE = Say('["done"]')
SENTENCES = Delegation(order="sentence", validate=False)
RING = Delegation()
ONE_NAME = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
    "additionalProperties": False,
}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass
class ReferenceSuite(DeskSuite):
    """The desk's documents, read by a tool whose parameter orders refer to. ``read_s``: how long reading takes."""

    documents: Mapping[str, str] = field(default_factory=lambda: {"a.txt": "The fee is 340 yuan.", "b.txt": "beta"})
    read_s: float = 0.0

    def tools(self, sample: Sample) -> Sequence[Tool]:
        async def read(arguments: Arguments) -> str:
            if self.read_s:
                await pause(self.read_s)
            if arguments["name"] not in self.documents:
                raise ToolFailed(f"no document '{arguments['name']}'; there are: {', '.join(self.documents)}")
            return self.documents[arguments["name"]]

        tool = Tool("read_document", "Read one document.", ONE_NAME, frozenset({"read"}), read, reference="name")
        return [tool, *self.more_tools]


async def pause(seconds: float) -> None:
    """A wait on the loop's own time, which is virtual in these tests."""
    await asyncio.sleep(seconds)


def tool(name: str, *tags: str, result: str = "ok", raises: BaseException | None = None, seconds: float = 0.0) -> Tool:
    """A tool without parameters."""

    async def run(_: Arguments) -> str:
        if seconds:
            await pause(seconds)
        if raises is not None:
            raise raises
        return result

    return Tool(name, f"The tool {name}.", NOTHING, frozenset(tags), run)


def order(objective: str = "Find the fee.", **fields: Any) -> dict[str, Any]:
    """A structured order with nothing but what must be there, and these fields."""
    made: dict[str, Any] = {
        "objective": objective,
        "input_ref": [],
        "context_card": {"background": ""},
        "output_schema": {"type": "array"},
        "acceptance_criteria": [],
    }
    return {**made, **fields}


def dispatch(given: Mapping[str, Any] | str | None = None, type: str = "research") -> Call:
    """A dispatch of a structured order, or of a sentence."""
    given = order() if given is None else given
    return Call("dispatch_sub_agent", {"type": type, "task" if isinstance(given, str) else "order": given})


def send_order(to: str, given: Mapping[str, Any]) -> Call:
    """A structured order as a message."""
    return Call("send_message", {"to": to, "type": "task", "order": given})


def sub_type(request: Request) -> str:
    """The type of the sub-agent that a request comes from; empty: the lead."""
    found = re.search(r"You are a sub-agent of the type (\w+)", str(request.messages[0]["content"]))
    return found[1] if found else ""


def task_text(request: Request) -> str:
    """What a sub-agent was given to read first."""
    return text_of(request.messages[1])


def own_order(request: Request) -> str:
    """The order in it, without any history before."""
    return task_text(request).rpartition("[order ")[2]


class Cast(ActingModel):
    """``lead``: what the lead says. ``workers``: what a sub-agent says whose order holds the key, the first that
    fits; one act instead of a mapping is everybody's."""

    def __init__(self, lead: Act, workers: Mapping[str, Act] | Act = (), **more: Any) -> None:
        self._lead, self._workers = lead, workers
        super().__init__(self._by_role, **more)

    def _by_role(self, request: Request) -> Say:
        spoken = sum(m["role"] == "assistant" for m in request.messages)
        act = self._lead if not sub_type(request) else self._worker(request)
        say = act(request) if callable(act) else act[spoken]
        return say(request) if callable(say) else say

    def _worker(self, request: Request) -> Act:
        if not isinstance(self._workers, Mapping):
            return self._workers
        return next(act for key, act in self._workers.items() if key in own_order(request))

    def led(self) -> list[Request]:
        """The lead's requests."""
        return [r for r in self.requests if not sub_type(r)]

    def worked(self, key: str = "") -> list[Request]:
        """The requests of the sub-agents whose order holds the key."""
        return [r for r in self.requests if sub_type(r) and key in own_order(r)]


def results(request: Request) -> list[str]:
    """What the tool calls in a request's conversation returned."""
    return [text_of(m) for m in request.messages if m["role"] == "tool"]


def read_back(model: Cast) -> list[str]:
    """What the lead's calls had returned when it spoke last."""
    return results(model.led()[-1])


def ran(
    lead: Act, workers: Mapping[str, Act] | Act = (), *, suite: Any = None, limits: Limits | None = None,
    status: str = "ok", **sync: Any,
) -> tuple[RunRecord, Cast]:  # fmt: skip
    """One run of ``Sync`` that ends with this status, and its model."""
    model = Cast(lead, workers)
    record = run_once(Sync(**sync), model, suite=suite or ReferenceSuite(), limits=limits)
    assert record.run.status == status, record.run.error
    return record, model


def spans(record: RunRecord, agent: str) -> list[tuple[float, float]]:
    return [(c.started_s, c.ended_s) for c in record.calls if c.agent == agent]


def calls_of(record: RunRecord, agent: str) -> list[CallRow]:
    return [c for c in record.calls if c.agent == agent]


def spent(record: RunRecord, agent: str) -> int:
    """All tokens of an agent's calls."""
    return sum(c.prompt_tokens + c.completion_tokens for c in calls_of(record, agent))


def tries(record: RunRecord) -> list[tuple[str, int, str]]:
    """(delegation, try, status) of every row."""
    return [(d.delegation_id, d.try_, d.status) for d in record.delegations]


def told_errors(row: DelegationRow) -> list[str]:
    found: list[str] = json.loads(row.validation_errors)
    return found


def data(record: RunRecord, type: str, agent: str | None = None) -> list[dict[str, Any]]:
    """What the events of one type say."""
    return [json.loads(e.data) for e in events(record, type, agent)]
