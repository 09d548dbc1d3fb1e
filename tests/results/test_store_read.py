"""Loading: frames, datasets, experiments, and stores that are not there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.compute as pc
import pytest
from run_builder import Call, Experiment, Read, record, single, team

import results
from harness.errors import StoreError
from results.store import Store


def test_frames_carry_the_partition_and_exact_integers(fill: Any) -> None:
    big = 2**60 + 1  # not a float
    root = fill(single(cost_pusd=big, cost_usd=big / 1e12), team(cost_pusd=None, cost_usd=None))
    loaded = results.load(root)
    assert set(loaded.calls["topology"]) == {"single", "bus"} and set(loaded.calls["task"]) == {"qa"}
    assert len(loaded.calls) == 5 and len(loaded.messages) == 2 and len(loaded.delegations) == 2
    assert len(loaded.events) == 7 and len(loaded.shares) == 15
    costs = loaded.runs.set_index("topology")["cost_pusd"]
    assert costs["single"] == big and costs["bus"] is pd.NA
    assert loaded.runs["seed"].dtype == "int64"


def test_a_dataset_reads_parts_and_spools(fill: Any, tmp_path: Path) -> None:
    root = fill(single(), team())
    store = Store(str(root))
    store.open(Experiment("second"))
    store.write(team(experiment="second"))
    table = results.dataset(root, "calls").to_table(columns=["topology", "prompt_tokens"])
    assert len(table) == 9 and pc.sum(table["prompt_tokens"]).as_py() == 800 + 1600 * 2
    found = results.dataset(root, "calls", "second").to_table(filter=pc.field("topology") == "bus")
    assert len(found) == 4
    assert results.dataset(root, "messages", "exp").count_rows() == 2
    store.close()


def test_last_is_the_experiment_opened_last(tmp_path: Path) -> None:
    for name in ("zebra", "ant"):
        store = Store(str(tmp_path))
        store.open(Experiment(name))
        store.write(single(experiment=name))
        store.close()
    assert results.load(tmp_path, "last").experiment_ids == ("ant",)
    assert results.load(tmp_path).experiment_ids == ("ant", "zebra")
    assert [m["experiment_id"] for m in results.load(tmp_path).manifests] == ["zebra", "ant"]
    with pytest.raises(StoreError, match=r"unknown experiment 'zebr'\. Did you mean 'zebra'"):
        results.load(tmp_path, "zebr")


def test_a_loaded_store_stays_as_it_was(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    store.write(single(sample="a"))
    loaded = results.load(tmp_path)
    store.write(single(sample="b"))
    store.close()  # the spool that was seen is gone now
    assert loaded.runs["sample_id"].tolist() == ["a"]
    assert len(loaded.calls) == 1


@pytest.mark.parametrize("made", ["missing", "empty"])
def test_a_missing_or_empty_store_says_what_to_run(tmp_path: Path, made: str) -> None:
    root = tmp_path / "runs"
    if made == "empty":
        root.mkdir()
    with pytest.raises(StoreError, match="python -m harness topology=single task=qa_corpus"):
        results.load(root)
    with pytest.raises(StoreError, match="python -m harness"):
        results.dataset(root, "runs")


def test_an_unknown_table_names_the_choices(pair: Path) -> None:
    with pytest.raises(StoreError, match=r"unknown table 'cals'\. Did you mean 'calls'"):
        results.dataset(pair, "cals")
    with pytest.raises(StoreError, match="Valid choices: calls, delegations"):
        results.load(pair).table("x")


def test_a_broken_manifest_is_named(pair: Path) -> None:
    (pair / "experiments" / "exp.json").write_text("{")
    with pytest.raises(StoreError, match=r"exp\.json: not an experiment's manifest"):
        results.load(pair, "last")
    (pair / "experiments" / "exp.json").write_text(json.dumps({"experiment_id": "exp"}))
    with pytest.raises(StoreError, match="keys are missing"):
        results.load(pair, "last")


def test_a_table_without_rows_has_its_columns(fill: Any) -> None:
    loaded = results.load(fill(record([Call("lead", [Read("task", 5)], [])], topology="single")))
    assert len(loaded.messages) == 0 and "msg_id" in loaded.messages and "topology" in loaded.messages


def test_the_package_is_lazy_and_complete() -> None:
    code = (
        "import sys, results; bad = {'pyarrow', 'pandas', 'rich', 'hydra', 'litellm', 'matplotlib'};"
        "assert not bad & set(sys.modules), bad & set(sys.modules);"
        "import results.frames; assert callable(results.load);"
        "assert all(getattr(results, n) is not None for n in results.__all__);"
        "assert not {'hydra', 'litellm', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = results.nothing


def test_writing_never_imports_pandas(tmp_path: Path, python: Any) -> None:
    code = (
        "import sys; from run_builder import Experiment, team; from results.store import Store;"
        "s = Store(sys.argv[1]); s.open(Experiment('exp')); s.write(team()); s.close();"
        "assert not {'pandas', 'rich', 'pyarrow.dataset'} & set(sys.modules)"
    )
    process = python(code, str(tmp_path))
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
