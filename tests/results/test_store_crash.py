"""Killed writers, full disks, several writers at once: no finished run is lost, none is doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from run_builder import Experiment, single, team

from harness.errors import StoreError
from results.frames import load
from results.schema import SCHEMAS
from results.spool import Header, SpoolWriter, encode
from results.store import Store
from results.validate import check

Python = Callable[..., "subprocess.Popen[str]"]

WRITE = """
import sys
from run_builder import Experiment, team
from results.store import Store
root, first, last, rows = sys.argv[1], *map(int, sys.argv[2:])
store = Store(root, part_rows=rows)
store.open(Experiment("exp"))
for n in range(first, last):
    store.write(team(sample=f"s{n:06d}"))
    print(n, flush=True)
store.close()
"""


@pytest.mark.parametrize("seed", range(5))
def test_kill_at_a_random_moment(tmp_path: Path, python: Python, seed: int) -> None:
    writer = python(WRITE, str(tmp_path), "0", "1000000", "100")  # folds every fourth run
    assert writer.stdout is not None and writer.stderr is not None
    assert writer.stdout.readline() == "0\n", writer.stderr.read()
    time.sleep(random.Random(seed).uniform(0.0, 0.4))
    os.kill(writer.pid, signal.SIGKILL)
    lines = ["0", *writer.stdout.read().split("\n")[:-1]]
    writer.communicate(timeout=30)
    returned = {f"s{int(n):06d}" for n in lines}

    def stored() -> list[str]:
        return sorted(load(tmp_path).runs["sample_id"])

    before = stored()
    assert len(before) == len(set(before))
    assert returned <= set(before) and len(before) <= len(returned) + 1  # the last may not have been told of
    assert check(tmp_path).clean
    store = Store(str(tmp_path))
    store.open(Experiment("next"))
    assert not list(tmp_path.glob("spool/*.jsonl")), "the next opening folds"
    assert not list(tmp_path.rglob("*.tmp"))
    store.close()
    assert stored() == before
    assert check(tmp_path).clean
    assert json.loads((tmp_path / "experiments" / "exp.json").read_text())["status"] in ("interrupted", "running")


def test_two_processes_write_to_one_cell_of_one_store(tmp_path: Path, python: Python) -> None:
    writers = [python(WRITE, str(tmp_path), str(n * 100), str(n * 100 + 60), "100") for n in range(2)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    wanted = [f"s{n * 100 + i:06d}" for n in range(2) for i in range(60)]
    assert sorted(load(tmp_path).runs["sample_id"]) == wanted
    assert check(tmp_path).clean


def test_a_reader_beside_a_writer_sees_whole_runs(tmp_path: Path, python: Python) -> None:
    writer = python(WRITE, str(tmp_path), "0", "200", "100")
    assert writer.stdout is not None and writer.stderr is not None
    assert writer.stdout.readline() == "0\n", writer.stderr.read()
    seen, looks = 0, 0
    while writer.poll() is None:
        results = load(tmp_path)
        runs = results.table("runs", ["run_id"])["run_id"].to_pylist()
        assert len(runs) == len(set(runs)) >= seen, "nothing doubled, nothing lost"
        for table, rows in (("calls", 4), ("shares", 12), ("messages", 2), ("events", 4)):  # of each team run
            assert len(results.table(table, ["run_id"])) == rows * len(runs)
        seen, looks = len(runs), looks + 1
    _, errors = writer.communicate(timeout=30)
    assert writer.returncode == 0, errors
    assert len(load(tmp_path).runs) == 200 and looks > 3


def test_a_live_spool_is_not_an_orphan(tmp_path: Path) -> None:
    first, second = Store(str(tmp_path)), Store(str(tmp_path))
    first.open(Experiment("exp"))
    first.write(single(sample="a"))
    second.open(Experiment("exp"))
    first.write(single(sample="b"))
    second.write(single(sample="c"))
    second.close()
    first.close()
    assert sorted(load(tmp_path).runs["sample_id"]) == ["a", "b", "c"]


def _orphan(root: Path, *lines: bytes) -> Path:
    """A spool whose writer is gone."""
    (root / "spool").mkdir(parents=True, exist_ok=True)
    path = root / "spool" / "exp-single-cell-00000.jsonl"
    spool = SpoolWriter(path, Header("exp", "single-cell", "single", "qa", "gone"))
    for line in lines:
        spool.append(line)
    spool.release()
    return path


def _line(sample: str) -> bytes:
    made = single(sample=sample)
    tables: dict[str, list[Any]] = {"runs": [made.run], "calls": made.calls, "shares": made.shares}
    return encode({name: SCHEMAS[name].transpose(rows) for name, rows in tables.items()})[0]


def test_a_torn_last_line_is_ignored_and_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = _orphan(tmp_path, _line("a"), _line("b")[:-100])
    results = load(tmp_path)
    assert results.runs["sample_id"].tolist() == ["a"]
    assert len(results.notes) == 1 and str(path) in results.notes[0]
    store = Store(str(tmp_path))
    store.open(Experiment("next"))
    assert "incomplete last line" in caplog.text
    store.close()
    assert load(tmp_path).runs["sample_id"].tolist() == ["a"]
    assert load(tmp_path).notes == ()


def test_a_spool_without_a_whole_header_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "exp-c-00000.jsonl").write_bytes(b'{"schema_ver')
    with pytest.raises(StoreError, match="holds no finished run"):
        load(tmp_path)
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    assert not list(tmp_path.glob("spool/*.jsonl"))
    store.close()


@pytest.mark.parametrize("line", [b"not json\n", b"[]\n", b'{"runs": [[1]]}\n', b'{"nothing": []}\n'])
def test_a_damaged_line_is_named(tmp_path: Path, line: bytes) -> None:
    path = _orphan(tmp_path, _line("a"), line)
    with pytest.raises(StoreError, match="line 3: not a spooled run") as caught:
        load(tmp_path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"schema_version":4', b'"schema_version":5', "schema_version is 5"),
        (b'"operation_id"', b'"operation"', "expected the columns"),
    ],
)
def test_a_spool_of_another_schema_is_refused(tmp_path: Path, old: bytes, new: bytes, words: str) -> None:
    path = _orphan(tmp_path, _line("a"))
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(StoreError, match=words):
        load(tmp_path)
    with pytest.raises(StoreError, match=words):
        Store(str(tmp_path)).open(Experiment("exp"))


def test_the_spool_wins_over_a_half_finished_fold(tmp_path: Path) -> None:
    """A crash after some, or all, files of a part were renamed but before the spool was removed."""
    path = _orphan(tmp_path, _line("a"))
    text = path.read_bytes()
    store = Store(str(tmp_path))
    store.open(Experiment("next"))
    store.close()
    next(tmp_path.glob("shares/*/*/*.parquet")).unlink()
    path.write_bytes(text)  # as if the crash had been just before
    results = load(tmp_path)
    assert (len(results.runs), len(results.calls), len(results.shares)) == (1, 1, 3)
    store.open(Experiment("next"))
    store.close()
    results = load(tmp_path)
    assert (len(results.runs), len(results.calls), len(results.shares)) == (1, 1, 3)


def test_an_interrupt_between_spool_and_memory_loses_nothing(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.open(Experiment("exp"))
    store.write(single(sample="a"))
    (slot,) = store._slots.values()
    slot.spool.append(_line("b"))  # what an interrupt inside ``write`` leaves: on disk, not in memory
    store.close()
    assert sorted(load(tmp_path).runs["sample_id"]) == ["a", "b"]


FULL = """
import resource, sys
from run_builder import Experiment, team
from results.store import Store
store = Store(sys.argv[1])
store.open(Experiment("exp"))
for n in range(40):
    store.write(team(sample=f"s{n:06d}"))
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    if sys.argv[3] == "write":
        store.write(team(sample="lost"))
    else:
        store.close()
except Exception as error:
    print(type(error).__name__, error)
"""


def _full(python: Python, root: Path, limit: int, act: str) -> str:
    writer = python(FULL, str(root), str(limit), act)
    out, errors = writer.communicate(timeout=60)
    assert writer.returncode == 0, errors
    return out


def test_no_room_for_a_part(tmp_path: Path, python: Python) -> None:
    said = _full(python, tmp_path, 1000, "close")
    assert said.startswith("StoreError cannot write") and ".parquet" in said
    assert not list(tmp_path.rglob("*.parquet")) and not list(tmp_path.rglob("*.tmp"))
    assert len(load(tmp_path).runs) == 40
    assert check(tmp_path).clean


def test_no_room_for_a_line(tmp_path: Path, python: Python) -> None:
    store = Store(str(tmp_path / "measure"))
    store.open(Experiment("exp"))
    for n in range(40):
        store.write(team(sample=f"s{n:06d}"))
    (spool,) = (tmp_path / "measure" / "spool").glob("*.jsonl")
    full = spool.stat().st_size
    store.close()
    said = _full(python, tmp_path / "full", full + 500, "write")  # a line has more than 500 bytes
    assert said.startswith("StoreError cannot write") and ".jsonl" in said
    (spool,) = (tmp_path / "full" / "spool").glob("*.jsonl")
    assert spool.stat().st_size == full, "the half-written line is taken back"
    assert len(load(tmp_path / "full").runs) == 40


def test_a_full_file_system(tmp_path: Path) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(root)], capture_output=True, check=False
    )
    if mount.returncode:
        pytest.skip("mounting a small file system needs privileges")
    try:
        store = Store(str(root))
        store.open(Experiment("exp"))
        written = 0
        with pytest.raises(StoreError, match="cannot write"):
            for written in range(1000):
                store.write(team(sample=f"s{written}"))
        assert len(load(root).runs) == written
        with pytest.raises(StoreError, match=r"cannot write .*\.parquet"):
            store.close()
        assert len(load(root).runs) == written
        assert not list(root.rglob("*.tmp"))
    finally:
        subprocess.run(["umount", "--lazy", str(root)], check=True)


MEMORY = """
import resource, sys
from run_builder import Experiment, team
from results.store import Store
store = Store(sys.argv[1], part_rows=5_000)
store.open(Experiment("exp"))
for n in range(2_000):
    store.write(team(sample=f"s{n}", answer=f"{n}" * 500))
    if n in (499, 1_999):
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
store.close()
"""


def test_memory_stays_flat_over_two_thousand_runs(tmp_path: Path, python: Python) -> None:
    writer = python(MEMORY, str(tmp_path))
    out, errors = writer.communicate(timeout=100)
    assert writer.returncode == 0, errors
    early, late = map(int, out.split())  # KiB
    assert late - early < 15 * 1024
    assert len(load(tmp_path).runs) == 2_000
