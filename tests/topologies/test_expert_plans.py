"""Plan preview: a plan is stored, shown and priced; it is executed when it is confirmed, and only for what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.experts import PASS, data, plan, step, team
from support.models import Say, heard
from support.runs import DeskSuite

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool
from harness.errors import ConfigError
from harness.records import RunRecord
from harness.suite import Sample
from harness.testing.models import faultless
from topologies.expert import ExpertTeam

STEPS = [step("a", input_ref=["a.txt"]), step("b", "bob", "a", risk="LOW")]


class Desk(DeskSuite):
    """Documents that orders refer to by name."""

    def tools(self, sample: Sample) -> list[Tool]:
        (reading,) = super().tools(sample)
        return [
            Tool(reading.name, "", reading.parameters, reading.tags, reading.run, reference="name"),
        ]


def previewed(folder: Path, **more: Any) -> RunRecord:
    record, model = team({"planner": [plan(*STEPS)]}, suite=Desk(), plan_only=True, plans=str(folder), **more)
    assert len(model.requests) == 1
    return record


def confirmed(folder: Path, **more: Any) -> tuple[RunRecord, Any]:
    acts = {"planner": [Say("never")], "alice": [Say("A")], "bob": [Say("B")], "evaluator": [PASS]}
    return team(acts, **{"suite": Desk(), "confirm": True, "plans": str(folder), **more})


def test_a_preview_stops_when_the_plan_is_ready(tmp_path: Path) -> None:
    record = previewed(tmp_path)
    assert record.run.status == "limit" and (record.run.limit or "").startswith("plan_only: ")
    (stored,) = tmp_path.iterdir()
    assert stored.name == "s0-e0.json"
    made = json.loads(stored.read_text())
    assert json.loads(record.run.answer) == made == data(record, "PLAN_READY")[0]
    assert made["steps"] == STEPS and made["levels"] == [["a"], ["b"]]
    assert not data(record, "STEP_STARTED") and not data(record, "PLAN_CONFIRMED")
    (shown,) = record.shown
    assert str(stored) in shown and "Do a." in shown and "not measured" in shown


def test_the_estimate_adds_up(tmp_path: Path) -> None:
    made = data(previewed(tmp_path), "PLAN_READY")[0]["estimate"]
    least, most = made["no_revision"], made["all_revisions"]
    # a: read and answer, its evaluator the same; b, of LOW risk and without material: one call, reviewed by rules.
    assert least["calls"] == 2 + 2 + 1
    # two revisions of each: of a one call and two of its evaluator, of b one call
    assert most["calls"] == least["calls"] + 2 * (1 + 2) + 2 * 1
    assert least["completion_tokens"] == 2_000 + 500 + 2_000
    assert most["completion_tokens"] == least["completion_tokens"] + 2 * (2_000 + 500) + 2 * 2_000
    # the test's model: 1 USD a million tokens read, 4 USD a million written
    for figures in (least, most):
        usd = (figures["prompt_tokens"] + 4 * figures["completion_tokens"]) / 1e6
        assert figures["usd"] == pytest.approx(usd)
    assert set(made["sources"]) == {"prompts", "material", "output", "calls", "combining", "usd", "not_counted"}


def test_the_estimate_counts_the_material_that_is_named(tmp_path: Path) -> None:
    def prompts(text: str) -> Any:
        suite = Desk(documents={"a.txt": text})
        acts = {"planner": [plan(STEPS[0])]}
        record, _ = team(acts, suite=suite, plan_only=True, plans=str(tmp_path))
        return data(record, "PLAN_READY")[0]["estimate"]["no_revision"]["prompt_tokens"]

    longer = "alpha " * 500
    more = count_tokens(longer) - count_tokens("alpha")
    assert prompts(longer) - prompts("alpha") == 2 * more, "read once by the expert and once by its evaluator"


def test_a_confirmed_plan_is_executed_without_the_planner(tmp_path: Path) -> None:
    previewed(tmp_path)
    record, model = confirmed(tmp_path)
    assert (record.run.status, record.run.answer) == ("ok", "B")
    assert {c.role for c in record.calls} == {"alice", "bob", "evaluator"}
    assert data(record, "PLAN_CONFIRMED") == [{"by": "file", "file": "s0-e0.json"}]
    assert "Objective: Do b." in heard(model.of("bob")[0])


def test_the_planner_of_a_confirmed_plan_merges(tmp_path: Path) -> None:
    team({"planner": [plan(step("a"), step("b", "bob"))]}, suite=Desk(), plan_only=True, plans=str(tmp_path))
    acts = {"planner": [Say("both")], "alice": [Say("A")], "bob": [Say("B")], "evaluator": [PASS]}
    record, _ = team(acts | {"evaluator_2": [PASS]}, suite=Desk(), confirm=True, plans=str(tmp_path))
    assert record.run.answer == "both" and sum(c.agent == "planner" for c in record.calls) == 1


def changed(**changes: Any) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return change


CYCLE = [step("a", "alice", "b"), step("b", "bob", "a")]
REFUSED: list[tuple[Callable[[Path], object], str]] = [
    (Path.unlink, "there is no plan"),
    (lambda path: path.write_text('{"format": 1, "steps'), "cannot be read as JSON"),
    (lambda path: path.write_text("[]"), "is no stored plan of format 1"),
    (changed(format=2), "is no stored plan of format 1"),
    (changed(steps=[{"id": "a"}]), "is no stored plan of format 1"),
    (changed(sample="s1"), "a plan for another sample: its sample is 's1'"),
    (changed(material_hash="x"), "a plan for another sample: its material_hash is 'x'"),
    (changed(epoch=1), "its epoch is 1"),
    (changed(steps=[step("a", "zed")]), "gives steps to zed, who is not in this team: alice, bob, carol"),
    (changed(steps=CYCLE), "cycle"),
    (changed(steps=[{**step("a"), "order": {}}]), "'objective' is a required property"),
    (changed(steps=[step("a", input_ref=["x.txt"])]), "input_ref 'x.txt' cannot be read"),
    (changed(steps=[]), "The plan has no step."),
]


@pytest.mark.parametrize(("harm", "told"), REFUSED, ids=[told[:30] for _, told in REFUSED])
def test_a_stored_plan_that_is_none_for_this_run_is_refused(
    harm: Callable[[Path], object], told: str, tmp_path: Path
) -> None:
    previewed(tmp_path)
    (path,) = tmp_path.iterdir()
    harm(path)
    record, model = confirmed(tmp_path)
    assert record.run.status == "error" and record.run.error_type == "ConfigError" and record.run.score == 0
    assert told in (record.run.error or "") and str(path) in (record.run.error or "")
    assert "again. Correct the file" not in (record.run.error or ""), "it speaks to a person"
    assert not model.requests


def test_what_can_be_known_beforehand_is_refused_before_anything_runs(tmp_path: Path) -> None:
    sample = Desk().sample("s0")
    with pytest.raises(ConfigError, match="there is no plan"):
        ExpertTeam(confirm=True, plans=str(tmp_path)).check(faultless(), sample)
    with pytest.raises(ConfigError, match=r"topology\.plans is empty"):
        ExpertTeam(plan_only=True, plans=" ")
    with pytest.raises(ConfigError, match="exclude each other"):
        ExpertTeam(plan_only=True, confirm=True, plans=str(tmp_path))


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    record, _ = team({"planner": [plan(*STEPS)]}, suite=Desk(), plan_only=True, plans=str(tmp_path / "taken"))
    assert record.run.status == "error" and "cannot be written there" in (record.run.error or "")


def test_a_sample_s_name_is_no_path(tmp_path: Path) -> None:
    from harness.expert.preview import path_of

    sample = Desk().sample("../../etc/x")
    assert path_of(str(tmp_path), sample, 0).parent == tmp_path
