"""Who can ask back: reverse communication as the suite ``briefing`` shows it, with a model that makes no other error.

Six of its eight lines are ambiguous. Whoever asks gets them right; whoever cannot, or does not, takes the natural
reading of each, and every loss is a wrong reading.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.models.protocol import Model, Request, Response
from harness.models.simulated.behaviour import Asking
from harness.records import RunRecord
from harness.team.roster import Member
from harness.testing.models import Wrapped, faultless
from harness.testing.runs import cell, faults, records
from tasks.briefing import Briefing
from topologies.bus import Bus
from topologies.inline import Inline
from topologies.moa import Moa
from topologies.nested import Nested
from topologies.single import Single
from topologies.sync import Sync
from topologies.taskboard import Taskboard

SAMPLES = 2
FIELDS, AMBIGUOUS = 8, 6
RIGHT = {"right": FIELDS * SAMPLES}
MEANS = re.compile(r'By "[^"]+" I mean: [^\n]+')


def natural() -> Mapping[str, int]:
    """What becomes of the lines if the natural reading is taken for meant: it is, in some of them."""
    suite = Briefing(limit=SAMPLES)
    wrong = sum(line.meant != 0 for sample_id in suite.sample_ids() for line in suite.problem(sample_id).fields)
    assert 0 < wrong < AMBIGUOUS * SAMPLES
    return {"right": FIELDS * SAMPLES - wrong, "wrong_reading": wrong}


NATURAL = natural()


def model(rate: float, suite: Briefing) -> Model:
    made = faultless()
    made = replace(made, behaviour=replace(made.behaviour, asking=Asking(rate=rate)))
    made.consult(suite.oracle())
    return made


def ran(topology: Any, rate: float = 1.0, **options: Any) -> list[RunRecord]:
    suite = Briefing(limit=SAMPLES, **options)
    found = records(cell(topology, model(rate, suite), suite=suite))
    assert [r.run.status for r in found] == ["ok"] * SAMPLES
    return found


def outcomes(found: list[RunRecord]) -> Mapping[str, int]:
    """What became of the lines, ambiguous ones and others."""
    counts: Counter[str] = Counter()
    for record in found:
        detail = next(json.loads(e.data) for e in record.events if e.type == "graded")
        counts.update(line["outcome"] for line in detail["fields"])
        plain = [line["outcome"] for line in detail["fields"] if not line["ambiguous"]]
        assert plain == ["right"] * (FIELDS - AMBIGUOUS)
    return counts


def askers(found: list[RunRecord]) -> set[str]:
    return {e.agent for r in found for e in r.events if e.type == "tool" and "ask_requester" in e.data}


def talk(found: list[RunRecord]) -> set[str]:
    return {m.type for r in found for m in r.messages if m.type.startswith("clarify")}


@pytest.mark.parametrize(
    ("topology", "who"),
    [
        (Single(), {"solver"}),
        (Moa(), {"proposer_1", "proposer_2", "proposer_3"}),
        (Nested(), {"lead"}),
        (Bus(), {"lead"}),
        (Bus(lead_works=False), {"lead"}),
    ],
)
def test_whoever_can_ask_gets_every_line_right(topology: Any, who: set[str], tmp_path: Path) -> None:
    found = ran(topology)
    assert outcomes(found) == RIGHT and askers(found) == who
    assert faults(found, tmp_path) == []


def test_a_member_of_the_bus_asks_its_lead() -> None:
    found = ran(Bus(lead_works=False))
    assert talk(found) == {"clarify", "clarify_resp"}
    for record in found:
        asked = {m.msg_id: m for m in record.messages if m.type == "clarify"}
        told = [m for m in record.messages if m.type == "clarify_resp"]
        assert {m.in_reply_to for m in told} == set(asked)
        assert all("I mean: " in m.content and m.recipient == asked[m.in_reply_to or ""].sender for m in told)


@pytest.mark.parametrize("topology", [Sync(), Inline(), Taskboard()])
def test_workers_who_cannot_talk_back_take_the_natural_reading(topology: Any) -> None:
    found = ran(topology)
    assert outcomes(found) == NATURAL and askers(found) == set() == talk(found)


@pytest.mark.parametrize("topology", [Single(), Bus(), Sync(), Moa()])
def test_so_does_whoever_does_not_ask(topology: Any) -> None:
    found = ran(topology, rate=0.0)
    assert outcomes(found) == NATURAL and askers(found) == set() == talk(found)


@pytest.mark.parametrize("topology", [Single(), Bus()])
def test_and_everybody_where_there_is_nobody_to_ask(topology: Any) -> None:
    assert outcomes(ran(topology, requester=False)) == NATURAL


class Deaf(Wrapped):
    """Whatever a lead replies to a question arrives without its words."""

    async def answer(self, model: Model, request: Request) -> Response:
        heard = tuple({**m, "content": MEANS.sub("", m["content"] or "")} for m in request.messages)
        member = "You lead a team" not in str(request.messages[0]["content"])
        return await super().answer(model, replace(request, messages=heard) if member else request)


def test_and_every_member_when_the_replies_are_lost() -> None:
    suite = Briefing(limit=SAMPLES)
    found = records(cell(Bus(lead_works=False), Deaf(model(1.0, suite)), suite=suite))
    assert outcomes(found) == NATURAL and talk(found) == {"clarify", "clarify_resp"}


def test_without_ambiguous_lines_sync_does_as_well_as_bus() -> None:
    for topology in (Sync(), Bus()):
        suite = Briefing(limit=SAMPLES, ambiguous=0)
        found = records(cell(topology, model(1.0, suite), suite=suite))
        assert [r.run.score for r in found] == [1.0] * SAMPLES


def test_a_member_may_be_given_the_tool_itself() -> None:
    roster = [Member("alice", tags=["read", "ask"])]
    found = ran(Bus(roster=roster, lead_works=False))
    assert outcomes(found) == RIGHT and askers(found) == {"alice"} and talk(found) == set()
