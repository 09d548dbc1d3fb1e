"""Every topology against `single` and its family: figures worked out by hand, intervals only where they are honest."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from worlds import One, world

from results.__main__ import main
from results.comparison.comparison import Comparison, compare
from results.comparison.render import print_comparison
from results.frames import load


def compared(root: Path) -> Comparison:
    (comparison,) = compare(load(root))
    return comparison


def shown(root: Path) -> str:
    text = io.StringIO()
    print_comparison(load(root), None, Console(file=text, width=100))
    return text.getvalue()


def eight(**cells: Any) -> dict[str, list[One]]:
    return {name: list(outcomes) for name, outcomes in cells.items()}


SINGLE = [One(s, tokens=100) for s in (0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)]
RESAMPLE = [One(s, tokens=300) for s in (1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)]
TEAM = [One(s, tokens=200, wall_s=5.0) for s in (1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0)]


@pytest.fixture
def three(spool: Any) -> Path:
    return Path(spool(*world({"single": SINGLE, "resample": RESAMPLE, "bus": TEAM})))


def test_differences_and_ratios_on_the_same_samples(three: Path) -> None:
    bus = next(r for r in compared(three).rows if r.cell.label == "bus")
    assert (bus.score.one, bus.score.other, bus.score.value) == (0.75, 0.5, 0.25)
    assert (bus.score.samples, bus.score.clusters) == (8, 8)
    assert bus.usd is not None and bus.tokens is not None and bus.wall is not None
    assert (bus.usd.value, bus.tokens.value, bus.wall.value) == (pytest.approx(2.0), 2.0, 0.5)
    assert bus.extra_wall_s is not None and bus.extra_wall_s.value == -5.0
    assert bus.extra_tokens is not None and bus.extra_tokens.value == 100.0


def test_the_interval_of_a_score_knows_two_more_pairs_one_won_and_one_lost(three: Path) -> None:
    """Differences 1, 1 and six zeros, with +1 and −1: mean 0.2, s² = (4 − 10·0.04)/9 = 0.4, s/√10 = 0.2."""
    bus = next(r for r in compared(three).rows if r.cell.label == "bus")
    found = bus.score.found
    assert found is not None and found.interval is not None
    assert (found.centre, found.se) == (pytest.approx(0.2), pytest.approx(0.2))
    assert (found.interval.low + found.interval.high) / 2 == pytest.approx(0.2)


def test_at_equal_money_the_team_is_held_against_half_of_each(three: Path) -> None:
    """200 tokens are half-way from single (100; 0.5) to resample (300; 0.625): 0.5625, and 0.75 is 0.1875 more."""
    bus = next(r for r in compared(three).rows if r.cell.label == "bus")
    assert bus.equal is not None
    assert bus.equal.score.value == pytest.approx(0.1875)
    assert (bus.equal.at_cost.low.cell_id, bus.equal.at_cost.high.cell_id) == ("single", "resample")
    assert bus.equal.at_cost.weight == pytest.approx(0.5)
    assert bus.equal.money is None and bus.equal.at_score is None, "nobody of the family scores 0.75"


def test_at_equal_score_the_team_is_held_against_what_the_family_takes_for_it(spool: Any) -> None:
    """0.5625 of the family is 200 tokens; the team takes 400 for it."""
    team = [One(s, tokens=400) for s in (0.5, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)]
    bus = next(
        r for r in compared(spool(*world({"single": SINGLE, "resample": RESAMPLE, "bus": team}))).rows
        if r.cell.label == "bus"
    )  # fmt: skip
    assert bus.equal is not None and bus.equal.money is not None
    assert bus.equal.money.value == pytest.approx(2.0)


def test_the_front(three: Path) -> None:
    assert {r.cell.label: r.on_front for r in compared(three).rows} == {"resample": False, "bus": True}


def test_fewer_than_six_clusters_have_no_interval(spool: Any) -> None:
    root = spool(*world({"single": SINGLE, "bus": TEAM}, cluster=lambda i: f"c{i % 5}"))
    (row,) = compared(root).rows
    assert row.score.clusters == 5
    assert row.score.found is not None and row.score.found.interval is None and row.score.found.check is None
    assert "none: 5 clusters" in shown(root)


def test_one_sample_is_compared_without_an_interval(spool: Any) -> None:
    root = spool(*world({"single": SINGLE[:1], "bus": TEAM[:1]}))
    (row,) = compared(root).rows
    assert (row.score.value, row.score.clusters) == (1.0, 1)
    assert "none: 1 cluster" in shown(root)


def test_simulated_rows_have_a_spread_and_nothing_else(spool: Any) -> None:
    root = spool(*world({"single": SINGLE, "resample": RESAMPLE, "bus": TEAM}, simulated=True))
    for row in compared(root).rows:
        assert row.score.found is None and row.score.n_needed is None and row.score.monte_carlo is not None
        assert row.usd is not None and row.usd.found is None
        assert row.equal is not None and row.equal.score.found is None
    text = shown(root)
    assert "interval" not in text.replace("% interval", "interval") and "bootstrap" not in text
    assert "SIMULATED · Score against single" in text


def test_unknown_costs_are_named_and_never_added_as_zero(spool: Any) -> None:
    priceless = [One(o.score, tokens=o.tokens, priced=False) for o in TEAM]
    root = spool(*world({"single": SINGLE, "bus": priceless}))
    (row,) = compared(root).rows
    assert (row.usd, row.extra_usd, row.equal, row.on_front) == (None, None, None, None)
    assert row.tokens is not None and row.tokens.value == 2.0
    text = shown(root)
    assert "unknown" in text and "cost of some runs is unknown" in text


def test_a_missing_run_is_said_and_counts_as_a_failure(spool: Any) -> None:
    root = spool(*world({"single": SINGLE, "bus": [None, *TEAM[1:]]}))
    (row,) = compared(root).rows
    assert row.score.one == 0.625
    assert "Missing runs count as failures" in shown(root)


def test_equal_data_give_the_same_figures_in_any_order_of_rows(fill: Any, tmp_path: Path) -> None:
    from run_builder import Experiment

    from results.store import Store

    made = world({"single": SINGLE, "resample": RESAMPLE, "bus": TEAM})
    store = Store(str(tmp_path / "other"))
    store.open(Experiment("exp"))
    for record in reversed(made):
        store.write(record)
    store.close()
    assert shown(fill(*made)) == shown(tmp_path / "other")


def test_the_command_prints_it(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(three)]) == 0
    text = capsys.readouterr().out
    assert "Score against single" in text and "50.0 % resample" in text


@pytest.mark.parametrize("verb", ["compare", "roi"])
def test_a_store_that_is_not_there_is_one_line(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: there is no store in ") and said.count("\n") == 1
