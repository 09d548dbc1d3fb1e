"""What money buys from one agent: corners, mixtures and the front, against hand-made points and brute force."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from results.comparison.hull import Point, at_cost, at_score, front, hull

POINTS = st.lists(
    st.builds(
        Point, st.text("abc", max_size=3), st.integers(1, 50).map(float), st.integers(0, 20).map(lambda s: s / 20)
    ),
    min_size=1,
    max_size=7,
)


def test_a_member_below_the_line_between_two_others_is_no_corner() -> None:
    cheap, middle, dear = Point("a", 1, 0.2), Point("b", 2, 0.25), Point("c", 3, 0.6)
    assert hull([dear, middle, cheap]) == (cheap, dear)
    assert hull([cheap, Point("b", 2, 0.5), dear]) == (cheap, Point("b", 2, 0.5), dear)


def test_more_money_for_no_more_score_is_no_corner() -> None:
    assert hull([Point("a", 1, 0.5), Point("b", 2, 0.5), Point("c", 3, 0.4)]) == (Point("a", 1, 0.5),)


def test_half_way_between_two_members_costs_and_scores_half_way() -> None:
    corners = hull([Point("a", 1, 0.2), Point("b", 3, 0.6)])
    mixture = at_cost(corners, 2)
    assert (mixture.weight, mixture.usd) == (0.5, 2.0)
    assert (mixture.score, mixture.slope) == (pytest.approx(0.4), pytest.approx(0.2))
    assert not mixture.dearer


def test_beyond_its_ends_the_hull_is_flat_and_nothing_is_cheaper_than_the_cheapest() -> None:
    corners = hull([Point("a", 1, 0.2), Point("b", 3, 0.6)])
    assert at_cost(corners, 9).score == 0.6
    below = at_cost(corners, 0.5)
    assert (below.score, below.usd, below.dearer) == (0.2, 1.0, True)


def test_a_score_is_reached_at_its_price_or_not_at_all() -> None:
    corners = hull([Point("a", 1, 0.2), Point("b", 3, 0.6)])
    reached = at_score(corners, 0.3)
    assert reached is not None and reached.usd == pytest.approx(1.5)
    assert at_score(corners, 0.61) is None
    cheapest = at_score(corners, 0.1)
    assert cheapest is not None and cheapest.usd == 1.0


@given(POINTS, st.floats(0.5, 60))
def test_no_mixture_of_two_members_within_the_money_scores_more_than_the_hull(points: list[Point], usd: float) -> None:
    found = at_cost(hull(points), usd)
    if found.dearer:
        assert all(p.usd > usd for p in points)
        return
    assert found.usd <= usd + 1e-9
    for a, b in itertools.product(points, repeat=2):
        for weight in (0.0, 0.25, 0.5, 0.75, 1.0):
            if a.usd + weight * (b.usd - a.usd) <= usd:
                assert a.score + weight * (b.score - a.score) <= found.score + 1e-9


@given(POINTS)
def test_the_front_is_what_no_other_point_beats(points: list[Point]) -> None:
    points = [Point(f"{i}", p.usd, p.score) for i, p in enumerate(points)]
    best = front(points)
    assert best, "somebody is not beaten"
    for p in points:
        beaten = any((q.usd < p.usd and q.score >= p.score) or (q.usd <= p.usd and q.score > p.score) for q in points)
        assert (p.cell_id in best) is not beaten
