"""Curves over sizes: crossings against brute force, forms against the truth they were made from."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from results.crossover.fits import COST, FORMS, SCORE, Scale, fit, foretell, held_out
from results.crossover.pieces import Pieces, best, constant, joined, meetings

small = st.integers(-20, 20).map(float)


@st.composite
def pieces(draw: st.DrawFn) -> Pieces:
    """Any curve of up to four pieces, which need not join."""
    edges = sorted(draw(st.sets(small, max_size=3)))
    parts = draw(st.lists(st.tuples(small, small, small), min_size=len(edges) + 1, max_size=len(edges) + 1))
    return Pieces(tuple(edges), tuple(parts))


@settings(max_examples=40, deadline=None)
@given(pieces(), pieces(), st.floats(-30, 30), small)
def test_sums_and_multiples_are_those_of_the_values(one: Pieces, other: Pieces, size: float, factor: float) -> None:
    assert one.plus(other.times(factor))(size) == pytest.approx(one(size) + factor * other(size), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(pieces(), st.floats(-30, 30), small, small)
def test_limits_hold(one: Pieces, size: float, low: float, high: float) -> None:
    low, high = min(low, high), max(low, high)
    assert one.within(low, high)(size) == pytest.approx(min(max(one(size), low), high), abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.lists(pieces(), min_size=1, max_size=4))
def test_the_best_is_the_best_everywhere(curves: list[Pieces]) -> None:
    found = best(curves, -25.0, 25.0)
    assert found[0][0] == -25.0 and found[-1][1] == 25.0
    assert all(a[1] == b[0] and a[2] != b[2] for a, b in pairwise(found)), "no gap, no repetition"
    for low, high, number in found:
        for at in (0.01, 0.3, 0.5, 0.8, 0.99):
            size = low + at * (high - low)
            values = [curve(size) for curve in curves]
            assert values[number] == pytest.approx(max(values), rel=1e-6, abs=1e-6)


def test_a_touch_is_no_change() -> None:
    """n² − 10·n + 25 touches 0 at 5 and changes nothing."""
    bowl = Pieces((), ((25.0, -10.0, 1.0),))
    assert best([bowl, constant(0.0)], 0.0, 10.0) == [(0.0, 10.0, 0)]
    assert meetings(bowl, constant(0.0)) == [5.0]


def test_equal_curves_are_the_first() -> None:
    assert best([constant(1.0), constant(1.0)], 0.0, 1.0) == [(0.0, 1.0, 0)]


def test_joined_is_flat_beyond_its_ends() -> None:
    line = joined((1, 3, 4), (10, 30, 0))
    assert [line(x) for x in (0, 1, 2, 3, 3.5, 4, 9)] == [10, 10, 20, 30, 15, 0, 0]


TRUE = {
    "constant": lambda n: 70.0,
    "line": lambda n: 100 + 5 * n,
    "square": lambda n: 20 + 0.5 * n * n,
    "curve": lambda n: 30 + 2 * n + 0.25 * n * n,
    "channels": lambda n: 50 + 15 * n * (n - 1),
}


@pytest.mark.parametrize("form", TRUE)
@pytest.mark.parametrize("scale", [COST, Scale(0.0, math.inf, False)], ids=["relative", "absolute"])
def test_the_form_that_made_the_points_is_found_and_foretells_the_largest(form: str, scale: Scale) -> None:
    sizes = (2, 3, 5, 8, 12, 20)
    values = [TRUE[form](n) for n in sizes]
    found = fit(sizes, values, scale, agents=form == "channels")
    assert found.form == form and found.error == pytest.approx(0, abs=1e-9)
    assert found.curve(40) == pytest.approx(TRUE[form](40)) and found.extends
    assert [f.size for f in found.largest] == [12, 20], "a third of six"
    assert all(f.foretold == pytest.approx(f.measured) for f in found.largest)
    for size, value in zip(sizes, values, strict=True):
        assert found.without[size](size) == pytest.approx(value)


def test_no_channels_where_no_agents_are_counted() -> None:
    sizes = (2, 3, 5, 7, 9)
    assert fit(sizes, [TRUE["channels"](n) for n in sizes], COST).form == "curve"


def test_noise_is_not_followed() -> None:
    """Alternating around 100: every richer form foretells worse."""
    found = fit((1, 2, 3, 4, 5, 6), [99, 101, 99, 101, 99, 101], COST)
    assert found.form == "constant"


def test_left_out_by_hand() -> None:
    """0.2, 0.2, 0.8: the constant foretells 0.5, 0.5 and 0.2, off by 0.4 in the mean; the line 0 (not −0.4), 0.5 and
    0.2, off by 0.3667; the joined means 0.2, 0.5 and 0.2, off by 0.3. Of two sizes a line foretells the third."""
    found = fit((1, 2, 3), (0.2, 0.2, 0.8), SCORE)
    assert found.form == "joined" and not found.extends and found.coefficients == ()
    assert [f.foretold for f in found.left_out] == [pytest.approx(v) for v in (0.2, 0.5, 0.2)]
    assert found.error == pytest.approx(0.3)
    assert [(f.size, f.foretold) for f in found.largest] == [(3, pytest.approx(0.2))]
    assert found.largest_error == pytest.approx(0.6)


def test_relative_errors_by_hand() -> None:
    """100 and 300: the constant with the least relative squares is Σ(1/y) / Σ(1/y²) = (1/100 + 1/300)/(1/100² + 1/300²)
    = 120; each left out is foretold by the other two's."""
    found = fit((1, 2, 3), (100, 300, 100), COST)
    assert found.form == "constant"
    assert found.curve(2) == pytest.approx((2 / 100 + 1 / 300) / (2 / 100**2 + 1 / 300**2))
    assert [f.foretold for f in found.left_out] == [pytest.approx(v) for v in (120, 100, 120)]
    assert found.error == pytest.approx((20 / 100 + 200 / 300 + 20 / 100) / 3)


def test_the_largest_are_foretold_without_having_been_seen() -> None:
    """Whatever they are, the foretelling is the same."""
    sizes, values = (1, 2, 4, 8, 16, 32), (5.0, 6.0, 9.0, 12.0, 1.0, 1.0)
    other = (*values[:4], 700.0, 900.0)
    one, two = (foretell(sizes, v, COST) for v in (values, other))
    assert [f.foretold for f in one] == [f.foretold for f in two]
    assert [held_out(range(n)) for n in (3, 4, 5, 6, 9)] == [1, 1, 1, 2, 3]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 500), st.integers(0, 10_000)), min_size=3, max_size=8, unique_by=lambda p: p[0]),
    st.sampled_from([COST, SCORE]),
    st.booleans(),
)
def test_any_means_have_a_curve_within_the_scale(points: list[tuple[int, int]], scale: Scale, agents: bool) -> None:
    sizes = [n for n, _ in sorted(points)]
    values = [v / 10_000 if scale is SCORE else float(v) for _, v in sorted(points)]
    found = fit(sizes, values, scale, agents=agents)
    assert found.form in FORMS and found.error is not None and math.isfinite(found.error)
    for size in (0, *sizes, 2_000):
        assert scale.low - 1e-9 <= found.curve(size) <= scale.high + 1e-9
    assert found.extends == (found.form != "joined") and found.reach == (sizes[0], sizes[-1])
