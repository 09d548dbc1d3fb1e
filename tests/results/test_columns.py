"""Columns against pandas, which knows better and takes longer to import."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from results import columns
from results.columns import Columns

SCHEMA = pa.schema(
    [
        pa.field("name", pa.string(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("yes", pa.bool_(), nullable=False),
        pa.field("n", pa.int64(), nullable=False),
        pa.field("pusd", pa.int64()),
        pa.field("usd", pa.float64()),
        pa.field("why", pa.string()),
    ]
)
BIG = st.integers(-(2**58), 2**58)  # beyond what a double holds exactly; twenty of them stay below 2⁶³
ROW = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["a", "b", "中", ""]),
        "kind": st.sampled_from(["x", "y"]),
        "yes": st.booleans(),
        "n": st.integers(0, 3),
        "pusd": st.none() | BIG,
        "usd": st.none() | st.floats(0, 10),
        "why": st.none() | st.sampled_from(["", "because"]),
    }
)
ROWS = st.lists(ROW, max_size=20)


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)


@pytest.fixture(params=[0, columns.FEW], ids=["told apart by pyarrow", "told apart in Python"])
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "FEW", request.param)


@given(ROWS, st.integers(0, 20))
def test_sums_are_those_of_exact_integers(rows: list[dict[str, Any]], skipped: int) -> None:
    """A slice, so that no buffer begins at its first row."""
    found = Columns.of(table(rows).slice(skipped)).sums(["name", "yes", "n"], ["pusd", "pusd_unknown"])
    expected: dict[tuple[str, bool, int], list[int]] = {}
    for row in rows[skipped:]:
        sums = expected.setdefault((row["name"], row["yes"], row["n"]), [0, 0])
        sums[0] += row["pusd"] or 0
        sums[1] += row["pusd"] is None
    assert len(found) == len(expected)
    keys = zip(found.texts("name").tolist(), found.numbers("yes").tolist(), found.numbers("n").tolist(), strict=True)
    values = zip(found.numbers("pusd").tolist(), found.numbers("pusd_unknown").tolist(), strict=True)
    assert {k: list(v) for k, v in zip(keys, values, strict=True)} == expected


@given(ROWS)
def test_groups_are_those_of_pandas_in_the_same_order(rows: list[dict[str, Any]]) -> None:
    frame = pd.DataFrame(rows, columns=SCHEMA.names)
    found = [(key, group.numbers("n").tolist()) for key, group in Columns.of(table(rows)).groups("kind", "name")]
    assert found == [(key, group["n"].tolist()) for key, group in frame.groupby(["kind", "name"], sort=True)]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.integers(0, 3)), unique=True))
def test_the_last_rows_are_those_with_the_greatest_number(keyed: list[tuple[str, str, int]]) -> None:
    rows = [{"name": n, "kind": k, "yes": True, "n": i, "pusd": None, "usd": None, "why": None} for n, k, i in keyed]
    found = Columns.of(table(rows))
    last = found.last(["name", "kind"], "n")
    assert last.tolist() == [i == max(j for m, q, j in keyed if (m, q) == (n, k)) for n, k, i in keyed]


@given(ROWS, ROWS)
def test_joined_is_the_table_of_both(first: list[dict[str, Any]], second: list[dict[str, Any]]) -> None:
    joined = Columns.joined([Columns.of(table(first)), Columns.of(table(second))])
    both = first + second
    assert joined.texts("name").tolist() == [r["name"] for r in both]
    assert joined.numbers("yes").tolist() == [r["yes"] for r in both]
    assert joined.total("n") == sum(r["n"] for r in both)
    known = [None if np.isnan(v) else v for v in joined.numbers("usd").tolist()]
    assert known == [r["usd"] for r in both]


@pytest.mark.usefixtures("both_ways")
def test_a_table_without_a_piece_has_all_columns_and_no_row() -> None:
    found = Columns.of(pa.Table.from_batches([], SCHEMA))
    assert (
        set(found.columns) == {"name", "kind", "yes", "n", "pusd", "pusd_unknown", "usd", "why", "why_unknown"}
        and len(found) == 0
    )
    assert found.texts("name").tolist() == found.numbers("usd").tolist() == [] and found.total("n") == 0
    assert len(Columns.joined([found, found]).where(found.last(["name"], "n"))) == 0


@pytest.mark.usefixtures("both_ways")
def test_choosing_rows_and_renaming() -> None:
    rows = [
        {"name": n, "kind": k, "yes": y, "n": i, "pusd": None, "usd": None, "why": None}
        for i, (n, k, y) in enumerate([("a", "x", True), ("b", "y", False), ("a", "y", True)])
    ]
    found = Columns.of(table(rows))
    assert found.where(found.texts("name").equal("a") & found.texts("kind").equal("y")).numbers("n").tolist() == [2]
    assert found.texts("name").among(frozenset({"b", "z"})).tolist() == [False, True, False]
    merged = found.having(both=found.texts("kind").renamed(lambda _: "one"))
    assert [(key, len(group)) for key, group in merged.groups("both")] == [(("one",), 3)]
    assert found.total("yes") == 2 and found.total("pusd_unknown") == 3
    with pytest.raises(TypeError, match="'name' holds text"):
        found.numbers("name")
    with pytest.raises(TypeError, match="'n' holds numbers"):
        found.texts("n")


@pytest.mark.usefixtures("both_ways")
@given(rows=ROWS, skipped=st.integers(0, 3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_values_are_those_of_arrow_and_none_where_unknown(rows: list[dict[str, Any]], skipped: int) -> None:
    found = Columns.of(table(rows).slice(skipped))
    for name in SCHEMA.names:
        expected = [row[name] for row in rows[skipped:]]
        assert found.values(name) == expected
        assert found.unknown(name).tolist() == [v is None for v in expected]
    assert found.texts("why").tolist() == [row["why"] or "" for row in rows[skipped:]]


@given(ROWS)
def test_codes_of_ordered_texts_are_in_their_order(rows: list[dict[str, Any]]) -> None:
    texts = Columns.of(table(rows)).texts("name")
    assert texts.ordered().tolist() == texts.tolist()
    assert np.argsort(texts.ordered().codes, kind="stable").tolist() == sorted(
        range(len(rows)), key=lambda i: rows[i]["name"]
    )
    assert texts.measured(len).tolist() == [len(row["name"]) for row in rows]


@pytest.mark.parametrize("few", [0, 10_000], ids=["by pyarrow", "in Python"])
def test_an_unknown_text_is_an_empty_one(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("results.columns.FEW", few)
    values = ["a", None, "", "b", None, "a"]
    found = Columns.of(pa.table({"x": pa.array(values, pa.string())})).texts("x")
    assert found.tolist() == ["a", "", "", "b", "", "a"] and sorted(found.names) == ["", "a", "b"]
