"""Whatever becomes of an order, the rows that the engine writes about it add up: every scene of docs/prompts."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_builder import Experiment, rename

from harness.entry.prompts.scenes import SCENES
from harness.entry.prompts.studio import Studio
from harness.records import RunRecord
from results.store import Store
from results.validate import check

STATUSES = {
    "sync": {
        "success", "partial_success", "failed", "returned", "needs_person", "forbidden", "blocked",
    },
    "bus": {"success", "failed", "returned", "needs_person", "forbidden", "blocked", "unanswered"},
}  # fmt: skip


@pytest.fixture(scope="module", params=STATUSES)
def played(request: pytest.FixtureRequest) -> tuple[str, list[RunRecord]]:
    studio = Studio(request.param)
    found = [studio.play(scene).record for scene in SCENES[request.param]]
    for n, record in enumerate(found):
        rename(record, f"scene-{n}")
    return request.param, found


def test_no_invariant_is_broken(played: tuple[str, list[RunRecord]], tmp_path: Path) -> None:
    _, found = played
    store = Store(str(tmp_path))
    store.open(Experiment("test"))
    for record in found:
        store.write(record)
    store.close()
    report = check(tmp_path)
    assert report.clean, report.faults
    assert report.runs == len(found) > 10


def test_between_them_they_come_to_every_end(played: tuple[str, list[RunRecord]]) -> None:
    topology, found = played
    assert {d.status for record in found for d in record.delegations} == STATUSES[topology]
    assert any(call.late for record in found for call in record.calls)
