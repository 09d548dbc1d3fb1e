"""All topologies that ship, on the same samples: what their stored rows must say, whatever they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import results
from harness.models.simulated import SimulatedModel
from harness.suite import Grade, Sample
from harness.testing.runs import bare as bare_record
from harness.testing.runs import cell, records
from harness.testing.toy import Toy
from topologies.escalate import Escalate
from topologies.resample import Resample

from .commands import GENERATED, ROOT, bare, digest, each, here, validate

ALL = ("-m", "topology=glob(*)", *GENERATED, "task.samples=2", "bus=memory", "epochs=2")
SHIPPED = {path.stem for path in (ROOT / "conf" / "topology").glob("*.yaml")}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("all") / "runs"
    here(folder, *ALL)
    return folder


@pytest.fixture(scope="module")
def found(store: Path) -> results.Results:
    return results.load(store)


def test_all_of_them_run_on_the_same_samples(store: Path, found: results.Results) -> None:
    runs = found.runs
    assert set(runs.topology) == SHIPPED and len(SHIPPED) >= 12
    assert set(runs.status) == {"ok"}
    asked = {t: sorted(zip(r.sample_id, r.epoch, r.material_hash, strict=True)) for t, r in runs.groupby("topology")}
    assert all(pairs == asked["single"] for pairs in asked.values()) and len(asked["single"]) == 4
    assert runs.simulated.all()
    said = validate(store)
    assert said.returncode == 0, said.stdout


def test_the_same_seed_gives_the_same_rows(found: results.Results, tmp_path: Path) -> None:
    again = here(tmp_path / "runs", *ALL, "concurrency=1", "shuffle=true")
    assert digest(bare(again)) == digest(bare(found))


def test_the_single_family_has_no_coordination(found: results.Results) -> None:
    family = found.runs[found.runs.family == "single"]
    assert set(family.topology) == {"single", "strong", "resample", "escalate"}
    assert (family.coordination_tokens == 0).all()
    mine = found.shares[found.shares.topology.isin(set(family.topology))]
    assert set(mine.purpose_class) <= {"work", "verification"}
    teams = found.runs[(found.runs.family == "team") & (found.runs.topology != "vote")]
    assert (teams.coordination_tokens > 0).all()


def test_every_run_is_in_the_summary_with_what_one_agent_does_for_its_money(found: results.Results) -> None:
    (group,) = results.summarize(found).groups
    assert {row.topology for row in group.rows} == SHIPPED
    assert group.rows[0].topology == "single", "what all are held against comes first"
    held = {group.row(y.cell_id).topology: y for y in group.yardsticks}
    assert set(held) == SHIPPED - {"single"}
    spent = {row.topology: row.cost.usd for row in group.rows}
    for topology, yardstick in held.items():
        paid = spent[topology]
        assert paid is not None and spent["single"]
        assert yardstick.usd == pytest.approx(paid / spent["single"])
        if yardstick.best is not None:
            best = group.row(yardstick.best.cell_id)
            assert best.family == "single" and best.cost.usd is not None and best.cost.usd <= paid
            assert yardstick.best.its_score == pytest.approx(best.score_mean)
            affordable = [
                r for r in group.rows if r.family == "single" and r.topology != topology and (r.cost.usd or 0) <= paid
            ]
            assert best.score_mean == max(r.score_mean for r in affordable)


class OtherKey(Toy):
    """The same samples with another key: every answer is wrong."""

    async def grade(self, sample: Sample, answer: str) -> Grade:
        return Grade(0.0, {"right": 0})


@pytest.mark.parametrize(
    "topology",
    [
        Resample(),
        Resample(choose="judge", judge_reads=True),
        Resample(choose="visible"),
        Escalate(),
    ],
    ids=["majority", "judge", "visible", "escalate"],
)
def test_nothing_but_the_score_depends_on_the_key(topology: Resample | Escalate) -> None:
    """Whoever chose by the key would choose otherwise, or stop earlier or later."""

    def rows(suite: Toy) -> Sequence[object]:
        model = SimulatedModel()
        model.consult(Toy().oracle())
        made = [bare_record(r) for r in records(cell(topology, model, suite=suite), epochs=tuple(range(8)))]
        kept = [
            replace(
                r,
                run=replace(r.run, score=0.0, passed=False),
                events=[e for e in r.events if e.type not in ("graded", "run_ended")],
            )
            for r in made
        ]
        assert any(r.run.score > 0 for r in made) == (type(suite) is Toy)
        return kept

    assert rows(Toy()) == rows(OtherKey())


def test_a_judge_reads_attempts_and_task_and_nothing_else(tmp_path: Path) -> None:
    got = here(tmp_path / "runs", "topology=resample", "topology.choose=judge", *GENERATED, "task.samples=2")
    judged = got.shares[got.shares.operation_id.str.startswith("judge#") & (got.shares.direction == "prompt")]
    assert set(judged.author) == {"task", "engine", "solver_1", "solver_2", "solver_3"}
    assert set(judged[judged.author.str.startswith("solver")].purpose) == {"review"}


def test_what_escalates_is_a_visible_failure(found: results.Results) -> None:
    """Each escalation names what anybody can see, and only then is the strong model asked."""
    mine = found.runs[found.runs.topology == "escalate"]
    events = found.events[(found.events.topology == "escalate") & (found.events.type == "escalated")]
    assert events.run_id.is_unique and len(events) == mine.escalations.sum() > 0
    assert all(json.loads(e.data)["failures"] for e in each(events))
    strong = found.calls[(found.calls.topology == "escalate") & (found.calls.model == "simulated-strong")]
    assert set(strong.run_id) == set(events.run_id) and set(strong.role) == {"strong"}
