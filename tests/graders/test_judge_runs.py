"""Whole runs with a judge: over HTTP, and as commands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from models.stands import standing

import results
from harness.clock.protocol import Clock
from harness.clock.runner import run as run_clock
from harness.entry.command import run
from harness.graders.judge import Judge
from harness.limits import Scope
from harness.models.openai_compatible import OpenAICompatibleModel
from harness.records import RunRecord
from harness.run import run_sample
from harness.testing.models import faultless
from harness.testing.runs import cell, faults
from harness.testing.toy import Toy

from .court import HALF, Says

TASK = ("task=qa_corpus", "task.corpus=generated", "task.docs=2", "task.samples=3")
COUNTS = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def test_over_http_what_was_served_is_what_the_ledger_has(tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = []

    async def main(clock: Clock) -> RunRecord:
        async with standing(faultless(), tmp_path) as stand:
            model = OpenAICompatibleModel(name="simulated", base_url=stand.url)
            await model.open(clock)
            one = cell(Says(HALF), model, suite=Toy(samples=1), grader=Judge(votes=2))
            try:
                return await run_sample(one, "toy-0", 0, clock, Scope("experiment"))
            finally:
                await model.close()
                lines.extend(stand.lines())

    record = run_clock("real", main)
    assert (record.run.status, record.run.score, record.run.rule_score) == ("ok", 0.5, 0.5)
    assert record.run.simulated and record.run.clock == "real"
    calls = [{name: getattr(c, name) for name in COUNTS} for c in record.calls]
    served = [{name: line[name] or 0 for name in COUNTS} for line in lines]
    assert sorted(map(json.dumps, served)) == sorted(map(json.dumps, calls)) and len(calls) == 3
    assert sum(c.activity == "judge" for c in record.calls) == 2
    assert faults([record], tmp_path / "rows") == []


def command(store: Path, *words: str) -> results.Results:
    assert run(["harness/__main__.py", *words, f"store.dir={store}", "summary=false", "progress=none"]) == 0
    return results.load(store, "last")


def without(found: results.Results, table: str) -> Any:
    """Rows that may be compared over experiments."""
    (experiment,) = found.experiment_ids
    frame = found.frame(table).drop(columns=["experiment_id", "started_at", "config_hash"], errors="ignore")
    for name in frame.select_dtypes(["object", "str"]):
        frame[name] = frame[name].map(lambda v: v.replace(experiment, "E") if isinstance(v, str) else v)
    return frame.sort_values(list(frame.columns), kind="stable", ignore_index=True)


SCORED = ["score", "passed", "grader", "rubric_hash", "rule_score", "judge_tokens", "judge_cost_usd"]


def test_a_sweep_with_a_judge_is_the_sweep_without_it_and_the_judge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = ("-m", "topology=single,bus", *TASK, "epochs=2")
    plain = command(tmp_path / "plain", *sweep)
    judged = command(tmp_path / "judged", *sweep, "grader=judge", "concurrency=1")
    again = command(tmp_path / "again", *sweep, "grader=judge", "concurrency=8", "shuffle=true")
    assert without(plain, "runs").drop(columns=SCORED).equals(without(judged, "runs").drop(columns=SCORED))
    calls = without(judged, "calls")
    assert without(plain, "calls").equals(calls[calls.activity != "judge"].reset_index(drop=True))
    for table in ("runs", "calls", "shares", "events"):
        assert without(judged, table).equals(without(again, table)), "at any concurrency, in any order"
    rows = judged.runs
    assert set(rows.grader) == {"judge"} and rows.rubric_hash.nunique() == 1 and (rows.judge_tokens > 0).all()
    by_rule = plain.runs.set_index(["cell_id", "sample_id", "epoch"]).score.sort_index()
    beside = rows.set_index(["cell_id", "sample_id", "epoch"]).rule_score.sort_index()
    assert beside.to_dict() == by_rule.to_dict()
    judge = judged.calls[judged.calls.activity == "judge"]
    assert judge.groupby("run_id").size().eq(1).all() and len(judge) == len(rows) == 12
    config = judged.manifests[0]["manifest"]["cells"][0]["config"]["grader"]
    assert config["rubric"] == Judge().rubric and config["key_shown"] is None, "and nothing of it is hidden"
    assert plain.runs.config_hash.iloc[0] != rows.config_hash.iloc[0]
    for store in ("plain", "judged", "again"):
        assert results.check(tmp_path / store).clean
    capsys.readouterr()
    results.print_summary(judged)
    said = capsys.readouterr().out
    assert "Scores by: judge" in said


def test_another_rubric_is_another_configuration(tmp_path: Path) -> None:
    """A rubric of one's own in an option of one's own: it goes into the rows, by hash and by text."""
    (tmp_path / "conf" / "grader").mkdir(parents=True)
    mine = {"defaults": ["judge", "_self_"], "rubric": "Only the first question counts.\nNothing else.\n", "scale": 1}
    (tmp_path / "conf" / "grader" / "mine.yaml").write_text(yaml.safe_dump(mine))
    words = ("--config-dir", str(tmp_path / "conf"), *TASK, "task.limit=1")
    own = command(tmp_path / "runs", *words, "grader=mine")
    assert list(own.runs.grader) == ["mine"]
    assert list(own.runs.rubric_hash) == [Judge(rubric=str(mine["rubric"])).rubric_hash]
    assert own.manifests[0]["manifest"]["cells"][0]["config"]["grader"]["rubric"] == mine["rubric"]
    shown = command(tmp_path / "shown", *words, "grader=mine", "grader.key_shown=false")
    assert shown.runs.config_hash[0] != own.runs.config_hash[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("grader=jury",), "grader"),
        (("grader=judge", "grader.votes=0"), "grader.votes=0: must be from 1 to 100"),
        (("grader=judge", "grader.model=referee"), "unknown model in grader.model 'referee'"),
        (("grader=judge", "grader.rubic=x"), "grader.rubric"),
        (("grader=judge", "grader.rubric=@a.md"), "a rubric is text"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["harness/__main__.py", *TASK, *words, f"store.dir={tmp_path / 'runs'}", "progress=none"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ") and told.count("\n") == 1 and said in told
    assert not (tmp_path / "runs").exists()


def test_a_budget_that_the_judge_passes_stops_the_command_and_names_what_is_to_be_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first run's own tokens, and one more: its judge is cut off before its first call."""
    own = command(tmp_path / "plain", *TASK, "task.limit=1").runs
    bound = int(own.prompt_tokens[0] + own.completion_tokens[0]) - 1
    words = [*TASK, "grader=judge", f"limits.experiment_tokens={bound}", "concurrency=1", "progress=none"]
    capsys.readouterr()
    assert run(["harness/__main__.py", *words, f"store.dir={tmp_path / 'runs'}", "summary=false"]) == 1
    said = capsys.readouterr().err
    assert "Stopped by a limit (experiment_tokens: " in said and "3 of 3 runs are missing" in said
    (row,) = results.load(tmp_path / "runs").runs.itertuples()
    assert row.status == "error" and row.error.startswith("grader: experiment_tokens: ") and not row.passed
    assert results.check(tmp_path / "runs").clean


def test_a_judge_in_yaml_is_the_judge_in_python() -> None:
    node = yaml.safe_load((Path(__file__).parents[2] / "conf" / "grader" / "judge.yaml").read_text(encoding="utf-8"))
    assert node.pop("_target_") == "harness.graders.judge.Judge"
    assert Judge(**node) == Judge()
