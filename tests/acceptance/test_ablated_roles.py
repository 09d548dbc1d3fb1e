"""What a role knows is taken away and nothing else; members who may not write to each other do not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.models import ActingModel, Say, news, send, turn, who
from support.runs import run_once
from support.teams import talking_bus

from harness.dispatch.definition import SubAgent
from harness.errors import ConfigError
from harness.models.protocol import Model, Request, Response
from harness.models.simulated import SimulatedModel
from harness.team.roster import Member
from harness.testing.models import Wrapped, faultless
from harness.testing.runs import cell, records
from harness.testing.toy import Toy
from harness.topology import Topology
from tasks.specialists import Specialists
from topologies.bus import Bus
from topologies.sync import Sync
from topologies.vote import Vote

from .commands import here, inside, one_error

ROSTER = [Member("alice", brief="Kubernetes, and whatever else runs in clusters."), Member("bob", brief="你熟悉水泵。")]
TYPES = [
    SubAgent("digger", "digs", "Kubernetes first: look there, then anywhere else."),
    SubAgent("writer", "writes", "W."),
]


class Heard(Wrapped):
    """Keeps every request's system prompt, and what it was sent for."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.prompts: list[str] = []

    async def answer(self, model: Model, request: Request) -> Response:
        text = str(request.messages[0]["content"])
        self.prompts.append(text.partition("\n")[2] if text.startswith("[") else text)
        return await super().answer(model, request)


def systems(topology: Topology, suite: Any = None) -> set[str]:
    """All system prompts of one run, without its mark."""
    model = Heard(SimulatedModel() if suite is not None else faultless())
    model._model.consult((suite or Toy()).oracle())  # type: ignore[attr-defined]
    (record,) = records(cell(topology, model, suite=suite or Toy(1)))
    assert record.run.status == "ok"
    return set(model.prompts)


def tokens(record_topology: Topology, agent: str, suite: Any = None) -> int:
    """Counted tokens of an agent's own system prompt, as the ledger weighs its parts."""
    from harness.session import Session

    seen: list[int] = []
    made = Session.agent

    def spy(session: Session, name: str, **more: Any) -> Any:
        created = made(session, name, **more)
        if created.caller.role == agent or name == agent:
            seen.append(sum(p.weight for p in created.conversation.turns[0].content[1:]))
        return created

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Session, "agent", spy)
        systems(record_topology, suite)
    assert seen
    return seen[0]


@pytest.mark.parametrize(
    ("whole", "left", "agent", "lost"),
    [
        (Bus(roster=ROSTER), Bus(roster=ROSTER, ablate="alice"), "alice", "Kubernetes, and"),
        (Bus(roster=ROSTER), Bus(roster=ROSTER, ablate="bob"), "bob", "水泵"),
        (
            Sync(types=[], definitions=TYPES),
            Sync(types=[], definitions=TYPES, ablate="digger"),
            "digger",
            "Kubernetes first",
        ),
        (Sync(types=["research"]), Sync(types=["research"], ablate="research"), "research", "Read everything that"),
    ],
    ids=["bus", "bus in Chinese", "own type", "built-in type"],
)
def test_the_agent_stays_and_its_brief_goes(whole: Topology, left: Topology, agent: str, lost: str) -> None:
    """Its system prompt has as many tokens, to the last, and says nothing of what it did."""
    assert tokens(whole, agent) == tokens(left, agent)
    before, after = systems(whole), systems(left)
    own = [text for text in before - after if lost in text]
    assert own and not any(lost in text for text in after if "You lead" not in text)
    assert len(before) == len(after), "nobody is gone"


def test_only_that_agents_prompts_change() -> None:
    """Its lead still hands it what it is known for."""
    changed = systems(Bus(roster=ROSTER)) ^ systems(Bus(roster=ROSTER, ablate="alice"))
    assert len(changed) == 2 and all("You are alice, a member" in text for text in changed)
    changed = systems(Sync(types=[], definitions=TYPES)) ^ systems(Sync(types=[], definitions=TYPES, ablate="digger"))
    assert changed and all("of the type digger" in text for text in changed)


def test_a_specialty_is_taken_away_from_the_member_that_has_it() -> None:
    suite = Specialists(samples=1)
    suite.load()
    known = suite.sample(suite.sample_ids()[0]).specialties
    roster = [Member(s.role, specialties=[s.role]) for s in known]
    first, second = known[0], known[1]
    whole, left = Bus(roster=roster), Bus(roster=roster, ablate=first.role)
    assert tokens(whole, first.role, suite) == tokens(left, first.role, suite)
    before, after = systems(whole, suite), systems(left, suite)
    mine = [text for text in before if f"You are {first.role}," in text]
    assert mine and all(first.text in text and second.text not in text for text in mine)
    mine = [text for text in after if f"You are {first.role}," in text]
    assert mine and all(first.neutral in text and first.text not in text for text in mine)
    others = [text for text in before if f"You are {second.role}," in text]
    assert others and set(others) <= after


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (
            ["topology=sync", "topology.ablate=reserch"],
            "unknown role in topology.ablate 'reserch'. Did you mean 'research'? Valid choices: coder, explore, "
            "general_purpose, plan, research, reviewer. null leaves nothing out.",
        ),
        (
            ["topology=bus", "topology.ablate=alice"],
            "Valid choices: (none). No role of this configuration has a brief of its own.",
        ),
        (["topology=vote", "+topology.ablate=voter"], "unknown key 'topology.ablate'"),
    ],
)
def test_a_role_that_has_nothing_to_lose(words: Sequence[str], error: str, tmp_path: Path) -> None:
    assert error in one_error(inside(tmp_path, *words))


def test_a_sweep_over_roles_says_in_its_rows_what_is_left_out(tmp_path: Path) -> None:
    roster = "topology.roster=[{name: alice, brief: You know pumps.}, {name: bob, brief: You know gates.}]"
    small = (
        "task=qa_corpus",
        "task.corpus=generated",
        "task.docs=4",
        "task.samples=1",
        "bus=memory",
        "task.questions=2",
    )
    found = here(
        tmp_path / "runs",
        "-m",
        "topology=bus",
        roster,
        "topology.ablate=null,alice,bob",
        "topology.messages=on,off",
        *small,
    )
    runs = found.runs
    left_out = ["-", "alice", "alice, messages", "bob", "bob, messages", "messages"]
    assert sorted(runs.ablate.fillna("-")) == left_out
    assert set(runs.status) == {"ok"}
    varied = {json.loads(p)["topology.ablate"] for p in runs.params}
    assert varied == {None, "alice", "bob"}


def test_silent_members_write_to_nobody_but_the_lead() -> None:
    """Each tries to write to the other: with messages on it arrives, with messages off it is refused and counted."""

    def member(request: Request) -> Say:
        if turn(request) == 0:
            other = "bob" if who(request) == "alice" else "alice"
            return Say(calls=[send(other, "clarify", "Which name do we use?")])
        return Say("done")

    def lead(request: Request) -> Say:
        if turn(request) == 0:
            return Say(calls=[send("alice", "task", "Do A."), send("bob", "task", "Do B.")])
        return Say('["done"]')

    def ran(**options: Any) -> tuple[Any, ActingModel]:
        model = ActingModel({"lead": lead, "alice": member, "bob": member})
        return run_once(talking_bus(workers=2, **options), model), model

    loud, _ = ran()
    sideways = [m for m in loud.messages if "lead" not in (m.sender, m.recipient)]
    assert {(m.sender, m.recipient) for m in sideways} == {("alice", "bob"), ("bob", "alice")}
    assert loud.run.refused == 0
    silent, model = ran(messages=False)
    assert silent.run.status == "ok" and silent.messages
    assert all("lead" in (m.sender, m.recipient) for m in silent.messages)
    assert silent.run.refused == 2
    told = [news(r) for name in ("alice", "bob") for r in model.of(name) if turn(r) == 1]
    assert all("Refused: there is no agent" in text and "You may send to: lead." in text for text in told)
    for name, other in (("alice", "bob"), ("bob", "alice")):
        system = str(model.of(name)[0].messages[0]["content"])
        assert "other members: none." in system and other not in system


def test_what_takes_no_roles_refuses_the_setting() -> None:
    with pytest.raises(TypeError):
        Vote(ablate="voter")  # type: ignore[call-arg]
    with pytest.raises(ConfigError, match="No role of this configuration has a brief of its own"):
        Bus(ablate="alice")
