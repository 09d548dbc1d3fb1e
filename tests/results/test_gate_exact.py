"""Simulated rows: the same, or exit code 1 with the sample and the purpose; what cannot be compared: 2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gates import NOWHERE, baseline, judged, rows, rule_file, store, verb
from hypothesis import given, settings
from hypothesis import strategies as st
from run_builder import Call, Read, record, records, single, team

from harness.records import RunRecord
from results.gate.baseline import Baseline, read, write
from results.gate.gate import evaluate
from results.gate.report import Report, Verdict
from results.gate.rules import read as read_rules

pytestmark = pytest.mark.usefixtures("unsynced")
SAMPLES = ("s1", "s2", "s3")


def runs(**options: Any) -> list[RunRecord]:
    """`single` and a team on three samples, of which the team fails one."""
    made = [single(sample=s, simulated=True, **options) for s in SAMPLES]
    made += [team(sample=s, simulated=True, **options) for s in SAMPLES[:2]]
    return [*made, team(sample="s3", simulated=True, status="failed", score=0.0, **options)]


def run_of(made: Sequence[RunRecord], topology: str, sample: str) -> RunRecord:
    return next(r for r in made if (r.run.topology, r.run.sample_id) == (topology, sample))


def test_the_same_runs_pass(tmp_path: Path) -> None:
    report = judged(tmp_path, runs(), runs())
    assert (report.verdict, report.exit_code, report.differences) == (Verdict.PASS, 0, ())
    assert report.count(Verdict.PASS) == len(report.judgements) == 2 * 2 + 6 + 7, "7 rules, one of teams only"


def test_a_commit_that_changes_documents_only_passes(tmp_path: Path) -> None:
    after = runs(git_commit="f" * 40, harness_version="0.2.0", started_at="2031-01-01T00:00:00+00:00", config_hash="d")
    for made in after:
        made.run.cell_id = f"other-{made.run.topology}"
    assert judged(tmp_path, runs(git_commit="e" * 40), after).exit_code == 0


def test_tokens_moved_from_answer_to_sync_fail_though_every_total_is_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def made(answer: int, sync: int) -> RunRecord:
        call = Call("lead", [Read("task", 700)], [("answer", answer, 0), ("sync", sync, 0)])
        return record([call], topology="bus", sample="s2", simulated=True, family="team")

    before, after = made(500, 0), made(300, 200)
    for one in (before, after):  # not even the classes' totals tell
        one.run.work_tokens, one.run.coordination_tokens = 1_200, 0
    totals = ("prompt_tokens", "completion_tokens", "cost_pusd", "calls", "wall_s")
    assert all(getattr(before.run, t) == getattr(after.run, t) for t in totals)
    rest = [r for r in runs() if r.run.topology == "single"]
    file, folder = baseline(tmp_path, [*rest, before]), store(tmp_path, [*rest, after])
    assert verb("--baseline", file, "--candidate", folder) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "'s2'" in printed and "tokens.sync 0 → 200" in printed and "tokens.answer 500 → 300" in printed
    assert f"--baseline {file} --candidate {folder} --update" in printed


def test_swapped_scores_of_two_samples_fail(tmp_path: Path) -> None:
    before, after = runs(), runs()
    before[0].run.score, before[1].run.score = 0.25, 0.75
    after[0].run.score, after[1].run.score = 0.75, 0.25
    report = judged(tmp_path, before, after)
    assert report.exit_code == 1
    assert {(d.sample, d.column) for d in report.differences} == {("s1", "score"), ("s2", "score")}
    assert {d.rules for d in report.differences} == {("score",)}


def test_a_dropped_failed_run_is_not_passed_over(tmp_path: Path) -> None:
    after = [r for r in runs() if r.run.status == "ok"]
    report = judged(tmp_path, runs(), after)
    assert (report.exit_code, report.count(Verdict.FAIL)) == (2, 0)
    (unknown, *_) = [j for j in report.judgements if j.verdict is Verdict.UNKNOWN]
    assert (
        unknown.rule == "comparable" and "1 of 3 runs are not in the candidate: sample 's3' (epoch 0)" in unknown.says
    )


def test_a_regression_wins_over_what_could_not_be_evaluated_and_both_are_said(tmp_path: Path) -> None:
    after = [r for r in runs() if r.run.status == "ok"]
    run_of(after, "single", "s1").run.score = 0.5
    report = judged(tmp_path, runs(), after)
    assert report.exit_code == 1 and report.count(Verdict.FAIL) and report.count(Verdict.UNKNOWN)
    assert "regression (exit code 1)" in report.sentence and "could not evaluate" in report.sentence


def test_an_improvement_of_simulated_rows_is_a_difference_too(tmp_path: Path) -> None:
    after = runs()
    run_of(after, "bus", "s3").run.score = 1.0
    assert judged(tmp_path, runs(), after).exit_code == 1


CHANGES: dict[str, Callable[[RunRecord], None]] = {
    "status": lambda r: setattr(r.run, "status", "timeout"),
    "wall-clock, by the last bit": lambda r: setattr(r.run, "wall_s", 10.000000000000002),
    "a message": lambda r: setattr(r.run, "messages", r.run.messages + 1),
    "cost as if uncached": lambda r: setattr(r.run, "cost_uncached_usd", 0.5),
    "cost that is not known any more": lambda r: setattr(r.run, "cost_uncached_usd", None),
    "a depth violation": lambda r: setattr(r.run, "depth_violations", 1),
    "whether it passed": lambda r: setattr(r.run, "passed", False),
    "model": lambda r: setattr(r.run, "model", "other"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_any_difference_fails(tmp_path: Path, change: str) -> None:
    after = runs()
    CHANGES[change](run_of(after, "bus", "s1"))
    report = judged(tmp_path, runs(), after)
    assert report.exit_code == 1 and len(report.differences) == 1
    (found,) = report.differences
    assert (found.sample, found.cell.topology) == ("s1", "bus")


def test_an_exempt_column_may_differ_and_no_rule_claims_to_have_judged_it(tmp_path: Path) -> None:
    after = runs()
    run_of(after, "bus", "s1").run.wall_s = 11.0
    tokens = "  - {name: tokens, metric: tokens, better: lower}\n"
    wall = "  - {name: wall, metric: wall_s, better: lower}\n"
    exempt = rule_file(tmp_path, f"exempt: [wall_s]\nrules:\n{tokens}")
    assert judged(tmp_path, runs(), after, exempt).exit_code == 0
    assert judged(tmp_path, runs(), runs(), rule_file(tmp_path, f"rules:\n{tokens}{wall}")).exit_code == 0
    both = rule_file(tmp_path, f"exempt: [wall_s]\nrules:\n{tokens}{wall}")
    found = rows(tmp_path, runs())
    report = evaluate(Baseline(found, NOWHERE), found, read_rules(both))
    assert report.exit_code == 2 and {j.rule for j in report.judgements if j.verdict is Verdict.UNKNOWN} == {"wall"}


UNLIKE: dict[str, tuple[dict[str, Any], str]] = {
    "material": ({"material_hash": "other"}, "other material"),
    "seed": ({"seed": 1}, "another seed"),
    "grader": ({"grader": "judge"}, "another grader"),
    "rubric": ({"rubric_hash": "1" * 64}, "another rubric"),
    "threshold": ({"pass_threshold": 0.9}, "another threshold"),
    "real": ({"simulated": False}, "the candidate's real"),
    "task": ({"task": "other"}, "no such cell"),
    "setting": ({"params": '{"topology": "x", "task.docs": 4}'}, "no such cell"),
    "epoch": ({"epoch": 1}, "not in the candidate"),
}


@pytest.mark.parametrize("what", UNLIKE)
def test_what_is_not_comparable_is_not_judged(tmp_path: Path, what: str) -> None:
    changes, says = UNLIKE[what]
    after = [replace(r, run=replace(r.run, **changes)) for r in runs()]
    report = judged(tmp_path, runs(), after)
    assert (report.exit_code, report.count(Verdict.FAIL)) == (2, 0)
    assert all(says in j.says for j in report.judgements if j.rule == "comparable")


def test_a_cell_that_is_gone_and_one_that_is_new(tmp_path: Path) -> None:
    before = [*runs(), *(team(sample=s, simulated=True, topology="moa") for s in SAMPLES)]
    gone = judged(tmp_path, before, runs())
    assert gone.exit_code == 2 and "the candidate has no such cell" in {j.says for j in gone.judgements}
    new = judged(tmp_path, runs(), before)
    assert new.exit_code == 0
    assert [n for n in new.notes if "1 cells are not in the baseline and are not judged: moa · qa" in n]


def test_nothing_in_common(tmp_path: Path) -> None:
    report = judged(tmp_path, runs(), runs(task="other"))
    assert report.exit_code == 2 and "no cell is in both the baseline and the candidate" in report.notes


def test_runs_that_only_the_candidate_has_are_told(tmp_path: Path) -> None:
    report = judged(tmp_path, runs(), [*runs(), single(sample="s4", simulated=True)])
    assert report.exit_code == 0
    assert "runs that only the candidate has are not judged: single · qa (1)" in report.notes


def test_the_topologies_of_a_sweep_do_not_name_its_cells(tmp_path: Path) -> None:
    """A cell is the same one whether its topology and task were swept over or not."""
    plain = [replace(r, run=replace(r.run, params='{"task": "qa"}')) for r in runs()]
    assert judged(tmp_path, runs(), plain).exit_code == 0


def test_a_rule_that_fits_nothing_is_no_pass(tmp_path: Path) -> None:
    found = rows(tmp_path, [single(sample=s, simulated=True) for s in SAMPLES])
    rules = read_rules()
    report = evaluate(Baseline(found, NOWHERE), found, rules)
    assert report.exit_code == 2
    (idle,) = [j for j in report.judgements if j.cell is None]
    assert idle.rule == "coordination against single" and idle.simulated and "judged nothing" in idle.says


def test_a_report_without_judgements_has_not_passed() -> None:
    assert Report("b", "c", "", ()).exit_code == 2


@settings(max_examples=10)
@given(made=records(), data=st.data())
def test_any_run_equals_itself_and_a_baseline_keeps_every_value(
    tmp_path_factory: pytest.TempPathFactory, made: RunRecord, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("gate")
    made.run.simulated = True
    found = rows(folder, [made])
    write(folder / "b.parquet", Baseline(found, NOWHERE))
    kept = read(folder / "b.parquet")
    only = rule_file(folder, "rules: [{name: tokens, metric: tokens, better: lower}]")
    assert evaluate(kept, found, read_rules(only)).exit_code == 0
    # and one more token of any purpose that has some, with the totals as they were, does not
    shares = [s for s in made.shares if s.tokens]
    others = [s for s in made.shares if shares and s.purpose != shares[0].purpose]
    if shares and others:
        one, other = shares[0], data.draw(st.sampled_from(others))
        one.tokens -= 1
        other.tokens += 1
        report = evaluate(kept, rows(folder, [made]), read_rules(only))
        assert report.exit_code == 1
        assert {f"tokens.{one.purpose}", f"tokens.{other.purpose}"} <= {d.column for d in report.differences}
