"""What is written is read back, from the spool and from parquet, whatever the names and values."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_builder import Experiment, records, single, team

from harness.accounting.purposes import Purpose
from harness.errors import StoreError
from harness.records import TABLES, RunRecord
from results.frames import Results, load
from results.store import ExperimentInfo, Store


def rows_of(record: RunRecord, table: str) -> list[dict[str, Any]]:
    """A record's rows as dictionaries of columns."""
    rows = [record.run] if table == "runs" else getattr(record, table)
    keys = {"topology": record.run.topology, "task": record.run.task}
    return [
        {f.metadata.get("column", f.name): getattr(row, f.name) for f in dataclasses.fields(row)} | keys for row in rows
    ]


def same(results: Results, *written: RunRecord) -> None:
    """Every table holds the written rows, in any order."""
    for table in TABLES:
        found = results.table(table).to_pylist()
        wanted = [row for record in written for row in rows_of(record, table)]
        assert sorted(map(repr, (sorted(r.items()) for r in found))) == sorted(
            map(repr, (sorted(r.items()) for r in wanted))
        )


@given(st.lists(records(), min_size=1, max_size=4))
@settings(max_examples=15, deadline=None)
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, made: list[RunRecord]) -> None:
    root = tmp_path_factory.mktemp("store")
    store = Store(str(root))
    store.open(Experiment("exp"))
    for record in made:
        store.write(record)
    same(load(root), *made)
    store.close()
    same(load(root), *made)


NAMES = ["bus", "总线/甲", "a=b", "..", "_x", ".hidden", "50%", "a b", "x" * 60, "*?[a]"]


@pytest.mark.parametrize("name", NAMES)
def test_unusual_names_are_read_back(tmp_path: Path, name: str) -> None:
    written = team(experiment=name, topology=name, task=f"{name}任务", cell=name)
    store = Store(str(tmp_path))
    store.open(Experiment(name))
    store.write(written)
    same(load(tmp_path, name), written)
    store.close()
    same(load(tmp_path, name), written)
    read = pd.read_parquet(tmp_path / "runs")  # any reader of hive partitions finds it too
    assert read[["topology", "task", "experiment_id"]].astype(str).to_numpy().tolist() == [[name, f"{name}任务", name]]


def test_a_name_too_long_for_a_folder_is_refused(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    with pytest.raises(StoreError, match="cannot name a folder"):
        store.write(single(topology="长" * 100))


def test_experiments_whose_ids_begin_alike_are_kept_apart(tmp_path: Path) -> None:
    # both file names begin "a-b-c-": only what the files say inside tells them apart
    for experiment, cell in (("a", "b-c"), ("a-b", "c")):
        store = Store(str(tmp_path))
        store.open(Experiment(experiment))
        store.write(single(experiment=experiment, cell=cell))
        store.close()
    assert load(tmp_path, "a").runs["cell_id"].tolist() == ["b-c"]
    assert load(tmp_path, "a-b").runs["cell_id"].tolist() == ["c"]
    assert len(load(tmp_path).runs) == 2


def test_lone_surrogates_become_replacement_characters(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    store.write(single(answer="ok \ud800 \U0001f600"))
    assert load(tmp_path).runs["answer"].tolist() == ["ok \ufffd \U0001f600"]
    store.close()
    assert load(tmp_path).runs["answer"].tolist() == ["ok \ufffd \U0001f600"]


def test_members_of_a_str_enum_are_text(tmp_path: Path) -> None:
    made = single()
    for share in made.shares:
        share.purpose = Purpose(share.purpose)
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    store.write(made)
    assert load(tmp_path).shares["purpose"].tolist() == ["task", "task", "answer"]
    store.close()
    assert load(tmp_path).shares["purpose"].tolist() == ["task", "task", "answer"]


def test_the_layout_is_the_documented_one_and_empty_tables_write_no_file(fill: Any) -> None:
    root = fill(single())
    files = sorted(str(p.relative_to(root)) for p in root.rglob("*.parquet"))
    place = "topology=single/task=qa/exp-single-cell-00000.parquet"
    assert files == [f"calls/{place}", f"events/{place}", f"runs/{place}", f"shares/{place}"]
    assert not list((root / "spool").glob("*.jsonl"))


def test_the_spool_is_folded_as_it_grows(tmp_path: Path) -> None:
    store = Store(str(tmp_path), part_rows=20)
    store.open(Experiment("exp"))
    for n in range(10):  # 1 run, 1 call, 3 shares, 3 events = 8 rows each
        store.write(single(sample=f"s{n}"))
    parts = sorted(p.stem for p in tmp_path.glob("runs/*/*/*.parquet"))
    assert parts == ["exp-single-cell-00000", "exp-single-cell-00001", "exp-single-cell-00002"]
    assert [p.stem for p in tmp_path.glob("spool/*.jsonl")] == ["exp-single-cell-00003"]
    assert len(load(tmp_path).runs) == 10
    store.close()
    assert sorted(load(tmp_path).runs["sample_id"]) == sorted(f"s{n}" for n in range(10))


def test_bytes_bound_the_spool_too(tmp_path: Path) -> None:
    store = Store(str(tmp_path), part_bytes=1)
    store.open(Experiment("exp"))
    store.write(single())
    assert not list(tmp_path.glob("spool/*.jsonl"))
    store.close()


def test_open_spools_are_bounded(tmp_path: Path) -> None:
    store = Store(str(tmp_path), open_cells=3)
    store.open(Experiment("exp"))
    for n in range(10):
        store.write(single(cell=f"c{n}"))
        assert len(list(tmp_path.glob("spool/*.jsonl"))) <= 3
    store.close()
    assert sorted(load(tmp_path).runs["cell_id"]) == [f"c{n}" for n in range(10)]


def test_a_cell_is_continued_in_new_parts(tmp_path: Path) -> None:
    for n in range(2):
        store = Store(str(tmp_path))
        store.open(Experiment("exp"))
        store.write(single(sample=f"s{n}"))
        store.close()
    assert sorted(load(tmp_path).runs["sample_id"]) == ["s0", "s1"]
    manifest = json.loads((tmp_path / "experiments" / "exp.json").read_text())
    assert manifest["status"] == "complete"
    assert [e["status"] for e in manifest["earlier"]] == ["complete"]


def test_the_manifest_says_what_was_started_and_how_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "experiments" / "exp.json"
    facts = {"command": ["python", "-m", "harness"], "planned_runs": 2, "cells": {"c": {"任务": 1}}}
    store = Store(str(tmp_path))
    store.open(ExperimentInfo("exp", facts))
    opened = json.loads(path.read_text())
    assert (opened["status"], opened["manifest"], opened["closed_at"]) == ("running", facts, None)
    store.write(single())
    store.close("interrupted")
    closed = json.loads(path.read_text())
    assert (closed["status"], closed["runs_written"]) == ("interrupted", 1)
    assert closed["closed_at"] >= closed["opened_at"] == opened["opened_at"]
    assert load(tmp_path).manifests == [closed]


def test_a_manifest_that_is_not_json_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="must be made of JSON values"):
        Store(str(tmp_path)).open(Experiment("exp", {"bad": object()}))
    assert not list((tmp_path / "experiments").iterdir())


def test_wrong_use_is_explained(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with pytest.raises(StoreError, match=r"not open: call open\(experiment\) first"):
        store.write(single())
    store.open(Experiment("exp"))
    with pytest.raises(StoreError, match="open already"):
        store.open(Experiment("exp"))
    with pytest.raises(StoreError, match="is of experiment 'other'"):
        store.write(single(experiment="other"))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="part_rows must be at least 1, got 0"):
        Store(str(tmp_path), part_rows=0)
    with pytest.raises(StoreError, match="id that is not empty"):
        Store(str(tmp_path)).open(Experiment(""))
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="Choose a writable folder"):
        Store(str(tmp_path / "file")).open(Experiment("exp"))
