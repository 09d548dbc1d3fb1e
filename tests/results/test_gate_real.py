"""Real rows: beyond what is allowed, within it, or nothing can be said; expected values worked out by hand or by
scipy from the definition."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gates import judged, rule_file
from run_builder import Call, Read, record, single, team
from scipy import stats

from harness.records import RunRecord
from results.gate.junit import junit
from results.gate.report import Judgement, Report, Verdict
from results.gate.sheets import gate_sheets

pytestmark = pytest.mark.usefixtures("unsynced")
WALL = "rules: [{name: wall, metric: wall_s, better: lower, absolute: %s, relative: %s}]"
SCORE = "rules: [{name: score, metric: score, better: higher, absolute: 0.05}]"
BEFORE = (10.0, 12.0, 9.0, 11.0, 14.0, 10.0, 13.0, 8.0)
WORSE = (1.0, 3.0, 2.0, 2.5, 0.5, 2.0, 1.5, 3.5)
"""Seconds: mean 2, standard deviation 1."""


def timed(seconds: Sequence[float], **options: Any) -> list[RunRecord]:
    """A run of `single` a number, each of another sample."""
    return [single(sample=f"s{i:03}", wall_s=s, **options) for i, s in enumerate(seconds)]


def later(by: Sequence[float] = WORSE) -> list[RunRecord]:
    return timed([a + b for a, b in zip(BEFORE, by, strict=True)])


def scored(scores: Sequence[float], **options: Any) -> list[RunRecord]:
    return [single(sample=f"s{i:03}", score=s, **options) for i, s in enumerate(scores)]


def only(report: Report) -> Judgement:
    """The one judgement by the one rule."""
    (judgement,) = [j for j in report.judgements if j.rule != "comparable"]
    return judgement


def test_the_interval_is_students_of_the_paired_differences(tmp_path: Path) -> None:
    found = only(judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (0.5, 0)))).figures
    assert found is not None and found.interval is not None
    d = np.array(WORSE)
    low, high = stats.t.interval(0.95, len(d) - 1, loc=d.mean(), scale=d.std(ddof=1) / np.sqrt(len(d)))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))
    assert (found.baseline, found.candidate) == pytest.approx((np.mean(BEFORE), np.mean(BEFORE) + 2))
    assert (found.worse, found.allowed, found.clusters) == pytest.approx((2, 0.5, 8))


@pytest.mark.parametrize(
    ("allowed", "verdict"),
    [(1.0, Verdict.FAIL), (1.1, Verdict.FAIL), (1.5, Verdict.OPEN), (2.5, Verdict.OPEN), (2.9, Verdict.PASS)],
)
def test_beyond_within_or_neither(tmp_path: Path, allowed: float, verdict: Verdict) -> None:
    """The interval of 2 ± t · s / √8 with s = 1, t(7) = 2.365: 1.164 to 2.836."""
    report = judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (allowed, 0)))
    assert only(report).verdict is verdict
    assert report.exit_code == {Verdict.FAIL: 1, Verdict.OPEN: 2, Verdict.PASS: 0}[verdict]


def test_a_relative_allowance_counts_what_is_uncertain_in_the_baseline(tmp_path: Path) -> None:
    """worse − 10 % of the baseline's own, cluster by cluster."""
    found = only(judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (0, 0.1)))).figures
    assert found is not None and found.interval is not None
    d = np.array(WORSE) - 0.1 * np.array(BEFORE)
    low, high = stats.t.interval(0.95, len(d) - 1, loc=d.mean(), scale=d.std(ddof=1) / np.sqrt(len(d)))
    allowed = 0.1 * np.mean(BEFORE)
    assert (found.interval.low - allowed, found.interval.high - allowed) == pytest.approx((low, high))
    assert found.allowed == pytest.approx(allowed)


@pytest.mark.parametrize(("absolute", "relative", "allowed"), [(3, 0.1, 3.0), (0.1, 0.1, 1.0875)])
def test_the_larger_allowance_holds(tmp_path: Path, absolute: float, relative: float, allowed: float) -> None:
    figures = only(judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (absolute, relative)))).figures
    assert figures is not None and figures.allowed == pytest.approx(allowed)


def test_several_rules_share_the_risk_of_a_false_alarm(tmp_path: Path) -> None:
    """The two-sided p-value of 2 ± 1 / √8 against 1.1 is 0.038; alone it is decided, beside one that decides nothing
    (p > 0.05) Holm doubles it."""
    alone = "  - {name: wall, metric: wall_s, better: lower, absolute: 1.1}\n"
    d = np.array(WORSE)
    p = stats.ttest_1samp(d, 1.1).pvalue
    assert 0.025 < p < 0.05
    open_ = "  - {name: vague, metric: wall_s, better: lower, absolute: 1.9}\n"
    assert judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, f"rules:\n{alone}")).exit_code == 1
    both = judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, f"rules:\n{alone}{open_}"))
    assert [j.verdict for j in both.judgements[1:]] == [Verdict.OPEN, Verdict.OPEN] and both.exit_code == 2
    wall = both.judgements[1].figures
    assert wall is not None and wall.interval is not None and wall.level == pytest.approx(0.975)
    assert 1.1 in wall.interval, "what is shown is what decides"


def test_an_improvement_passes(tmp_path: Path) -> None:
    report = judged(tmp_path, later(), timed(BEFORE), rule_file(tmp_path, WALL % (0, 0)))
    assert only(report).verdict is Verdict.PASS
    better = rule_file(tmp_path, "rules: [{name: wall, metric: wall_s, better: higher, absolute: 0.5}]")
    assert judged(tmp_path, later(), timed(BEFORE), better).exit_code == 1, "the direction is the rule's"


@pytest.mark.parametrize(
    ("clusters", "changed", "verdict"), [(100, 0, Verdict.PASS), (10, 0, Verdict.OPEN), (10, 10, Verdict.FAIL)]
)
def test_scores(tmp_path: Path, clusters: int, changed: int, verdict: Verdict) -> None:
    """With +1 and −1 among them: 100 unchanged scores ± 0.028, 10 unchanged ± 0.28, 10 lost 0.83 ± 0.38."""
    after = [0.0] * changed + [1.0] * (clusters - changed)
    report = judged(tmp_path, scored([1.0] * clusters), scored(after), rule_file(tmp_path, SCORE))
    assert only(report).verdict is verdict


def test_a_relative_allowance_of_scores_shifts_the_same_interval(tmp_path: Path) -> None:
    rules = "rules: [{name: score, metric: score, better: higher, %s}]"
    before, after = scored([1.0] * 40), scored([1.0] * 30 + [0.5] * 10)
    found = [
        only(judged(tmp_path, before, after, rule_file(tmp_path, rules % f"{kind}: 0.05"))).figures
        for kind in ("absolute", "relative")
    ]
    assert found[0] is not None and found[1] is not None
    assert found[0].interval is not None and found[1].interval is not None
    assert found[0].interval.low == pytest.approx(found[1].interval.low)


def test_what_never_happens_is_within_an_allowance_of_nothing(tmp_path: Path) -> None:
    rules = rule_file(tmp_path, "rules: [{name: depth, metric: depth_violations, better: lower}]")
    assert judged(tmp_path, timed(BEFORE), timed(BEFORE), rules).exit_code == 0
    always = timed(BEFORE, depth_violations=1)
    assert judged(tmp_path, timed(BEFORE), always, rules).exit_code == 1
    once = timed(BEFORE)
    once[0].run.depth_violations = 1
    assert judged(tmp_path, timed(BEFORE), once, rules).exit_code == 2


def test_fewer_than_six_clusters_say_nothing(tmp_path: Path) -> None:
    rules = rule_file(tmp_path, WALL % (50, 0))
    few = judged(tmp_path, timed(BEFORE[:5]), timed(BEFORE[:5]), rules)
    assert only(few).verdict is Verdict.UNKNOWN and "5 clusters" in only(few).says
    clustered = timed([10.0] * 12)
    for i, made in enumerate(clustered):
        made.run.cluster_id = f"k{i % 5}"
    assert only(judged(tmp_path, clustered, clustered, rules)).verdict is Verdict.UNKNOWN


def test_epochs_are_averaged_and_make_no_sample_more(tmp_path: Path) -> None:
    def epochs(seconds: Sequence[float], by: float) -> list[RunRecord]:
        return [r for e in (0, 1) for r in timed([s + (by if e else -by) for s in seconds], epoch=e)]

    twice = judged(
        tmp_path,
        epochs(BEFORE, 5.0),
        epochs([a + b for a, b in zip(BEFORE, WORSE, strict=True)], 1.0),
        rule_file(tmp_path, WALL % (0.5, 0)),
    )
    once = judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (0.5, 0)))
    one, other = only(twice).figures, only(once).figures
    assert one is not None and other is not None and one.interval is not None and other.interval is not None
    assert one.clusters == 8 and one.interval.low == pytest.approx(other.interval.low)


def test_a_dropped_failed_run_is_not_passed_over(tmp_path: Path) -> None:
    before = [*timed(BEFORE), single(sample="s900", status="failed", score=0.0)]
    report = judged(tmp_path, before, timed(BEFORE), rule_file(tmp_path, WALL % (50, 0)))
    assert report.exit_code == 2 and "1 of 9 runs are not in the candidate" in only(report).says


def _unpriced(**options: Any) -> list[RunRecord]:
    call = Call("lead", [Read("task", 800)], [("answer", 200, 0)], priced=False)
    return [record([call], sample=f"s{i:03}", **options) for i in range(8)]


def test_incomplete_cost_is_not_judged(tmp_path: Path) -> None:
    cost = rule_file(tmp_path, "rules: [{name: cost, metric: cost, better: lower, relative: 9}]")
    priced, one_unknown = timed(BEFORE), timed(BEFORE)
    one_unknown[3].run.cost_complete = False
    for before, after, side in (
        (priced, one_unknown, "1 of the candidate's 8"),
        (one_unknown, priced, "1 of the baseline's 8"),
        (priced, _unpriced(), "8 of the candidate's 8"),
    ):
        found = only(judged(tmp_path, before, after, cost))
        assert found.verdict is Verdict.UNKNOWN and side in found.says and "--rules" in found.says
    assert judged(tmp_path, _unpriced(), _unpriced(), rule_file(tmp_path, WALL % (1, 0))).exit_code == 0


COORDINATION = "unjudged: allow\nrules: [{name: c, metric: coordination_per_single, better: lower, absolute: %s}]"


def _teams(more: int) -> list[RunRecord]:
    """A team with 800 + ``more`` coordination tokens beside a `single` of 1,000, on eight samples."""
    made = []
    for i in range(8):
        call = Call("lead", [Read("task", 700), Read("sync", 800 + more)], [("answer", 200, 0)])
        made += [single(sample=f"s{i}"), record([call], topology="bus", sample=f"s{i}")]
    return made


@pytest.mark.parametrize(("allowed", "verdict"), [(0.02, Verdict.FAIL), (0.05, Verdict.PASS)])
def test_coordination_is_judged_by_singles_total(tmp_path: Path, allowed: float, verdict: Verdict) -> None:
    """(840 − 800) / 1,000 = 0.04 more."""
    found = only(judged(tmp_path, _teams(0), _teams(40), rule_file(tmp_path, COORDINATION % allowed)))
    assert found.verdict is verdict and found.cell is not None and found.cell.topology == "bus"
    assert found.figures is not None
    figures = (found.figures.baseline, found.figures.candidate, found.figures.worse)
    assert figures == pytest.approx((0.8, 0.84, 0.04))


def test_coordination_without_single_is_not_judged(tmp_path: Path) -> None:
    alone = [team(sample=f"s{i}") for i in range(8)]
    found = only(judged(tmp_path, alone, alone, rule_file(tmp_path, COORDINATION % 1)))
    assert found.verdict is Verdict.UNKNOWN and "no cells of `single`" in found.says
    for kept in (7, 0):
        less = [r for r in _teams(0) if r.run.topology != "single" or int(r.run.sample_id[1:]) < kept]
        assert judged(tmp_path, _teams(0), less, rule_file(tmp_path, COORDINATION % 1)).exit_code == 2


def test_real_cells_that_no_rule_judges_are_no_pass_unless_the_rules_say_so(tmp_path: Path) -> None:
    text = WALL % (1, 0)
    rules = rule_file(tmp_path, text.replace("}]", ", topologies: [bus]}]"))
    made = [*timed(BEFORE), *(team(sample=f"s{i}") for i in range(8))]
    report = judged(tmp_path, made, made, rules)
    (silent,) = [j for j in report.judgements if j.verdict is Verdict.UNKNOWN]
    assert report.exit_code == 2 and silent.cell is not None and silent.cell.topology == "single"
    assert "no rule judges this cell" in silent.says
    allowed = judged(tmp_path, made, made, rule_file(tmp_path, f"unjudged: allow\n{rules.read_text()}"))
    assert allowed.exit_code == 0
    assert "1 cells of real rows are judged by no rule, as `unjudged: allow` has it: single · qa" in allowed.notes


def test_real_and_simulated_cells_of_one_store_are_each_judged_in_their_way(tmp_path: Path) -> None:
    simulated = [team(sample=f"s{i}", simulated=True) for i in range(3)]
    changed = [team(sample=f"s{i}", simulated=True, refused=i) for i in range(3)]
    rules = rule_file(tmp_path, WALL % (1, 0))
    assert judged(tmp_path, [*timed(BEFORE), *simulated], [*timed(BEFORE), *simulated], rules).exit_code == 0
    report = judged(tmp_path, [*timed(BEFORE), *simulated], [*timed(BEFORE), *changed], rules)
    assert report.exit_code == 1
    assert {j.simulated for j in report.judgements if j.verdict is Verdict.FAIL} == {True}


ORDERS: dict[str, Callable[[list[RunRecord]], list[RunRecord]]] = {
    "reversed": lambda made: made[::-1],
    "halves swapped": lambda made: [*made[4:], *made[:4]],
}


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_the_rows_means_nothing(tmp_path: Path, order: str) -> None:
    rules = rule_file(tmp_path, WALL % (1.5, 0))
    usual = judged(tmp_path, timed(BEFORE), later(), rules)
    assert judged(tmp_path, timed(BEFORE), ORDERS[order](later()), rules) == usual


def test_a_long_tail_is_marked(tmp_path: Path) -> None:
    """Seven small differences and one of a thousand times their size: Cochran's n ≤ 25 · skewness²."""
    found = only(judged(tmp_path, timed(BEFORE), later([0.1] * 7 + [100.0]), rule_file(tmp_path, WALL % (500, 0))))
    assert found.figures is not None and found.figures.skewed
    usual = only(judged(tmp_path, timed(BEFORE), later([1.0, 3.0] * 4), rule_file(tmp_path, WALL % (500, 0))))
    assert usual.figures is not None and not usual.figures.skewed


def test_what_is_written_of_real_rows_has_its_figures(tmp_path: Path) -> None:
    report = judged(tmp_path, timed(BEFORE), later(), rule_file(tmp_path, WALL % (0.5, 0)))
    (failure,) = ET.fromstring(junit(report)).iter("failure")
    shown = "wall_s 10.88 s → 12.88 s: worse by 2.00 s (1.16 s to 2.84 s), allowed 0.50 s, 8 clusters"
    low, high = stats.t.interval(0.95, 7, loc=2, scale=np.std(WORSE, ddof=1) / np.sqrt(8))
    assert f"({low:.2f} s to {high:.2f} s)" in shown and shown in str(failure.get("message"))
    (table,) = [s for s in gate_sheets(report) if s.title == "Gate: real rows by rule and cell"]
    assert [s.simulated for s in gate_sheets(report)] == [False] * 3
    assert table.rows == [
        (
            "wall, single · qa",
            "10.88 s",
            "12.88 s",
            "2.00 s",
            f"{low:.2f} s to {high:.2f} s",
            "0.50 s",
            "8",
            "regression",
        )
    ]
