"""Rows that belong together, against Python's own dictionaries and integers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from results.columns import Columns, Texts
from results.invariants.keys import alike, among, distinct, folded, together

ROW = st.tuples(st.sampled_from(["b", "a", "中", ""]), st.integers(-2, 2))
ROWS = st.lists(ROW, max_size=12)
BIG = st.integers(-(2**58), 2**58)  # beyond what a double holds exactly


def columns(rows: list[tuple[str, int]]) -> Columns:
    """The names stand in the order in which they come, as in a store."""
    names = list(dict.fromkeys(name for name, _ in rows))
    codes = np.array([names.index(name) for name, _ in rows], np.int64)
    return Columns({"name": Texts(tuple(names), codes), "n": np.array([n for _, n in rows], np.int64)})


@given(ROWS, ROWS)
def test_rows_have_the_same_number_exactly_when_they_are_the_same(
    rows: list[tuple[str, int]], others: list[tuple[str, int]]
) -> None:
    count, (number, other) = together(columns(rows), columns(others))
    pairs = set(zip([*rows, *others], [*number.tolist(), *other.tolist()], strict=True))
    assert len(pairs) == len(set(rows + others)) == count
    assert {n for _, n in pairs} == set(range(count))
    assert among(columns(rows), columns(others)).tolist() == [row in others for row in rows]


@given(ROWS, ROWS)
def test_texts_made_alike_have_one_tuple_of_names_in_order(
    rows: list[tuple[str, int]], others: list[tuple[str, int]]
) -> None:
    one, other = alike([columns(rows).texts("name"), columns(others).texts("name")])
    assert one.names == other.names == tuple(sorted({name for name, _ in rows + others}))
    assert [one.tolist(), other.tolist()] == [[name for name, _ in some] for some in (rows, others)]


@given(st.lists(st.tuples(st.integers(0, 4), BIG), max_size=20))
def test_a_group_is_folded_exactly_and_one_without_rows_is_zero(rows: list[tuple[int, int]]) -> None:
    number, values = (np.array([row[i] for row in rows], np.int64) for i in (0, 1))
    groups = [[v for g, v in rows if g == i] for i in range(6)]
    assert folded(np.add, number, values, 6).tolist() == [sum(g) for g in groups]
    assert folded(np.maximum, number, values, 6).tolist() == [max(g, default=0) for g in groups]
    assert folded(np.minimum, number, values, 6).tolist() == [min(g, default=0) for g in groups]
    assert folded(np.add, number, values > 0, 6).tolist() == [sum(v > 0 for v in g) for g in groups]
    assert distinct(number, values, 6).tolist() == [len(set(g)) for g in groups]
