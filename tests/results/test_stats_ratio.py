"""Ratios of sums: Fieller's set is what its definition says, of whatever shape."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from results.stats import Interval, Ratio, mean, ratio

INF = math.inf
PAIRS = st.lists(st.tuples(st.integers(-30, 60), st.integers(-30, 60)), min_size=6, max_size=25)


def holds(found: Ratio, value: float) -> bool:
    """Whether a value belongs to the set, by what the fields are said to mean."""
    if found.gap is not None:
        return not found.gap.low < value < found.gap.high
    return found.low <= value <= found.high


@given(PAIRS, st.one_of(st.floats(-8, 8), st.sampled_from([0.0, 1.0, -1.0, 100.0, -100.0])))
def test_the_set_is_the_ratios_that_a_paired_t_test_lets_stand(pairs: list[tuple[int, int]], value: float) -> None:
    y, x = [float(p[0]) for p in pairs], [float(p[1]) for p in pairs]
    assume(any(x))
    found = ratio(y, x)
    edges = [found.low, found.high, *([] if found.gap is None else [found.gap.low, found.gap.high])]
    assume(all(abs(value - edge) > 1e-6 * max(1.0, abs(value)) for edge in edges))
    tested = mean([a - value * b for a, b in zip(y, x, strict=True)])
    assert tested.interval is not None
    assert holds(found, value) == (0.0 in tested.interval)


@given(PAIRS)
def test_it_contains_its_own_value(pairs: list[tuple[int, int]]) -> None:
    y, x = [float(p[0]) for p in pairs], [float(p[1]) for p in pairs]
    found = ratio(y, x)
    if sum(x) == 0:
        assert found.value is None and not found.bounded
    else:
        assert found.value == sum(y) / sum(x)
        near = 1e-9 * max(1.0, abs(found.value))
        assert any(holds(found, found.value + off) for off in (0.0, near, -near)), "rounding apart"
    assert found.bounded == (math.isfinite(found.low) and math.isfinite(found.high))
    assert found.interval == Interval(found.low, found.high)


@given(PAIRS, st.sampled_from([1e-9, 0.5, 1e12]), st.sampled_from([1e-6, 3.0]))
def test_the_units_do_not_matter(pairs: list[tuple[int, int]], of_y: float, of_x: float) -> None:
    y, x = [p[0] + 50.0 for p in pairs], [p[1] + 100.0 for p in pairs]
    one, other = ratio(y, x), ratio([v * of_y for v in y], [v * of_x for v in x])
    assert one.bounded and other.bounded, "denominators of 70 to 160 are well away from 0"
    assert other.low == pytest.approx(one.low * of_y / of_x, rel=1e-6, abs=1e-9 * of_y / of_x)
    assert other.high == pytest.approx(one.high * of_y / of_x, rel=1e-6, abs=1e-9 * of_y / of_x)


def test_a_ratio_of_a_constant_denominator_is_the_mean_in_another_unit() -> None:
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0]
    one, other = ratio(values, [4.0] * 7), mean(values)
    assert other.interval is not None and one.value == pytest.approx(other.value / 4) and one.bounded
    assert (one.low, one.high) == pytest.approx((other.interval.low / 4, other.interval.high / 4))


def test_a_constant_ratio_is_known_exactly() -> None:
    costs = [0.011, 0.5, 0.07, 1.3, 0.9, 0.23, 0.4]
    found = ratio([2.5 * c for c in costs], costs)
    assert found.bounded and found.value == pytest.approx(2.5)
    assert (found.low, found.high) == pytest.approx((2.5, 2.5), rel=1e-6)


def test_a_denominator_that_may_be_nothing_leaves_a_lower_bound() -> None:
    """Clusters of which one has nearly all of single's cost, and every team run costs 1: the mean of the denominators,
    1, is no sure thing (t = 1.04), that of the numerators is. The set is found by hand: with t² = 6.6079 (5 degrees of
    freedom), y = 1 and x̄ = 1, s² = 5.5304: (1 − r)² ≤ 6.6079 · r² · 5.5304 / 6 = 6.0907 r², so r ≥ 1 / (1 + 2.46794)
    or r ≤ 1 / (1 − 2.46794)."""
    found = ratio([1.0] * 6, [5.8, 0.04, 0.04, 0.04, 0.04, 0.04])
    assert (found.n, found.bounded, found.high, found.value) == (6, False, INF, 1.0)
    assert found.low == pytest.approx(1 / 3.46794, abs=1e-4)
    assert found.gap is not None and found.gap.high == found.low
    assert found.gap.low == pytest.approx(-1 / 1.46794, abs=1e-4)


def test_where_all_is_possible_it_is_said() -> None:
    noise = [1.0, -1.0, 2.0, -2.0, 0.5, 0.0]
    everything = ratio(noise, [-1.0, 1.0, 0.5, 0.5, -2.0, 1.5])
    assert (everything.low, everything.high, everything.bounded, everything.gap) == (-INF, INF, False, None)


def test_a_denominator_of_no_sure_sign_below_nothing_has_no_lower_bound() -> None:
    """The break-even price of a team that seems to score less and costs more: no price above 0 is ruled out by a bound
    that could be printed as "≥"."""
    found = ratio([1.0, 1.1, 0.9, 1.0, 1.05, 0.95], [-1.0, 0.9, -0.9, 1.0, -0.5, 0.0])
    assert found.value is not None and found.value < 0
    assert (found.low, found.high, found.bounded) == (-INF, INF, False)
    assert found.gap is not None and 0.0 in found.gap and not holds(found, 0.0)


def test_what_is_negative_on_both_sides_has_no_lower_bound() -> None:
    """The set of the case above, which a change of both signs does not change; but "≥" would be a claim of savings for
    each score lost, which may as well be a gain."""
    found = ratio([-1.0] * 6, [-5.8, -0.04, -0.04, -0.04, -0.04, -0.04])
    assert found.gap is not None and found.gap.high == pytest.approx(1 / 3.46794, abs=1e-4)
    assert (found.value, found.low, found.high, found.bounded) == (1.0, -INF, INF, False)


def test_a_gap_that_leaves_nothing_possible_is_no_lower_bound() -> None:
    """Numerators that are the denominators + 0.5: the ratio is not 1, but it may well be 0, or 7, as it seems."""
    x = [3.0, -3.0, 2.0, -2.0, 1.0, -0.5]
    found = ratio([v + 0.5 for v in x], x)
    assert found.value == pytest.approx(7.0)
    assert found.gap is not None and 1.0 in found.gap and 0.0 < found.gap.low < found.gap.high < 7.0
    assert (found.low, found.high, found.bounded) == (-INF, INF, False)


def test_no_denominator_at_all() -> None:
    found = ratio([1.0, 2.0, 3.0, 1.0, 2.0, 3.0], [0.0] * 6)
    assert (found.value, found.low, found.high, found.bounded) == (None, -INF, INF, False)


def test_few_clusters_have_a_value_and_no_set() -> None:
    found = ratio([2.0, 4.0], [1.0, 2.0])
    assert (found.value, found.n, found.low, found.high, found.bounded, found.interval) == (
        2,
        2,
        -INF,
        INF,
        False,
        None,
    )


@pytest.mark.parametrize(
    ("numerators", "denominators", "said"),
    [
        ([], [], "numerators: there is none"),
        ([1.0, 2.0], [1.0, math.nan], r"denominators\[1\] is nan"),
        ([math.inf], [1.0], r"numerators\[0\] is inf"),
        ([1.0, 2.0], [1.0], "2 numerators and 1 denominators"),
    ],
    ids=["none", "nan", "inf", "unequal"],
)
def test_what_is_no_pair_is_named(numerators: list[float], denominators: list[float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ratio(numerators, denominators)
