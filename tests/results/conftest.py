"""A store with one single and one team run, and how to run code in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from run_builder import Experiment, single, team

from harness.records import RunRecord
from results.store import Store

Fill = Callable[..., Path]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """``fill(record, ...)``: write records of one experiment to a store of this test and close it."""

    def write(*records: RunRecord, experiment: str = "exp", closed: bool = True) -> Path:
        root = tmp_path / "store"
        store = Store(str(root))
        store.open(Experiment(experiment))
        for made in records:
            store.write(made)
        if closed:
            store.close()
        return root

    return write


@pytest.fixture
def spool(fill: Fill) -> Fill:
    """As ``fill``, but the store stays open: it is read alike, and written ten times as fast."""
    return partial(fill, closed=False)


@pytest.fixture
def pair(fill: Fill) -> Path:
    return fill(single(), team())


@pytest.fixture
def python() -> Callable[..., subprocess.Popen[str]]:
    """``python(code, *arguments)``: start an interpreter that finds the packages under test."""

    def start(code: str, *arguments: str) -> subprocess.Popen[str]:
        here = [str(Path(__file__).parent), *filter(None, sys.path)]
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(here)},
        )

    return start


@pytest.fixture(scope="module")
def unsynced() -> Iterator[None]:
    """Files need not survive a power cut: waiting for the disk would take most of the time of many small stores."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield
