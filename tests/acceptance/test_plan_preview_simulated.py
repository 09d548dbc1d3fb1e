"""The preview of plans that the simulated model makes, by command: looked at, then carried out as if never stopped."""

from __future__ import annotations

import json
from pathlib import Path

import results

from .commands import GENERATED, QUIET, each, inside, validate

FAULTLESS = (
    "model.behaviour.tool_choice.per_tool=0", "model.behaviour.attention.dilution=0",
    "model.behaviour.attention.middle=0", "model.behaviour.answering.accuracy=1", "model.behaviour.answering.spread=0",
    "model.behaviour.answering.mixup=0", "model.behaviour.answering.guess=0", "model.behaviour.answering.repeated=0",
    "model.behaviour.relay.drift=0", "model.behaviour.review.catch=1", "model.behaviour.review.self_catch=1",
    "model.behaviour.review.false_alarm=0", "model.behaviour.clarify.rate=0",
)  # fmt: skip
MATERIAL = (*GENERATED, "task.limit=2", "topology=expert", "topology.plans=plans", *FAULTLESS)


def test_what_a_preview_stores_is_carried_out_as_a_whole_run_would_be(tmp_path: Path) -> None:
    seen = inside(tmp_path, *MATERIAL, "topology.plan_only=true", "store.dir=seen", "progress=none")
    assert seen.returncode == 0, seen.stderr
    stored = sorted((tmp_path / "plans").iterdir())
    assert seen.stdout.count("SIMULATED · Plan for ") == len(stored) == 2
    for path in stored:
        usd = json.loads(path.read_text())["estimate"]["no_revision"]["usd"]
        assert f"({Path('plans') / path.name}):" in seen.stdout and f"USD: {usd:.4f} to " in seen.stdout
    rows = results.load(tmp_path / "seen")
    assert set(rows.runs.status) == {"limit"} and {c.role for c in each(rows.calls)} == {"planner"}

    for name, words in (("confirmed", ("topology.confirm=true",)), ("whole", ())):
        done = inside(tmp_path, *MATERIAL, *words, f"store.dir={name}", *QUIET)
        assert done.returncode == 0, done.stderr
        assert validate(tmp_path / name).returncode == 0
    confirmed, whole = (results.load(tmp_path / name) for name in ("confirmed", "whole"))
    assert list(confirmed.runs.score) == list(whole.runs.score) == [1.0, 1.0]
    for rows, planned in ((confirmed, 0), (whole, 1)):
        asked = [c for c in each(rows.calls) if c.role == "planner"]
        assert len(asked) == 2 * (planned + 1), "of each run one call to combine, and one to plan if it had no plan"


def test_an_estimate_of_a_preview_stores_no_plan(tmp_path: Path) -> None:
    done = inside(tmp_path, *MATERIAL, "topology.plan_only=true", "plan=true")
    assert done.returncode == 0, done.stderr
    assert not list(tmp_path.iterdir())
