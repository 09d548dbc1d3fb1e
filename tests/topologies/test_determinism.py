"""One seed, one outcome for teams that delegate by contract: whatever runs beside a run, in whatever order, and
whatever carries its messages."""

from __future__ import annotations

import pytest
from bus.servers import redis_binaries

from harness.bus.embedded import EmbeddedBus
from harness.bus.memory import MemoryBus
from harness.bus.protocol import BusBackend
from harness.delegation.rules import Delegation
from harness.models.simulated import SimulatedModel
from harness.records import RunRecord
from harness.testing.runs import bare, cell, records
from harness.testing.toy import Toy
from harness.topology import Topology
from topologies.bus import Bus
from topologies.debate import Debate
from topologies.expert import ExpertTeam
from topologies.inline import Inline
from topologies.moa import Moa
from topologies.sync import Sync
from topologies.taskboard import Taskboard
from topologies.vote import Vote

EPOCHS = tuple(range(6))
RING = Delegation()


class Backwards(Toy):
    """The same samples in the other order."""

    def sample_ids(self) -> list[str]:
        return [*super().sample_ids()][::-1]


def rows(
    topology: Topology, *, suite: Toy | None = None, concurrency: int = 1, seed: int = 0, bus: BusBackend | None = None
) -> dict[str, RunRecord]:
    """All runs by id, of a model with all its faults, and so with refusals, returned results and retries."""
    model = SimulatedModel()
    model.consult(Toy().oracle())
    made = cell(topology, model, suite=suite or Toy(), seed=seed, bus=bus or MemoryBus())
    return {r.run.run_id: bare(r) for r in records(made, concurrency=concurrency, epochs=EPOCHS)}


@pytest.mark.parametrize(
    "topology",
    [
        Sync(),
        Sync(parallel=True, delegation=RING),
        Sync(parallel=True, worker_timeout_s=2.0, delegation=RING),
        Bus(delegation=RING),
        Inline(),
        Inline(worker_timeout_s=2.0),
        Taskboard(),
        Taskboard(members=1, member_timeout_s=2.0),
    ],
    ids=[
        "sync",
        "sync in parallel",
        "sync without patience",
        "bus",
        "inline",
        "inline without patience",
        "taskboard",
        "taskboard without patience",
    ],
)
def test_the_same_rows(topology: Topology) -> None:
    expected = rows(topology)
    assert sum(len(r.delegations) for r in expected.values()) >= 12
    assert rows(topology) == expected
    assert rows(topology, concurrency=7) == expected
    assert rows(topology, suite=Backwards(), concurrency=3) == expected
    assert rows(topology, seed=1) != expected


@pytest.mark.parametrize(
    "topology",
    [Vote(), Vote(voter_timeout_s=2.5, quorum=1), Moa(layers=2), Debate(), Debate(rounds=3, stop_on_agreement=False)],
    ids=["vote", "vote without patience", "moa in layers", "debate", "debate to the end"],
)
def test_the_same_rows_of_a_panel(topology: Topology) -> None:
    expected = rows(topology)
    assert rows(topology, concurrency=7) == expected
    assert rows(topology, suite=Backwards(), concurrency=3) == expected
    assert rows(topology, seed=1) != expected


def test_the_same_rows_of_an_expert_team() -> None:
    """Whose experts send explorers out."""
    team = ExpertTeam(explorers=True)
    expected = rows(team)
    assert any(c.role == "explore" for r in expected.values() for c in r.calls)
    assert rows(team, suite=Backwards(), concurrency=7) == expected


def test_a_voter_may_run_out_of_patience_there() -> None:
    found = rows(Vote(voter_timeout_s=2.5, quorum=1)).values()
    assert 0 < sum(r.run.left_out for r in found) < 3 * len(found)


def test_the_ring_has_work_to_do() -> None:
    """So the test above compares something."""
    for topology in (Sync(parallel=True, delegation=RING), Bus(delegation=RING)):
        found = [d.status for r in rows(topology).values() for d in r.delegations]
        assert "returned" in found and "success" in found
    late = [c for r in rows(Sync(parallel=True, worker_timeout_s=2.0)).values() for c in r.calls if c.late]
    assert late


@pytest.mark.skipif(not redis_binaries(), reason="there is no redis-server to start")
@pytest.mark.parametrize(
    ("topology", "concurrency"),
    [(Bus(), 1), (Bus(), 7), (ExpertTeam(), 7)],
    ids=["bus", "bus, seven at once", "expert"],
)
def test_memory_and_redis_agree(topology: Topology, concurrency: int) -> None:
    assert rows(topology, bus=EmbeddedBus(), concurrency=concurrency) == rows(topology)
