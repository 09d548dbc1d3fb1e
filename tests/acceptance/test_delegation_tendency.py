"""A worker that wants to hand its task on is refused by code, whatever its prompt says; each attempt is counted."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from harness.delegation.rules import Delegation
from harness.limits import Limits
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, records
from harness.topology import Topology
from topologies.bus import Bus
from topologies.inline import Inline
from topologies.sync import Sync
from topologies.taskboard import Taskboard

TALK = Delegation(order="sentence", validate=False)
TEAMS = [
    Sync(), Bus(), Sync(delegation=TALK), Bus(delegation=TALK), Inline(), Taskboard(coordinator_works=True),
]  # fmt: skip
IDS = ["sync", "bus", "sync in sentences", "bus in sentences", "inline", "taskboard"]


def runs(topology: Topology, tendency: float, **limits: int) -> list[RunRecord]:
    return records(cell(topology, faultless(delegation=tendency), limits=Limits(**limits)), epochs=range(5))


def violations(record: RunRecord) -> list[tuple[str, int]]:
    """(who, the depth it asked for) of each attempt that the events tell of."""
    return [(e.agent, json.loads(e.data)["depth"]) for e in record.events if e.type == "depth_violation"]


@pytest.mark.parametrize("topology", TEAMS, ids=IDS)
def test_without_the_tendency_nobody_tries(topology: Topology) -> None:
    for record in runs(topology, 0.0):
        assert (record.run.depth_violations, record.run.refused) == (0, 0)
        assert record.run.score == 1.0


@pytest.mark.parametrize("topology", TEAMS, ids=IDS)
def test_with_it_each_worker_tries_once_an_order_and_is_refused(topology: Topology) -> None:
    for record in runs(topology, 1.0):
        orders = [d.worker for d in record.delegations]
        assert orders, "there was something to hand on"
        assert sorted(violations(record)) == sorted((worker, 2) for worker in orders)
        assert record.run.depth_violations == record.run.refused == len(orders)
        assert max(c.depth for c in record.calls) == 1


@pytest.mark.parametrize("topology", TEAMS[:2], ids=IDS[:2])
def test_an_order_that_forbids_it_has_failed_and_the_lead_does_the_work(topology: Topology) -> None:
    for record in runs(topology, 1.0):
        assert {d.status for d in record.delegations} == {"forbidden"}
        assert record.run.score == 1.0


@pytest.mark.parametrize("topology", TEAMS[2:], ids=IDS[2:])
def test_an_order_that_forbids_nothing_goes_on_after_the_refusal(topology: Topology) -> None:
    for record in runs(topology, 1.0):
        assert {d.status for d in record.delegations} == {"success"}
        assert record.run.score == 1.0


@pytest.mark.parametrize("topology", TEAMS, ids=IDS)
def test_at_depth_0_the_lead_s_own_orders_are_the_violations(topology: Topology) -> None:
    for record in runs(topology, 0.0, max_depth=0):
        asked: Sequence[tuple[str, int]] = violations(record)
        (leader,) = {c.agent for c in record.calls if c.role == "lead"}
        assert asked and set(asked) == {(leader, 1)}
        assert record.run.depth_violations == len(asked)
        assert {c.agent for c in record.calls} == {leader} and not record.delegations
        assert record.run.score == 1.0, "the lead does it alone"
