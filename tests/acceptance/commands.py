"""Whole commands, as a user types them, and what they leave behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
from support.within import within

import results
from harness.entry.command import run
from harness.errors import StoreError
from harness.records import TABLES
from results.__main__ import main as results_main

ROOT = Path(__file__).parents[2]
QUIET = ("summary=false", "progress=none")
GENERATED = ("task=qa_corpus", "task.corpus=generated", "task.docs=4")
"""Material that is the same on every machine and every Python."""
TALKATIVE = (
    "model.behaviour.clarify.rate=0.5",
    "model.behaviour.progress.rate=0.7",
    "model.behaviour.progress.min_documents=1",
    "model.behaviour.malformed.rate=0.1",
    "model.faults.rate_limited=0.1",
)
"""A simulated model that asks back, reports progress, stumbles and is refused."""
SECONDS = 60
"""Most real seconds one command may take."""


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child that finds the harness from any folder."""
    more = dict(more or {})
    path = os.pathsep.join(filter(None, (str(ROOT), more.pop("PYTHONPATH", ""))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "default", "COLUMNS": "100", **more}


def command(*words: str, python: str = sys.executable) -> list[str]:
    return [python, "-m", "harness", *words]


def call(
    folder: Path, *words: str, python: str = sys.executable, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """``python -m harness WORDS`` in a folder, to its end."""
    return _finished(command(*words, python=python), folder, env)


def validate(store: Path) -> subprocess.CompletedProcess[str]:
    """``python -m results validate STORE``, in this process."""
    return within(store.parent, results_main, ["validate", str(store)])


def inside(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``call`` in this process, for commands whose own process is not the point."""
    return within(folder, run, ["harness/__main__.py", *words])


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A printed command, run by this interpreter."""
    return _finished(["/bin/sh", "-c", f"{sys.executable}{line.removeprefix('python')}"], folder, None)


def _finished(words: list[str], folder: Path, env: Mapping[str, str] | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, cwd=folder, env=environment(env), capture_output=True, text=True, timeout=SECONDS, check=False
    )


def here(store: Path, *words: str) -> results.Results:
    """The same command in this process, where a repetition costs milliseconds; it must succeed. Its rows only."""
    code = run(["harness/__main__.py", *words, f"store.dir={store}", *QUIET])
    if code:
        raise RuntimeError(f"exit code {code}")
    return results.load(store, "last")


def bare(found: results.Results, *beside: str) -> dict[str, pd.DataFrame]:
    """All tables of one experiment without its id and its date, ordered by run; ``beside``: columns left out too."""
    (experiment,) = found.experiment_ids
    tables = {}
    for name in TABLES:
        frame = found.frame(name).drop(columns=["experiment_id", "started_at", *beside], errors="ignore")
        for column in frame.select_dtypes(["object", "str"]):
            frame[column] = frame[column].map(lambda v: v.replace(experiment, "E") if isinstance(v, str) else v)
        tables[name] = frame.sort_values("run_id", kind="stable", ignore_index=True)
    return tables


def each(frame: pd.DataFrame) -> Iterator[Any]:
    """Its rows, a column an attribute."""
    yield from frame.itertuples()


def digest(tables: Mapping[str, pd.DataFrame]) -> str:
    """The same for equal rows, to the last bit."""
    return sha256("\n".join(f"{name}\n{frame.to_csv()}" for name, frame in tables.items()).encode()).hexdigest()


def printed_commands(stderr: str) -> list[str]:
    """What an interrupted command says to run."""
    return re.findall(r"^  (python .*)$", stderr, re.MULTILINE)


def one_error(done: subprocess.CompletedProcess[str]) -> str:
    """The only thing that a refused command says. AssertionError with all it said otherwise."""
    said: Any = done.stderr.splitlines()
    assert len(said) == 1 and said[0].startswith("error: "), done.stderr
    assert not done.stdout, done.stdout
    assert done.returncode not in (0, None)
    return str(said[0])


def wait_for(
    what: Callable[[], bool], child: subprocess.Popen[str] | None = None, *, seconds: float = 40, pause: float = 0.1
) -> None:
    """Look again and again; AssertionError when it does not come, or the child ends before it does."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline and (child is None or child.poll() is None)
        time.sleep(pause)


def stored(folder: Path) -> int:
    """Finished runs that can be read from ``runs`` in a folder by now."""
    try:
        return len(results.load(folder / "runs").table("runs", ["run_id"]))
    except StoreError:
        return 0
