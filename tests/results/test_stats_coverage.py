"""Intervals hold the truth as often as they say: few experiments here, all of them in docs/coverage.md."""

from __future__ import annotations

import pytest

from benchmarks.coverage.__main__ import REQUIRED
from benchmarks.coverage.experiment import EXPERIMENTS, SIZES, measured
from benchmarks.coverage.page import read
from benchmarks.coverage.populations import Population, populations
from results.stats.skewness import LOGNORMAL

ALL = {p.name: p for p in populations()}
MANY = 1000
FEWEST = 900
"""Of 1,000 intervals that hold the truth with a probability of 93 %, fewer than 900 do so once in 5,000 times."""
MOST = 978
"""Of those that hold it with 95 %, more than 978 do so once in 500,000 times."""


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("scores, win 0.10, lose 0.00", 30),
        ("scores, win 0.30, lose 0.10", 200),
        ("normal", 6),
        ("normal, 8 clusters, ICC 0.3", 6),
        ("log-normal cost, sd 0.5 of the log: ratio", 30),
    ],
    ids=str,
)
def test_the_hardest_cells_hold(name: str, n: int) -> None:
    assert FEWEST <= measured(ALL[name], n, MANY, check=False).held <= MOST


def test_the_experiment_can_fail() -> None:
    """Scores without the two pseudo-differences, and log-normal costs, hold the truth far less often."""
    scores = ALL["scores, win 0.05, lose 0.02"]
    assert measured(Population(scores.name, scores.truth, scores.draw), 30, MANY, check=False).held < FEWEST
    assert measured(ALL["log-normal cost, sd 1.0 of the log: difference"], 10, MANY, check=False).held < FEWEST


def test_the_truth_of_each_population_is_its_mean() -> None:
    """Of 200,000 clusters, within five standard errors; of a ratio, numerator − truth · denominator has mean 0."""
    import numpy as np

    for population in ALL.values():
        drawn = population.draw(np.random.default_rng(1), 200_000)
        off = drawn[0] - population.truth * (drawn[1] if len(drawn) == 2 else 1.0)
        assert abs(off.mean()) < 5 * off.std(ddof=1) / len(off) ** 0.5, population.name


def test_the_page_has_every_cell_and_none_fails() -> None:
    """After a change of the intervals: python -m benchmarks.coverage --write"""
    page = read()
    assert set(page) == {(name, n) for name in ALL for n in SIZES}
    for (name, n), cells in page.items():
        held = float(cells["held %"])
        assert held >= 100 * REQUIRED or not ALL[name].required, (name, n)
        assert held + float(cells["truth below %"]) + float(cells["truth above %"]) == pytest.approx(100, abs=0.16)
    for n, share in LOGNORMAL.items():
        assert float(page["log-normal cost, sd 1.0 of the log: difference", n]["held %"]) == pytest.approx(100 * share)


def test_the_page_is_what_its_command_measures() -> None:
    """The cells that take no time; other versions of numpy may draw otherwise, within 5 standard errors of each."""
    page = read()
    for name in ("scores, win 0.30, lose 0.10", "normal, 8 clusters, ICC 0.3"):
        held = measured(ALL[name], 10, EXPERIMENTS, check=False).held
        assert 100 * held / EXPERIMENTS == pytest.approx(float(page[name, 10]["held %"]), abs=3.5)
