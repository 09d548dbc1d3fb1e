"""What the store costs: writing a run and folding it into parquet, and checking what is there."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.figures import Figure
from benchmarks.rounds import take_turns
from benchmarks.sizes import Sizes
from harness.records import RunRecord
from harness.testing.models import faultless
from harness.testing.runs import cell, records
from harness.testing.toy import Toy
from results import ExperimentInfo, Store, check
from results.schema import SCHEMAS
from topologies.bus import Bus

EXPERIMENT = "test"  # the one that ``harness.testing.runs`` runs


def runs(count: int) -> list[RunRecord]:
    """So many runs of a lead and three workers on the toy suite."""
    return records(cell(Bus(workers=3), faultless(), suite=Toy(samples=count)), concurrency=8)


def rows(record: RunRecord) -> int:
    return 1 + sum(len(getattr(record, table)) for table in SCHEMAS if table != "runs")


def write(found: list[RunRecord], folder: Path) -> float:
    """Write all runs to a new store and close it; CPU seconds."""
    started = time.process_time()
    store = Store(str(folder))
    store.open(ExperimentInfo(EXPERIMENT, {}))
    for record in found:
        store.write(record)
    store.close()
    return time.process_time() - started


@pytest.mark.benchmark(group="store", timer=time.process_time)
def test_write_and_fold(
    benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None], tmp_path: Path
) -> None:
    found = runs(sizes.stored_runs)
    spent: list[float] = []
    take_turns(benchmark, lambda: spent.append(write(found, tmp_path / str(len(spent)))), sizes.rounds)
    calls = sum(len(r.calls) for r in found)
    total = sum(map(rows, found))
    figure(Figure("store: CPU a calls row, with all that belongs to it", min(spent) / calls * 1e6, "µs"))
    figure(Figure("  rows of all tables for each calls row", total / calls, ""))
    figure(Figure("  rows of all tables a second of CPU", total / min(spent), ""))


@pytest.mark.benchmark(group="store", timer=time.process_time)
def test_validate(benchmark: BenchmarkFixture, sizes: Sizes, figure: Callable[[Figure], None], tmp_path: Path) -> None:
    found = runs(sizes.stored_runs)
    write(found, tmp_path)
    spent: list[float] = []

    def validate() -> None:
        started = time.process_time()
        report = check(tmp_path)
        spent.append(time.process_time() - started)
        if report.faults:
            raise RuntimeError(f"the store is not sound: {report.faults[0]}")

    take_turns(benchmark, validate, sizes.rounds)
    figure(Figure("validate: rows of all tables a second of CPU", sum(map(rows, found)) / median(spent), ""))
