"""Means, against figures worked out by hand and what must hold of any mean."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from results.stats import MIN_CLUSTERS, Interval, mean, spread

VALUES = st.lists(st.integers(-1000, 1000).map(lambda i: i / 10), min_size=MIN_CLUSTERS, max_size=40)
SCORES = st.lists(st.integers(-4, 4).map(lambda i: i / 4), min_size=MIN_CLUSTERS, max_size=40)


def close(one: Interval | None, low: float, high: float) -> bool:
    assert one is not None
    return one.low == pytest.approx(low, abs=1e-9) and one.high == pytest.approx(high, abs=1e-9)


def test_a_mean_worked_out_by_hand() -> None:
    """1 … 7: sum of squares 28 about 4, sd √(28/6), se √(28/6/7); t of 6 degrees of freedom is 2.446912 (any table)."""
    found = mean([3, 1, 2, 4, 7, 6, 5])
    assert (found.value, found.n, found.df, found.centre) == (4.0, 7, 6, 4.0)
    assert found.sd == pytest.approx(math.sqrt(28 / 6)) and found.se == pytest.approx(math.sqrt(2 / 3))
    reach = 2.446912 * math.sqrt(2 / 3)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(4 - reach, abs=1e-5)
    assert found.interval.high == pytest.approx(4 + reach, abs=1e-5)
    at_edge = found.p_above(4 - reach)
    assert at_edge == pytest.approx(0.025, abs=1e-6), "the edge of the interval is where the one-sided test turns"
    assert found.p_above(4.0) == 0.5 == found.p_below(4.0)


def test_scores_get_a_win_and_a_loss_more() -> None:
    """Six ties: the values 0 0 0 0 0 0 1 −1 have sd √(2/7) and se √(2/7/8); t of 5 degrees of freedom is 2.570582."""
    ties = mean([0.0] * 6, scores=True)
    assert (ties.value, ties.n, ties.sd, ties.df, ties.centre) == (0.0, 6, 0.0, 5, 0.0)
    assert ties.se == pytest.approx(math.sqrt(2 / 7 / 8))
    assert close(ties.interval, -2.5705818366147395 * math.sqrt(1 / 28), 2.5705818366147395 * math.sqrt(1 / 28))
    wins = mean([1.0] * 6, scores=True)
    assert (wins.value, wins.centre) == (1.0, 0.75)
    assert wins.interval is not None and wins.interval.high == 1.0, "no score is better by more than 1"


def test_other_pseudo_values_are_told() -> None:
    """A score priced at 2 USD less a cost of 0.1 USD: the pseudo-values are −0.1 ± 2, and nothing else changes."""
    scores = [0.0, 1.0, 0.0, 0.0, -1.0, 1.0, 0.0]
    plain, priced = mean(scores, scores=True), mean([2 * s - 0.1 for s in scores], pseudo=(1.9, -2.1))
    assert plain.interval is not None
    assert close(priced.interval, 2 * plain.interval.low - 0.1, 2 * plain.interval.high - 0.1)
    assert priced.p_above(0.5) == pytest.approx(plain.p_above(0.3))


def test_few_clusters_have_no_interval() -> None:
    five = mean([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (five.value, five.interval, five.check, five.p_above(0), five.p_below(0)) == (3.0, None, None, None, None)
    one = mean([0.25], scores=True)
    assert (one.value, one.n, one.sd, one.df, one.interval) == (0.25, 1, None, 0, None)


def test_equal_costs_have_an_interval_of_no_width() -> None:
    same = mean([0.1] * 9)
    assert (same.value, same.sd, same.interval, same.check) == (0.1, 0.0, Interval(0.1, 0.1), Interval(0.1, 0.1))
    assert (same.p_above(0.05), same.p_above(0.1), same.p_below(0.1), same.p_below(0.2)) == (0.0, 1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("values", "scores", "said"),
    [
        ([], False, "values: there is none"),
        ([1.0, math.nan], False, r"values\[1\] is nan"),
        ([math.inf, 1.0], False, r"values\[0\] is inf"),
        ([0.5, -1.5], True, "one is -1.5"),
    ],
    ids=["none", "nan", "inf", "no-scores"],
)
def test_what_is_no_number_is_named(values: list[float], scores: bool, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        mean(values, scores=scores)
    if not scores:
        with pytest.raises(ValueError, match=said):
            spread(values)


def test_a_level_is_a_share() -> None:
    with pytest.raises(ValueError, match="between 0 and 1, not 95"):
        mean([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], level=95)


@given(VALUES, st.sampled_from([0.001, 0.5, 3.0, 1000.0]), st.integers(-50, 50))
def test_another_unit_and_another_zero_change_nothing_else(values: list[float], unit: float, zero: int) -> None:
    one, other = mean(values), mean([unit * v + zero for v in values])
    assert one.interval is not None and other.interval is not None
    for was, now in ((one.interval.low, other.interval.low), (one.interval.high, other.interval.high)):
        assert now == pytest.approx(unit * was + zero, rel=1e-9, abs=1e-9 * unit)


@settings(max_examples=30)
@given(SCORES, st.booleans())
def test_the_other_side_sees_the_mirror_image(values: list[float], scores: bool) -> None:
    one, other = mean(values, scores=scores), mean([-v for v in values], scores=scores)
    assert one.interval is not None
    assert close(other.interval, -one.interval.high, -one.interval.low)
    assert one.p_above(0.125) == pytest.approx(other.p_below(-0.125))


@settings(max_examples=30)
@given(SCORES, st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_the_clusters_does_not_matter(values: list[float], random: object, scores: bool) -> None:
    mixed = list(values)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = mean(values, scores=scores), mean(mixed, scores=scores)
    assert (one.value, one.sd, one.se, one.centre) == (other.value, other.sd, other.se, other.centre)
    assert (one.interval, one.check) == (other.interval, other.check)


@given(VALUES, st.integers(-100, 100))
def test_the_test_and_the_interval_agree(values: list[float], margin: int) -> None:
    found = mean(values)
    above, below = found.p_above(margin), found.p_below(margin)
    assert found.interval is not None and above is not None and below is not None
    assume(min(abs(found.interval.low - margin), abs(found.interval.high - margin)) > 1e-6)
    assert found.interval.above(margin) == (above < 0.025)
    assert found.interval.below(margin) == (below < 0.025)
    assert (margin in found.interval) == (min(above, below) > 0.025)


def test_the_spread_of_a_simulation() -> None:
    """1 2 3 4: variance 5/3, of a mean of four 5/12."""
    assert spread([1, 2, 3, 4]) == pytest.approx(math.sqrt(5 / 12))
    assert (spread([7.0]), spread([2.0, 2.0])) == (None, 0.0)


def test_no_interval_goes_backwards() -> None:
    for low, high in ((1.0, 0.0), (math.nan, 1.0), (0.0, math.nan)):
        with pytest.raises(ValueError, match="no interval goes from"):
            Interval(low, high)
    half = Interval(2.0, math.inf)
    assert half.above(1.9) and not half.above(2.0) and not half.below(1e300) and 2.0 in half and 1.0 not in half
