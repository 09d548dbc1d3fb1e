"""Shares, several questions at once, how many clusters they need, skewed values, and the bootstrap."""

from __future__ import annotations

import math
import random
import statistics
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from results.stats import Interval, holm, lognormal_coverage, mean, needed, skewed, skewness, wilson
from results.stats.bootstrap import _places, studentised

P_VALUES = st.lists(st.floats(0, 1), max_size=12)


def test_holm_by_hand() -> None:
    """0.01 · 4 = 0.04; 0.02 · 3 = 0.06; 0.03 · 2 = 0.06; 0.8: and none may be below one before it."""
    assert holm([0.03, 0.01, 0.8, 0.02]) == pytest.approx((0.06, 0.04, 0.8, 0.06))
    assert holm([]) == ()
    assert holm([0.4, 0.6]) == (0.8, 0.8), "0.6 may not be more sure than 0.4"
    for wrong in (1.1, -0.1, math.nan):
        with pytest.raises(ValueError, match="between 0 and 1"):
            holm([0.5, wrong])


@given(P_VALUES, st.randoms(use_true_random=False))
def test_holm_is_never_less_strict_and_keeps_the_order(values: list[float], mixer: random.Random) -> None:
    adjusted = holm(values)
    assert all(1 >= a >= v for v, a in zip(values, adjusted, strict=True))
    ranked = sorted(zip(values, adjusted, strict=True))
    assert [a for _, a in ranked] == sorted(adjusted)
    mixed = list(values)
    mixer.shuffle(mixed)
    assert sorted(holm(mixed)) == sorted(adjusted)


def test_wilson_by_hand() -> None:
    """0 of 10: high = z² / (10 + z²) with z² = 3.841459."""
    assert wilson(0, 10).low == 0.0 and wilson(0, 10).high == pytest.approx(3.841459 / 13.841459, abs=1e-7)
    assert wilson(10, 10).high == 1.0 and wilson(10, 10).low == pytest.approx(10 / 13.841459, abs=1e-7)
    assert wilson(0, 0) == Interval(0.0, 1.0)
    for successes, n in ((-1, 4), (5, 4), (1, 0)):
        with pytest.raises(ValueError, match="is no share"):
            wilson(successes, n)


def test_how_many_are_needed() -> None:
    """7.85 · 0.5² / 0.05² = 785, whatever the rounding of binary fractions makes of it."""
    assert (needed(0.5, 0.05), needed(0.5, -0.05), needed(0.4, 0.05)) == (785, 785, 503)
    assert needed(0.0, 0.05) == 6, "fewer have no interval"
    assert all(needed(sd, sd / 10) == 785 for sd in (0.1, 0.3, 0.7, 12.3))
    for sd, effect in ((-1.0, 1.0), (math.nan, 1.0), (math.inf, 1.0), (1.0, 0.0), (1.0, math.nan)):
        with pytest.raises(ValueError, match=r"from 0 upwards|needs no number"):
            needed(sd, effect)


def test_skewness_by_hand() -> None:
    """0 0 0 0 0 6: mean 1, second moment (5 + 25) / 6 = 5, third (−5 + 125) / 6 = 20; a sample of six has no more."""
    assert skewness([0, 0, 0, 0, 0, 6]) == pytest.approx(20 / 5**1.5) == pytest.approx(4 / math.sqrt(5))
    assert skewness([6, 0, 6, 6, 6, 6]) == pytest.approx(-4 / math.sqrt(5))
    assert (skewness([1, 2, 3]), skewness([5.0] * 7)) == (0.0, 0.0)
    assert skewness([1e200 * v for v in (0, 0, 0, 0, 0, 6)]) == pytest.approx(4 / math.sqrt(5))


def test_what_looks_log_normal_is_labelled() -> None:
    """25 · 3.2 = 80: one of six is skewed; and of a log-normal distribution, at its exact quantiles."""
    assert skewed([0, 0, 0, 0, 0, 6]) and skewed([0, 0, 0, 0, 0, -6]), "in either direction"
    assert not skewed([1, 2, 3, 4, 5, 6])
    from scipy.special import ndtri

    normal = [float(ndtri((i + 0.5) / 30)) for i in range(30)]
    assert not skewed(normal) and skewed([math.exp(v) for v in normal])
    assert not skewed([0.0] * 10), "equal values are not skewed"


def test_the_bound_of_the_label() -> None:
    """k of n are 1, a share p: the squared skewness is (1 − 2p)² / p / (1 − p), for p = 1/4 4/3. 25 · 4/3 = 33.3."""
    assert skewed([1.0, 0.0, 0.0, 0.0] * 8) and not skewed([1.0, 0.0, 0.0, 0.0] * 9)


def test_what_is_said_of_the_skewed_is_of_a_size_no_larger() -> None:
    assert lognormal_coverage(6) == lognormal_coverage(9) < lognormal_coverage(10) < lognormal_coverage(199) < 0.95
    assert lognormal_coverage(10_000) == lognormal_coverage(200)
    with pytest.raises(ValueError, match="with 5 clusters there is no interval"):
        lognormal_coverage(5)


def test_the_bootstrap_is_near_the_interval_where_that_is_right() -> None:
    """Of quantiles of the normal distribution, which are as normal as a sample can be."""
    from scipy.special import ndtri

    found = mean([float(ndtri((i + 0.5) / 100)) for i in range(100)])
    assert found.interval is not None and found.check is not None
    assert found.check.low == pytest.approx(found.interval.low, abs=0.03)
    assert found.check.high == pytest.approx(found.interval.high, abs=0.03)


def test_the_bootstrap_reaches_further_to_the_side_of_the_tail() -> None:
    found = mean([math.exp(v / 5) for v in range(-10, 11)])
    assert found.check is not None and found.interval is not None
    assert found.check.high - found.centre > 1.2 * (found.centre - found.check.low)


def test_a_draw_of_equal_values_leaves_no_bound() -> None:
    """One of six differs: it is missing from (5/6)⁶ = 33 % of the draws, whose t is −∞."""
    found = mean([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).check
    assert found is not None and math.isinf(found.high) and math.isfinite(found.low)


def test_the_bootstrap_one_draw_at_a_time() -> None:
    """The t of each draw by Python's own statistics; 5 % of 2,000 on either side leave the 100th from each end."""
    values = [0.5, 1.0, 2.0, 4.0, 8.0, 9.0, 11.0]
    mean_of, error = statistics.fmean(values), statistics.stdev(values) / math.sqrt(7)
    t = []
    for places in np.concatenate(list(_places(7))):
        drawn = [values[place] for place in places]
        assert len(set(drawn)) > 1
        t.append((statistics.fmean(drawn) - mean_of) / (statistics.stdev(drawn) / math.sqrt(7)))
    t.sort()
    assert len(t) == 2000
    found = studentised(values, 0.9)
    assert (found.low, found.high) == pytest.approx((mean_of - t[-100] * error, mean_of - t[99] * error))


@settings(max_examples=25)
@given(st.lists(st.integers(-20, 20), min_size=6, max_size=20), st.sampled_from([1e-8, 3.0, 1e9]), st.integers(-99, 99))
def test_the_bootstrap_keeps_to_units_and_zeros(values: list[int], unit: float, zero: int) -> None:
    one, other = studentised(values, 0.9), studentised([unit * (v + zero) for v in values], 0.9)
    assert other.low == pytest.approx(unit * (one.low + zero), rel=1e-6, abs=1e-6 * unit)
    assert other.high == pytest.approx(unit * (one.high + zero), rel=1e-6, abs=1e-6 * unit)


def test_many_clusters_are_drawn_in_pieces() -> None:
    values = np.random.default_rng(3).normal(0, 1, 1100)
    found = mean(values)
    assert found.check is not None and found.interval is not None
    assert found.check.low == pytest.approx(found.interval.low, abs=0.01)


def test_importing_is_cheap() -> None:
    """A gate asks for a p-value or two: pandas, scipy.stats and matplotlib stay where they are."""
    code = (
        "import sys, results.stats as s; s.mean([1, 2, 3, 4, 5, 6]); s.wilson(1, 2);"
        "print([m for m in ('pandas', 'matplotlib', 'scipy.stats', 'statsmodels', 'litellm') if m in sys.modules])"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "[]"
