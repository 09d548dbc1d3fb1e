"""Topologies as workers of topologies: named, accounted, bounded and repeatable like any other worker."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from bus.servers import redis_binaries
from support.runs import events

from harness.accounting.purposes import Purpose, Stance
from harness.bus.embedded import EmbeddedBus
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.delegation.rules import Delegation
from harness.dispatch.definition import SubAgent
from harness.errors import ConfigError, TopologyFailed
from harness.limits import Limits, exceeded
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord, places
from harness.session import Session
from harness.suite import Sample
from harness.team.roster import Member
from harness.testing.conformance import TopologyConformance
from harness.testing.models import Listening, faultless
from harness.testing.runs import bare, cell, faults, records
from harness.testing.toy import Toy
from harness.topology import Answer, Topology, ablated, joins_bus, refuse_misfit
from topologies.bus import Bus
from topologies.debate import Debate
from topologies.escalate import Escalate
from topologies.inline import Inline
from topologies.moa import Moa
from topologies.nested import Nested
from topologies.resample import Resample
from topologies.single import Single
from topologies.sync import Sync
from topologies.taskboard import Taskboard
from topologies.vote import Vote

INNER: dict[str, Topology] = {
    "single": Single(),
    "resample": Resample(choose="judge"),
    "vote": Vote(),
    "debate": Debate(),
    "moa": Moa(layers=2),
    "bus": Bus(),
    "sync": Sync(),
    "inline": Inline(),
    "nested": Nested(),
    "taskboard": Taskboard(),
}
TEAMS_OF_TEAMS: dict[str, Topology] = {
    "bus in bus": Bus(workers=2, inside={"alice": Bus(workers=2), "bob": Bus(workers=2)}),
    "bus in sync in bus": Bus(
        workers=1, lead_works=False, inside={"alice": Sync(types=[], inside={"crew": Bus(workers=2)})}
    ),
    "moa in sync in sync, at once": Sync(
        types=[], parallel=True, inside={"crew": Sync(types=[], parallel=True, inside={"panel": Moa(proposers=2)})}
    ),
}


def under_sync(inner: Topology, **sync: Any) -> Sync:
    """A lead with no other type of sub-agent."""
    return Sync(types=[], inside={"crew": inner}, **sync)


def ran(topology: Topology, model: Any = None, **more: Any) -> list[RunRecord]:
    limits = more.pop("limits", Limits(max_depth=None, run_calls=None))
    return records(cell(topology, model or faultless(), limits=limits, **more))


def spent(record: RunRecord, worker: str) -> int:
    """All tokens of the agents of a worker."""
    return sum(c.prompt_tokens + c.completion_tokens for c in record.calls if worker in places(c.agent))


def named(record: RunRecord) -> set[str]:
    """Every name that stands in a record's rows."""
    said = {name for m in record.messages for name in (m.sender, m.recipient)}
    return said | {c.agent for c in record.calls} | {d.worker for d in record.delegations}


@pytest.mark.parametrize("inner", INNER)
def test_every_topology_is_a_worker(inner: str, tmp_path: Path) -> None:
    found = ran(under_sync(INNER[inner]))
    assert [(r.run.status, r.run.score) for r in found] == [("ok", 1.0)] * 2
    assert faults(found, tmp_path) == []
    for r in found:
        workers = {d.worker for d in r.delegations if d.type == "crew"}
        assert len(workers) == 2 and all(spent(r, w) for w in workers)
        assert {places(name)[-1] for name in named(r)} == {"lead", *workers}
        created = [e.agent for e in events(r, "agent_created")]
        assert len(created) == len(set(created)) and {c.agent for c in r.calls} <= set(created)
        assert len({m.msg_id for m in r.messages}) == len(r.messages)
        assert {e.agent for e in r.events} <= {*created, *workers, "engine", "grader"}
        # Each call counts for one try, and all that a worker's agents spent is in the tries of it and its own workers.
        for worker in workers:
            tries = [d for d in r.delegations if worker in places(d.worker)]
            assert sum(d.tokens for d in tries) == spent(r, worker)


@pytest.mark.parametrize("inner", INNER)
def test_depth_is_that_of_the_slot_and_its_limit_holds_inside(inner: str) -> None:
    """Dispatched by an agent of depth 0, a topology's own agents stand at depth 1, and whom these create one deeper."""
    creates = inner in ("bus", "sync", "inline", "nested", "taskboard")
    for r in ran(under_sync(INNER[inner]), limits=Limits(max_depth=2, run_calls=None), suite=Toy(1)):
        depths = {c.agent: c.depth for c in r.calls}
        led = [name for name in depths if name.endswith(("/lead", "/coordinator"))]
        assert depths["lead"] == 0 and all(depths[name] == 1 for name in led) and bool(led) == creates
        assert set(depths.values()) == ({0, 1, 2} if creates else {0, 1})
    for r in ran(under_sync(INNER[inner]), limits=Limits(max_depth=1, run_calls=None), suite=Toy(1)):
        assert {c.depth for c in r.calls} == {0, 1}
        asked = [json.loads(e.data)["depth"] for e in events(r, "depth_violation")]
        assert set(asked) <= {2} and r.run.depth_violations == len(asked) and bool(asked) == creates
        assert all(len(places(e.agent)) == 2 for e in events(r, "depth_violation")), "told by their full names"


@pytest.mark.parametrize("inner", INNER)
def test_every_topology_is_a_member_of_a_bus_team(inner: str, tmp_path: Path) -> None:
    found = ran(Bus(workers=1, lead_works=False, inside={"alice": INNER[inner]}), suite=Toy(1))
    assert [(r.run.status, r.run.score) for r in found] == [("ok", 1.0)]
    assert faults(found, tmp_path) == []
    for r in found:
        assert {places(name)[-1] for name in named(r)} == {"lead", "alice"}
        (own,) = [d for d in r.delegations if d.worker == "alice"]
        assert own.status == "success" and "delegate" not in json.loads(own.order)["forbidden_actions"]
        assert min(c.depth for c in r.calls if c.agent != "lead") == 1


@pytest.mark.parametrize("topology", TEAMS_OF_TEAMS)
def test_one_seed_one_outcome_at_any_nesting(topology: str, tmp_path: Path) -> None:
    def rows(concurrency: int, bus: BusBackend | None = None, seed: int = 0) -> list[RunRecord]:
        model = SimulatedModel()  # with all its faults
        model.consult(Toy().oracle())
        limits = Limits(max_depth=None, run_calls=None)
        made = cell(TEAMS_OF_TEAMS[topology], model, limits=limits, bus=bus or MemoryBus(), seed=seed)
        return [bare(r) for r in records(made, concurrency=concurrency, epochs=(0, 1))]

    expected = rows(1)
    assert faults(expected, tmp_path) == []
    assert max(len(places(c.agent)) for r in expected for c in r.calls) > topology.count(" in ")
    assert rows(7) == expected
    assert rows(1, seed=1) != expected
    if redis_binaries():
        assert rows(7, EmbeddedBus()) == expected


class TestBusInSync(TopologyConformance):
    failing_calls = 4
    limits = Limits(max_depth=2)

    def topology(self) -> Sync:
        return under_sync(Bus(), parallel=True)


class TestSyncInBus(TopologyConformance):
    failing_calls = 4
    limits = Limits(max_depth=2)

    def topology(self) -> Bus:
        return Bus(inside={"alice": Sync(), "carol": Moa()})


@dataclass(frozen=True)
class Ends:
    """An inner topology that comes to no good end."""

    how: str
    family: ClassVar[str] = "team"
    needs_bus: ClassVar[bool] = False

    async def __call__(self, sample: Sample, session: Session) -> Any:
        session.offer("something")
        if self.how == "fails":
            raise TopologyFailed("quorum: nobody answered")
        if self.how == "limit":
            raise exceeded("lead_steps", 3, 4, "run")  # its own, whatever it would end on its own
        if self.how == "group":
            async with asyncio.TaskGroup() as group:
                group.create_task(self._late())
        if self.how == "run limit":
            raise exceeded("run_tokens", 3, 4, "run")
        if self.how == "defect":
            raise ValueError("a bug")
        return None

    async def _late(self) -> None:
        raise TimeoutError


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("fails", "quorum: nobody answered"),
        ("limit", "lead_steps: 4 is 1 over the bound of 3"),
        ("group", "a timeout of its own"),
    ],
)
@pytest.mark.parametrize("outer", ["sync", "bus"])
def test_what_ends_a_topology_by_its_own_fault_is_its_workers_failure(how: str, told: str, outer: str) -> None:
    inner: Any = Ends(how)
    topology = under_sync(inner) if outer == "sync" else Bus(workers=1, inside={"alice": inner})
    for r in ran(topology):
        assert (r.run.status, r.run.score) == ("ok", 1.0), "its lead reads why and does that part itself"
        failed = [d for d in r.delegations if d.type in ("crew", "member")]
        assert failed and all((d.status, json.loads(d.validation_errors)) == ("failed", [told]) for d in failed)


@pytest.mark.parametrize(
    ("how", "status", "error"),
    [
        ("run limit", "limit", "run_tokens: 4 is 1 over the bound of 3"),
        ("defect", "error", "topology: a bug"),
        ("nothing", "error", "topology: returned None; a topology returns an Answer with a text"),
    ],
)
@pytest.mark.parametrize("outer", ["sync", "bus"])
def test_a_limit_of_the_run_and_a_defect_end_the_run(how: str, status: str, error: str, outer: str) -> None:
    inner: Any = Ends(how)
    topology = under_sync(inner) if outer == "sync" else Bus(workers=1, inside={"alice": inner})
    assert {(r.run.status, r.run.error) for r in ran(topology)} == {(status, error)}


@dataclass(frozen=True)
class Hasty:
    """Has its answer while one of its agents is at work."""

    family: ClassVar[str] = "team"
    needs_bus: ClassVar[bool] = False

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        agents = [session.agent(n, role="worker", stance=Stance.WORKER, tools=session.tools) for n in ("one", "two")]
        for agent in agents:
            agent.tell(session.statement())
        async with asyncio.TaskGroup() as group:
            slow = group.create_task(agents[1].run(Purpose.ANSWER, 9))
            await agents[0].step(Purpose.ANSWER)
            session.answered()
            await slow
        return Answer("[]")


def test_what_still_runs_when_it_has_its_answer_is_late(tmp_path: Path) -> None:
    found = ran(under_sync(Hasty(), delegation=Delegation(order="sentence", validate=False)))  # type: ignore[arg-type]
    assert faults(found, tmp_path) == []
    for r in found:
        late = {c.agent for c in r.calls if c.late}
        assert late and all(name.endswith("/two") for name in late)
        assert late <= {e.agent for e in events(r, "abandoned")}


def test_whoever_is_inside_a_worker_that_nobody_waits_for_is_late(tmp_path: Path) -> None:
    found = ran(under_sync(Sync(types=[], inside={"panel": Moa()}), worker_timeout_s=1.0))
    assert faults(found, tmp_path) == []
    for r in found:
        gone = {e.agent for e in events(r, "abandoned") if "worker_timeout_s" in e.data}
        assert gone and {len(places(name)) for name in gone} == {1}
        late = [c for c in r.calls if c.late]
        assert {len(places(c.agent)) for c in late} == {2, 3} and not any(c.used for c in late)


@dataclass(frozen=True)
class Tries:
    """Answers badly until its order says what was wrong."""

    family: ClassVar[str] = "team"
    needs_bus: ClassVar[bool] = False
    seen: list[str] = field(default_factory=list)

    async def __call__(self, sample: Sample, session: Session) -> Answer:
        self.seen.append(session.space)
        agent = session.agent("own", role="worker", stance=Stance.WORKER, tools=session.tools)
        agent.tell(session.statement())
        step = await agent.run(Purpose.ANSWER, 9)
        return Answer(step.text if "Not accepted" in sample.statement else '{"nothing": 1}')


@pytest.mark.parametrize("outer", ["sync", "bus"])
def test_a_result_that_is_sent_back_is_made_anew_by_new_agents(outer: str, tmp_path: Path) -> None:
    inner: Any = Tries()
    topology = (
        under_sync(inner, delegation=Delegation()) if outer == "sync" else Bus(workers=1, inside={"alice": inner})
    )
    found = ran(topology, suite=Toy(1))
    assert faults(found, tmp_path) == []
    (r,) = found
    assert (r.run.status, r.run.score) == ("ok", 1.0)
    worker, second = ("crew_1", "crew_1/try_2") if outer == "sync" else ("alice", "alice/time_2")
    tries = [(d.try_, d.status) for d in r.delegations if d.worker == worker]
    assert tries == [(1, "returned"), (2, "success")]
    assert sum(d.tokens for d in r.delegations if d.worker == worker) == spent(r, worker)
    agents = {c.agent for c in r.calls if worker in places(c.agent)}
    assert agents == {f"{worker}/own", f"{second}/own"}
    assert len(set(inner.seen)) == len(inner.seen), "each time a space of its own on the bus"
    wrote = {s.purpose for s in r.shares if s.direction == "completion" and _by(r, s, f"{second}/own")}
    assert Purpose.REWORK in wrote, "what is written after a validation error is rework"
    read = {(s.purpose, s.author) for s in r.shares if s.direction == "prompt" and _by(r, s, f"{second}/own")}
    assert (Purpose.FEEDBACK, "engine") in read and (Purpose.DISPATCH, "lead") in read


def _by(record: RunRecord, share: Any, agent: str) -> bool:
    return any(c.agent == agent and c.operation_id == share.operation_id for c in record.calls)


def test_an_order_keeps_the_authors_and_purposes_of_what_is_in_it() -> None:
    """With the lead's whole conversation before it: what the lead read with its tools is the task's, not its order."""
    rules = Delegation(context="history", validate=False)
    (r,) = ran(under_sync(Single(), delegation=rules), suite=Toy(1))
    read = [s for s in r.shares if s.direction == "prompt" and _by(r, s, "crew_1/solver")]
    by = {(s.purpose, s.author) for s in read}
    assert {("task", "task"), ("dispatch", "lead"), ("dispatch", "engine")} <= by
    assert any(s.reread == "cross" and s.purpose == "task" and s.author == "task" for s in read)


def test_the_answer_is_its_authors() -> None:
    """What the aggregator wrote, its lead reads as merged by it, and not as anybody's first word."""
    (r,) = ran(under_sync(Moa()), suite=Toy(1))
    read = {s.author for s in r.shares if s.direction == "prompt" and s.purpose == "merge" and _by(r, s, "lead")}
    assert read == {"crew_1/aggregator", "crew_2/aggregator"}


def test_a_worker_is_not_given_what_its_order_forbids() -> None:
    seen: list[list[str]] = []

    @dataclass(frozen=True)
    class Looks:
        family: ClassVar[str] = "team"
        needs_bus: ClassVar[bool] = False

        async def __call__(self, sample: Sample, session: Session) -> Answer:
            seen.append([t.name for t in session.tools])
            return Answer("[]")

    from dispatch.stage import Cast, Say, dispatch, order, run_once, tool  # the lead's words are given there

    class Suite(Toy):
        def tools(self, sample: Sample) -> list[Any]:
            return [*super().tools(sample), tool("run_code", "exec"), tool("write_note", "write")]

    lead = [
        Say(calls=(dispatch(order(forbidden_actions=["exec"]), type="crew"),)),
        Say(calls=(dispatch(order(forbidden_actions=["write_note", "delegate"]), type="crew"),)),
        Say("[]"),
    ]
    run_once(under_sync(Looks()), Cast(lead), suite=Suite(1))  # type: ignore[arg-type]
    assert seen == [["read_document", "write_note"], ["read_document", "run_code"]]


def test_what_a_topology_inside_leaves_out_is_its_own(tmp_path: Path) -> None:
    roster = [Member("alice", brief="You know pumps."), Member("bob", brief="You know gates.")]
    prompts: list[str] = []
    outer = under_sync(Bus(roster=roster, ablate="alice", messages=False, lead_works=False))
    ran(outer, Listening(faultless(), prompts), suite=Toy(1))
    own = [p for p in prompts if "You are crew_1/alice, a member" in p]
    assert own and not any("You know pumps." in p for p in own)
    assert any("You know gates." in p for p in prompts if "You are crew_1/bob" in p)
    assert ablated(outer) == "inside.crew: alice, messages"
    assert ablated(Bus(messages=False, inside={"alice": Moa()})) == "messages"


def test_whoever_has_a_worker_that_needs_a_bus_gets_one() -> None:
    assert not joins_bus(Sync()) and not joins_bus(under_sync(Moa())) and not joins_bus(Resample())
    assert joins_bus(under_sync(Bus()))
    assert joins_bus(under_sync(under_sync(Bus())))
    assert joins_bus(Sync(definitions=[SubAgent("crew", "does all", inside=Bus())]))


@pytest.mark.parametrize(
    ("topology", "error"),
    [
        (under_sync(Moa(aggregator="nobody")), r"^unknown model in topology\.inside\.crew\.aggregator 'nobody'"),
        (
            Bus(inside={"bob": under_sync(Vote(voters=1, models=["nobody"]))}),
            r"^unknown model in topology\.inside\.bob\.inside\.crew\.models 'nobody'",
        ),
        (
            Sync(definitions=[SubAgent("crew", "does all", inside=Single(strong=True))]),
            r"^topology\.definitions\.0\.inside\.strong=true needs a stronger model",
        ),
        (
            under_sync(Resample(choose="visible")),
            r"^topology\.inside\.crew\.choose=visible needs visible tests, .* belong to whoever owns the sample",
        ),
    ],
)
def test_what_a_worker_cannot_work_with_is_refused_before_anything_runs(topology: Topology, error: str) -> None:
    model, sample = faultless(), Toy().sample("toy-0")
    if "stronger" in error:
        model.roles = {}
    with pytest.raises(ConfigError, match=error):
        refuse_misfit(topology, model, sample)
    refuse_misfit(Escalate(), faultless(), sample)  # the owner of the sample has its tests


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Bus(inside={"zoe": Moa()}), "unknown member in topology.inside 'zoe'. Valid choices: alice, bob, car"),
        (lambda: Bus(roster=[Member("a/b")]), "the name 'a/b' is empty, repeated or reserved"),
        (lambda: Member("a", brief="knows", inside=Moa()), "member 'a' has a brief, and is a topology"),
        (lambda: Sync(inside={"a b": Moa()}), "topology.inside: 'a b' is no plain word"),
        (lambda: Sync(ablate="crew", inside={"crew": Moa()}), "unknown role in topology.ablate 'crew'"),
    ],
)
def test_settings_that_nobody_can_meet(make: Any, error: str) -> None:
    with pytest.raises(ConfigError) as refused:
        make()
    assert error in str(refused.value)


def test_a_known_type_may_become_a_topology() -> None:
    offered = Sync(types=["research"], inside={"research": Moa()}).offered()
    assert list(offered) == ["research"] and offered["research"].does.startswith("reads much")
