"""At which size the best choice changes: rows on known curves, whose crossings are worked out by hand."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from size_sweeps import SAMPLES, USD, curve, lines, run

from results.crossover import Crossing, Crossover, crossovers
from results.crossover.render import print_crossovers
from results.frames import load

SIZES = (4, 8, 16, 32, 64)


def told(root: Path, **options: Any) -> Crossover:
    (found,) = crossovers(load(root), **options)
    return found


def only(found: Crossover, criterion: str) -> Crossing:
    (crossing,) = found.verdict(criterion).crossings
    return crossing


def printed(root: Path, **options: Any) -> str:
    out = io.StringIO()
    print_crossovers(load(root), console=Console(file=out, width=100), **options)
    return out.getvalue()


def test_ten_n_and_a_hundred_plus_five_n_meet_at_twenty(spool: Any) -> None:
    found = told(spool(*lines(SIZES)))
    assert (found.by, found.sizes) == ("task.docs", SIZES)
    assert [c.label for c in found.choices] == ["single", "crew"], "single first"
    for criterion in ("tokens", "usd", "uncached"):
        crossing = only(found, criterion)
        assert crossing.size == pytest.approx(20) and (crossing.below, crossing.above) == ("single", "crew")
        assert not crossing.extrapolated and crossing.between == (16, 32)
        assert (crossing.low, crossing.high) == (pytest.approx(20), pytest.approx(20))
        assert (crossing.held, crossing.of) == (5, 5), "whichever size is left out"
        stretches = found.verdict(criterion).stretches
        assert [(s.low, s.high, s.choice) for s in stretches] == [
            (4, pytest.approx(20), "single"),
            (pytest.approx(20), 64, "crew"),
        ]
        assert found.verdict(criterion).disputed == ()
    winners = found.verdict("tokens").winners
    assert [(w.choice, w.margin.value) for w in winners if w.margin] == [
        ("single", 120 - 40),
        ("single", 140 - 80),
        ("single", 180 - 160),
        ("crew", 320 - 260),
        ("crew", 640 - 420),
    ]
    fit = found.choice("crew").fits["tokens"]
    assert fit is not None and fit.form == "line" and fit.coefficients == pytest.approx((100, 5, 0))
    assert fit.error == pytest.approx(0, abs=1e-9) and fit.largest_error == pytest.approx(0, abs=1e-9)
    assert [(f.size, f.measured, f.foretold) for f in fit.largest] == [(64, 420, pytest.approx(420))]


def test_equal_scores_never_cross(spool: Any) -> None:
    found = told(spool(*lines(SIZES))).verdict("score")
    assert found.crossings == () and [s.choice for s in found.stretches] == ["single"], "of equals the earlier"
    assert all(w.close and w.margin is not None and w.margin.value == 0 for w in found.winners)


def test_beyond_what_was_measured_it_says_so(spool: Any) -> None:
    root = spool(*lines((2, 4, 8, 16)))
    found = told(root)
    crossing = only(found, "usd")
    assert crossing.size == pytest.approx(20) and crossing.extrapolated and crossing.between is None
    assert [s.choice for s in found.verdict("usd").stretches] == ["single"], "nothing changes where it was measured"
    assert found.verdict("usd").searched == (1.0, 64)
    assert "EXTRAPOLATED" in printed(root)


def test_far_beyond_it_says_nothing(spool: Any) -> None:
    """The lines meet at 20, five times the largest size."""
    root = spool(*lines((1, 2, 4)))
    assert told(root).verdict("usd").crossings == ()
    assert "no change from 1 to 16" in printed(root)


def test_scores_cross_where_their_lines_do(spool: Any) -> None:
    """1 − n/100 falls below 0.7 at 30."""
    sizes = (10, 20, 40, 80)
    root = spool(
        *curve("single", sizes, lambda n: 100, lambda n: 1 - n / 100),
        *curve("crew", sizes, lambda n: 200, lambda n: 0.7),
    )
    crossing = only(told(root), "score")
    assert crossing.size == pytest.approx(30) and crossing.between == (20, 40)
    fit = told(root).choice("single").fits["score"]
    assert fit is not None and fit.curve(150) == 0 and fit.curve(1) == pytest.approx(0.99), "a score stays in 0..1"


def test_net_return_by_hand(spool: Any) -> None:
    """λ = 0.01: single 0.01·(1 − n/100) − 10·n·USD, crew 0.007 − (100 + 5·n)·USD: equal at 0.0033 / 0.000115. With an
    hour at 0.01 USD, single 0.1 h, crew 0.01 h: 0.0009 less for single."""
    sizes = (10, 20, 40, 80)
    root = spool(
        *curve("single", sizes, lambda n: 10 * n, lambda n: 1 - n / 100, wall_s=360.0),
        *curve("crew", sizes, lambda n: 100 + 5 * n, lambda n: 0.7, wall_s=36.0),
    )
    free = told(root, score_usd=0.01)
    assert [v.criterion for v in free.verdicts] == ["net", "net uncached"]
    for verdict in free.verdicts:
        assert [c.size for c in verdict.crossings] == [pytest.approx(0.0033 / 0.000115)]
        assert verdict.error["single"] == pytest.approx(0, abs=1e-12)
    assert only(told(root, score_usd=0.01, hour_usd=0.01), "net").size == pytest.approx(0.0024 / 0.000115)
    (margin,) = [w.margin for w in free.verdict("net").winners if w.size == 80]
    assert margin is not None and margin.value == pytest.approx(0.007 - 500 * USD - (0.002 - 800 * USD))


def test_when_the_price_of_a_score_falls_the_crossing_moves(spool: Any) -> None:
    """λ·n/100 + 5·n·USD = 0.3·λ + 100·USD: with λ = 0 only cost counts, and the lines meet at 20."""
    sizes = (10, 20, 40, 80)
    root = spool(
        *curve("single", sizes, lambda n: 10 * n, lambda n: 1 - n / 100),
        *curve("crew", sizes, lambda n: 100 + 5 * n, lambda n: 0.7),
    )
    for worth in (0.0, 0.002, 1.0):
        expected = (0.3 * worth + 100 * USD) / (worth / 100 + 5 * USD)
        assert only(told(root, score_usd=worth), "net").size == pytest.approx(expected)


def test_channels_between_workers(spool: Any) -> None:
    """50 + 30·n(n−1)/2 tokens of n workers reach the 600 of one agent, who has no such parameter, at
    n(n−1) = 550/15."""
    workers = (2, 3, 5, 7, 9)
    one = [run("single", None, 600, sample=s) for s in SAMPLES]
    root = spool(*one, *curve("crew", workers, lambda n: 50 + 15 * n * (n - 1), key="topology.workers"))
    found = told(root)
    assert found.by == "topology.workers" and found.choice("single").fixed
    fit = found.choice("crew").fits["tokens"]
    assert fit is not None and fit.form == "channels" and fit.coefficients == pytest.approx((50, -15, 15))
    crossing = only(found, "tokens")
    assert crossing.size == pytest.approx((1 + math.sqrt(1 + 4 * 550 / 15)) / 2) and crossing.between == (5, 7)
    assert (crossing.below, crossing.above) == ("crew", "single") and crossing.of == 5
    assert [t.size for t in found.equations[0].terms] == [2], "one measurement of one agent"
    assert "50 + 30·n(n−1)/2" in printed(root) and "single, any size" in printed(root)


def test_a_sharp_bend_is_joined_and_never_carried_on(spool: Any) -> None:
    """Scores 0.9, 0.9, 0.9, 0.5, 0.5 against 0.6: on the line from 16 to 32 at 16 + 16·0.3/0.4."""
    steps = dict(zip(SIZES, (0.9, 0.9, 0.9, 0.5, 0.5), strict=True))
    root = spool(
        *curve("single", SIZES, lambda n: 100, lambda n: steps[int(n)]),
        *curve("crew", SIZES, lambda n: 90, lambda n: 0.6),
    )
    verdict = told(root).verdict("score")
    (crossing,) = verdict.crossings
    assert crossing.size == pytest.approx(28) and verdict.searched == (4, 64)


def test_a_topology_with_another_setting_is_another_choice_and_another_task_another_table(spool: Any) -> None:
    made = []
    for seed in (0, 1):
        more = f'{{"task.seed": {seed}}}'
        made += lines(SIZES, more=more)
        made += curve("crew", SIZES, lambda n: 1, more=f'{{"task.seed": {seed}, "topology.rounds": 2}}')
    found = crossovers(load(spool(*made)), by="task.docs")
    assert [f.setting for f in found] == ['{"task.seed": 0}', '{"task.seed": 1}']
    assert [sorted(c.label for c in f.choices) for f in found] == [["crew", "crew rounds=2", "single"]] * 2


def test_labels_of_topologies_mean_nothing(spool: Any, tmp_path: Path) -> None:
    """Whoever has the rows has the verdict; only ``single`` is a name that counts, and only for the order."""
    swapped = [
        *curve("resample", SIZES, lambda n: 100 + 5 * n, family="team"),
        *curve("crew", SIZES, lambda n: 10 * n, family="single"),
    ]
    crossing = only(told(spool(*swapped)), "usd")
    assert (crossing.below, crossing.above, crossing.size) == ("crew", "resample", pytest.approx(20))


def test_where_means_and_curves_disagree_both_are_told(spool: Any) -> None:
    """At 8 alone the dearer one was cheaper; a line through five sizes does not follow it."""
    sizes = (4, 8, 16, 32, 64, 128)
    root = spool(
        *curve("single", sizes, lambda n: 100 + n),
        *curve("crew", sizes, lambda n: 105 + n if n != 8 else 107),
    )
    verdict = told(root).verdict("tokens")
    assert [w.choice for w in verdict.winners] == ["single", "crew", *["single"] * 4]
    assert verdict.disputed == (8,) and verdict.crossings == ()
    assert "the fitted curves call another choice best there" in printed(root)


def test_only_samples_that_all_choices_have_are_compared(spool: Any) -> None:
    rows = [row for row in lines(SIZES) if not (row.run.topology == "crew" and row.run.sample_id == "s2")]
    found = told(spool(*rows))
    single, crew = (c.at(16) for c in found.choices)
    assert single is not None and (single.pairs, single.left_out) == (2, 1)
    assert crew is not None and (crew.pairs, crew.left_out) == (2, 0)


def test_failures_stay_in_the_means(spool: Any) -> None:
    rows = lines(SIZES)
    for row in rows:
        if row.run.topology == "single" and row.run.sample_id == "s0":
            row.run.status, row.run.score = "failed", 0.0
    point = told(spool(*rows)).choices[0].at(4)
    assert point is not None and point.failed == 1
    score = point.figures["score"]
    assert score is not None and score.value == pytest.approx(2 / 3)


def test_epochs_are_averaged_first_then_the_samples_of_a_cluster(spool: Any) -> None:
    """Sample a: 100 and 300; b, of the same cluster: 500 → (200 + 500) / 2; c alone: 50. The mean of 350 and 50."""
    made = []
    for size in (1, 2, 3):
        for topology in ("single", "crew"):
            for sample, epoch, tokens, cluster in (
                ("a", 0, 100, "x"),
                ("a", 1, 300, "x"),
                ("b", 0, 500, "x"),
                ("c", 0, 50, "y"),
            ):
                made.append(run(topology, size, tokens, sample=sample, epoch=epoch, cluster_id=cluster))
    point = told(spool(*made)).choices[0].at(1)
    assert point is not None and (point.pairs, point.clusters) == (4, 2)
    tokens = point.figures["tokens"]
    assert tokens is not None and tokens.value == 200


def noisy(simulated: bool, clusters: int) -> list[Any]:
    """Tokens of single lie 0, 1, 2, … above 10·n, the crew's all on its line."""
    made = []
    for size in SIZES:
        for i in range(clusters):
            made.append(run("single", size, 10 * size + i, sample=f"s{i}", simulated=simulated))
            made.append(run("crew", size, 100 + 5 * size, sample=f"s{i}", simulated=simulated))
    return made


def test_real_rows_have_intervals_from_six_clusters(spool: Any) -> None:
    """0 … 5 around 42.5: sd √3.5, Student's t with 5 degrees of freedom 2.5706."""
    found = told(spool(*noisy(False, 6)))
    point = found.choices[0].at(4)
    tokens = point.figures["tokens"] if point else None
    assert tokens is not None and tokens.spread is None
    half = 2.570582 * math.sqrt(3.5 / 6)
    assert tokens.interval == (pytest.approx(42.5 - half, abs=1e-4), pytest.approx(42.5 + half, abs=1e-4))
    margin = found.verdict("tokens").winners[0].margin
    assert margin is not None and margin.interval == (
        pytest.approx(77.5 - half, abs=1e-4),
        pytest.approx(77.5 + half, abs=1e-4),
    )


def test_real_rows_have_none_below(spool: Any) -> None:
    found = told(spool(*noisy(False, 5)))
    figures = [f for c in found.choices for p in c.points for f in p.figures.values() if f is not None]
    assert figures and all(f.interval is None and f.spread is None for f in figures)


def test_all_scores_of_one_are_not_certain(spool: Any) -> None:
    """As if one more cluster had scored 0 and one 1: the mean of eight is 7/8, and no interval ends beyond 1."""
    found = told(spool(*noisy(False, 6)))
    point = found.choices[0].at(4)
    score = point.figures["score"] if point else None
    assert score is not None and score.value == 1.0 and score.interval is not None
    assert score.interval[0] < 7 / 8 and score.interval[1] == 1.0


def test_simulated_rows_have_a_spread_and_no_interval(spool: Any) -> None:
    root = spool(*noisy(True, 6))
    found = told(root)
    figures = [f for c in found.choices for p in c.points for f in p.figures.values() if f is not None]
    figures += [w.margin for v in found.verdicts for w in v.winners if w.margin is not None]
    assert figures and all(f.interval is None and f.spread is not None for f in figures)
    point = found.choices[0].at(4)
    tokens = point.figures["tokens"] if point else None
    assert tokens is not None and tokens.spread == pytest.approx(math.sqrt(3.5 / 6))
    text = printed(root)
    titles = [line for line in text.splitlines() if line.startswith("SIMULATED · ")]
    assert len(titles) == 7, "the banner and six tables"
    assert "interval" not in text and "No model was asked" in text


def test_simulated_and_real_are_two_sweeps(spool: Any) -> None:
    rows = [*lines(SIZES), *lines(SIZES, simulated=True)]
    for row in rows[len(rows) // 2 :]:
        row.run.cell_id += "-sim"
    for row in rows[len(rows) // 2 :]:
        for table in ([row.run], row.calls, row.shares):
            for line in table:
                line.run_id += "-sim"
    assert [f.simulated for f in crossovers(load(spool(*rows)))] == [False, True]


def test_everything_printed_fits_a_terminal(spool: Any) -> None:
    root = spool(*lines(SIZES, simulated=True))
    for options in ({}, {"score_usd": 0.01, "hour_usd": 1.0}):
        text = printed(root, **options)
        assert max(map(len, text.splitlines())) <= 100
        assert "20" in text and "interpolated" in text
