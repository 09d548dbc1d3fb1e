"""The simulated model works from its prompt: names and order mean nothing to it, and what is missing from the prompt is
missed in just the way that conf/model/simulated.yaml says."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, variance
from typing import Any

import pytest

from harness.agents.tools import Tool
from harness.delegation.rules import Delegation
from harness.models.protocol import Model, Request, Response
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour, Clarify, Protocol
from harness.records import RunRecord
from harness.suite import Sample
from harness.team.roster import Member
from harness.testing.models import Wrapped
from harness.testing.runs import cell, records
from harness.testing.toy import NOTES, Toy, evidence
from harness.topology import Topology
from topologies.bus import Bus
from topologies.resample import Resample
from topologies.single import Single

TEAM = Bus(delegation=Delegation(validate=False))
"""Without the ring, which would mend most of what is to be seen here."""
SEEDS = range(200)
BOUND = 3.29
"""Standard errors, and the same for shares: two-sided one in a thousand if nothing has changed. The seeds are fixed, so
a test that passes does so every time."""
KS_BOUND = 1.95 * sqrt(2 / len(SEEDS))
"""Kolmogorov and Smirnov's bound on the distance of two distributions, again one in a thousand."""


def erring(**more: Any) -> SimulatedModel:
    """A model that errs so often that scores spread, and knows the toy suite."""
    model = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=0.7), clarify=Clarify(rate=0.2), **more))
    model.consult(Toy().oracle())
    return model


class Edited(Wrapped):
    """Sends on another request than it was asked to."""

    def __init__(self, model: Model, edit: Callable[[Request], Request]) -> None:
        super().__init__(model)
        self._edit = edit

    async def answer(self, model: Model, request: Request) -> Response:
        return await super().answer(model, self._edit(request))


class Busy(Toy):
    """The toy suite with tools that only stand around."""

    def tools(self, sample: Sample) -> Sequence[Tool]:
        async def nothing(arguments: Mapping[str, Any]) -> str:
            return "nothing"

        schema = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
        more = [Tool(name, f"To {name}.", schema, frozenset({"read"}), nothing) for name in ("weigh", "paint", "fold")]
        return [*super().tools(sample), *more]


def runs(topology: Topology, model: Model, suite: Toy | None = None, seeds: Sequence[int] = SEEDS) -> list[RunRecord]:
    """One run a seed."""
    found = []
    for seed in seeds:
        found += records(cell(topology, model, suite=suite or Toy(samples=1), seed=seed))
    return found


def scores(found: Sequence[RunRecord]) -> list[float]:
    assert all(r.run.status == "ok" for r in found), {r.run.error for r in found}
    return [r.run.score for r in found]


def assert_same_distribution(one: Sequence[float], other: Sequence[float]) -> None:
    """Means within ``BOUND`` standard errors of their difference, and distributions within ``KS_BOUND``."""
    error = sqrt(variance(one) / len(one) + variance(other) / len(other))
    assert abs(fmean(one) - fmean(other)) <= BOUND * error
    steps = sorted({*one, *other})
    distance = max(abs(sum(x <= s for x in one) / len(one) - sum(x <= s for x in other) / len(other)) for s in steps)
    assert distance <= KS_BOUND


def shuffled(request: Request) -> Request:
    """The same tools in an order of this run's own."""
    tools = list(request.tools)
    random.Random(request.seed >> 32).shuffle(tools)
    return replace(request, tools=tuple(tools))


@pytest.fixture(scope="module")
def plain() -> list[float]:
    found = scores(runs(TEAM, erring(), Busy(samples=1)))
    assert 0.4 < fmean(found) < 0.9 and len(set(found)) == 5  # it could be better or worse, and every score occurs
    return found


def test_other_names_and_other_orders_of_tools_change_no_distribution(plain: list[float]) -> None:
    renamed = replace(TEAM, roster=[Member(name) for name in ("zoe", "agent-7", "王芳")])
    other = scores(runs(renamed, Edited(erring(), shuffled), Busy(samples=1)))
    assert other != plain, "the noise is another"
    assert_same_distribution(plain, other)


@pytest.mark.parametrize("topology", [Single(), Single(reviews=1), Resample(choose="judge", judge_reads=True)], ids=str)
def test_for_a_single_agent_too(topology: Topology) -> None:
    one = scores(runs(topology, erring(), Busy(samples=1)))
    assert_same_distribution(one, scores(runs(topology, Edited(erring(), shuffled), Busy(samples=1))))


def test_a_worse_model_is_noticed(plain: list[float]) -> None:
    """So the bounds above are not too wide: 10 points of accuracy are seen."""
    worse = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=0.6), clarify=Clarify(rate=0.2)))
    worse.consult(Toy().oracle())
    with pytest.raises(AssertionError):
        assert_same_distribution(plain, scores(runs(TEAM, worse, Busy(samples=1))))


@dataclass(frozen=True)
class Habits:
    """What the lead of a run did. ``invented``: it answered with results outstanding. ``pretended``: it read nothing
    of its own before all results were in."""

    invented: bool
    pretended: bool


def habits(record: RunRecord) -> Habits:
    sent = [m for m in record.messages if m.type == "task"]
    came = [m.read_s for m in record.messages if m.type == "result" and m.recipient == "lead"]
    read = [e.at_s for e in record.events if e.agent == "lead" and '"read_document"' in e.data]
    in_time = [at for at in came if at is not None and at < record.run.wall_s]
    invented = len(in_time) < len(sent)
    return Habits(invented, not invented and min(read) >= max(in_time))


def share(found: Sequence[RunRecord], what: str) -> float:
    return fmean(getattr(habits(r), what) for r in found)


def assert_share(found: Sequence[RunRecord], what: str, declared: float) -> None:
    assert abs(share(found, what) - declared) <= BOUND * sqrt(declared * (1 - declared) / len(found))


def test_without_the_fire_and_forget_sentence_leads_pretend_or_invent() -> None:
    habit = Protocol()
    told, untold = (runs(Bus(fire_and_forget=f), erring()) for f in (True, False))
    assert share(told, "invented") == share(told, "pretended") == 0
    assert_share(untold, "invented", habit.invent)
    assert_share(untold, "pretended", habit.pretend)
    inventing = [r for r in untold if habits(r).invented]
    assert fmean(scores(inventing)) < fmean(scores(told)) / 2, "what is made up is wrong"
    pretending = [r for r in untold if habits(r).pretended]
    assert fmean(r.run.wall_s for r in pretending) > fmean(r.run.wall_s for r in told), "waiting takes time"


def without(tool: str) -> Callable[[Request], Request]:
    return lambda r: replace(r, tools=tuple(t for t in r.tools if t["function"]["name"] != tool))


@pytest.mark.parametrize("topology", [Single(), Bus()], ids=["single", "bus"])
def test_without_the_schema_of_the_reading_tool_nothing_is_known(topology: Topology) -> None:
    found = runs(topology, Edited(erring(), without("read_document")), seeds=SEEDS[:40])
    assert set(scores(found)) == {0.0}
    assert not [e for r in found for e in r.events if '"read_document"' in e.data]
    assert all("I would read" in r.run.answer for r in found if r.run.family == "single"), "and it says so"


def test_without_the_schema_of_send_message_there_is_no_team() -> None:
    found = runs(Bus(), Edited(erring(), without("send_message")), seeds=SEEDS[:40])
    assert not [m for r in found for m in r.messages]
    assert {c.agent for r in found for c in r.calls} == {"lead"}
    assert fmean(scores(found)) > 0.4, "the lead does all of it, as a single agent would"


class Blank(Toy):
    """The toy suite, whose notes have lost what proves the answers."""

    def tools(self, sample: Sample) -> Sequence[Tool]:
        (tool,) = super().tools(sample)

        async def read(arguments: Any) -> str:
            text = str(await tool.run(arguments))
            return text.replace(evidence(arguments["document"]), "(illegible)")

        return [replace(tool, run=read)]


@pytest.mark.parametrize("topology", [Single(), Bus()], ids=["single", "bus"])
def test_without_the_evidence_nothing_is_known(topology: Topology) -> None:
    found = runs(topology, erring(), Blank(samples=1), seeds=SEEDS[:40])
    assert set(scores(found)) == {0.0}
    guessed = fmean(len(json.loads(r.run.answer)) / len(NOTES) for r in found)
    assert guessed < 0.1, "it leaves out what it cannot find, but for a guess in a hundred"
