"""Schemas follow the dataclasses, and nothing else is read or written."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from run_builder import Experiment, single

from harness.errors import StoreError
from harness.records import TABLES
from results.frames import dataset, load
from results.schema import SCHEMAS
from results.store import Store


def test_every_field_is_a_column_and_partition_keys_come_from_the_path() -> None:
    for table, row in TABLES.items():
        expected = [f.metadata.get("column", f.name) for f in fields(row)]
        keys = ["topology", "task"]
        assert list(SCHEMAS[table].names) == [n for n in expected if n not in keys]
        assert SCHEMAS[table].full.names == [n for n in expected if n not in keys] + keys
    assert "try" in SCHEMAS["delegations"].names


def test_types_and_nullability() -> None:
    runs = SCHEMAS["runs"].arrow
    assert runs.field("cost_pusd") == pa.field("cost_pusd", pa.int64(), nullable=True)
    assert runs.field("score") == pa.field("score", pa.float64(), nullable=False)
    assert runs.field("passed") == pa.field("passed", pa.bool_(), nullable=False)
    assert runs.field("limit") == pa.field("limit", pa.string(), nullable=True)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("score", None, "expected float"),
        ("seed", "7", "got str '7'"),
        ("seed", True, "got bool True"),
        ("seed", 2**63, "64 bits"),
        ("passed", 1, "expected bool"),
        ("cost_pusd", 1.5, "expected int or None"),
        ("limit", 3, "expected str or None"),
    ],
)
def test_a_wrong_value_is_refused_before_anything_is_written(
    tmp_path: Path, column: str, value: object, words: str
) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    bad = single()
    setattr(bad.run, column, value)
    with pytest.raises(StoreError, match=f"column '{column}'.*{words}"):
        store.write(bad)
    store.close()
    with pytest.raises(StoreError, match="holds no finished run"):
        load(tmp_path)


def test_an_integer_is_welcome_in_a_float_column(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    store.write(single(wall_s=3))
    assert load(tmp_path).runs["wall_s"].tolist() == [3.0]
    store.close()
    assert load(tmp_path).runs["wall_s"].tolist() == [3.0]


def _rewrite(path: Path, change: str) -> None:
    rows = pq.read_table(path, partitioning=None)
    if change == "version":
        rows = rows.replace_schema_metadata({**rows.schema.metadata, b"schema_version": b"99"})
    elif change == "missing":
        rows = rows.drop_columns(["agent"])
    elif change == "extra":
        rows = rows.append_column("surprise", pa.array([1] * len(rows)))
    else:
        at = rows.column_names.index("attempt")
        rows = rows.set_column(at, "attempt", rows["attempt"].cast(pa.float64()))
    pq.write_table(rows, path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("version", "schema_version is 99, this version reads and writes 4"),
        ("missing", "column 'agent' of table 'calls': expected string not null, found no such column"),
        ("extra", "column 'surprise' of table 'calls': expected no such column, found int64"),
        ("type", "column 'attempt' of table 'calls': expected int64 not null, found double"),
    ],
)
def test_another_schema_is_refused_by_name(pair: Path, change: str, words: str) -> None:
    path = next(pair.glob("calls/topology=single/*/*.parquet"))
    _rewrite(path, change)
    results = load(pair)
    with pytest.raises(StoreError, match=words) as caught:
        _ = results.calls
    assert str(path) in str(caught.value)
    with pytest.raises(StoreError, match=words):
        dataset(pair, "calls")


def test_a_store_of_another_version_is_not_written_to(pair: Path) -> None:
    for path in pair.glob("runs/*/*/*.parquet"):
        _rewrite(path, "version")
    with pytest.raises(StoreError, match="schema_version is 99"):
        Store(str(pair)).open(Experiment("next"))


def test_a_file_that_is_not_parquet_is_named(pair: Path) -> None:
    path = next(pair.glob("runs/topology=bus/*/*.parquet"))
    path.write_bytes(b"PAR1 cut off")
    with pytest.raises(StoreError, match="cannot be read as parquet") as caught:
        _ = load(pair).runs
    assert str(path) in str(caught.value)
