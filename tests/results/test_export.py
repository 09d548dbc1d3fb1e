"""Rows that leave the store are exact, and come back as the same comparison."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from run_builder import Call, Read, record, single, team
from worlds import One, world

import results
from harness.records import RunRecord
from results.__main__ import main
from results.exchange.column_map import parse
from results.frames import Results
from results.schema import SCHEMAS
from results.sheet import Sheet

BIG = 2**53 + 1
"""An integer that no float holds."""


def shown(found: Results) -> list[Sheet | str]:
    """Every table and remark of every comparison but the bridges, which need purposes."""
    sheets = [s for c in results.compare(found) for s in results.comparison_sheets(c)]
    return [
        s for s in sheets if not (s.title if isinstance(s, Sheet) else s).startswith(("Bridge", "There is no bridge"))
    ]


def rows() -> list[RunRecord]:
    """Two tasks, repetitions, clusters, failures, costs and usages that are not known, a swept setting, an ablation."""
    cells = {
        "single": [One(i % 2, 1000 + i, wall_s=1 / 3 + i) for i in range(8)],
        "strong": [One(1, 3000, wall_s=0.1)] * 7,
        "crew": [One(0.5, 2000 + 7 * i, talk=500, status="ok" if i else "failed") for i in range(8)],
        "crowd": [One(1, 4000, talk=9, priced=i > 2) for i in range(8)],
    }
    made = world(cells, cluster=lambda i: f"c{i // 2}") + world(cells, cluster=lambda i: f"c{i // 2}", epoch=1)
    small = {name: some[:3] for name, some in cells.items() if name != "strong"}
    for docs in (4, 8):
        for one in world(small, task="other"):
            one.run.params = json.dumps({"task.docs": docs, "topology": one.run.topology})
            one.run.cell_id = f"{one.run.cell_id}{docs}"
            _renamed(one, f"{one.run.run_id}/{docs}")
            made.append(one)
    ablated = world({"crew": [One(0)] * 8}, ablate="roles", cluster=lambda i: f"c{i // 2}")
    for one in ablated:
        one.run.cell_id, one.run.params = "crew-bare", '{"topology": "crew", "topology.roles": "off"}'
        _renamed(one, f"{one.run.run_id}/bare")
    lost = record([Call("agent", [], [], priced=False)], cell="crew", topology="crew", task="third", family="team")
    alone = record([Call("agent", [Read("task", 5)], [])], cell="single", task="third")
    _renamed(lost, "lost")
    _renamed(alone, "alone")
    return [*made, *ablated, alone, lost]


def _renamed(one: RunRecord, run_id: str) -> None:
    for some in ([one.run], one.calls, one.shares):
        for row in some:
            row.run_id = run_id  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_what_was_exported_and_imported_compares_alike(kind: str, tmp_path: Path, spool: Any) -> None:
    root = spool(*rows())
    file = tmp_path / f"runs.{kind}"
    results.export_rows(root, file)
    results.import_rows([file], parse("export").changed(single="single"), tmp_path / "again")
    before, after = results.load(root), results.load(tmp_path / "again")
    assert results.check(tmp_path / "again").clean
    assert shown(after) == shown(before)
    assert len(shown(before)) >= 12


def test_simulated_rows_come_back_as_simulated(tmp_path: Path, spool: Any) -> None:
    root = spool(*world({"single": [One(1)] * 7, "crew": [One(0)] * 7}, simulated=True))
    results.export_rows(root, tmp_path / "runs.csv")
    chosen = parse("agent=topology,sample=sample_id,score=score").changed(single="single")
    results.import_rows([tmp_path / "runs.csv"], chosen, tmp_path / "again")
    assert all(c.scenario.simulated for c in results.compare(results.load(tmp_path / "again")))


def test_integers_are_exact_and_unknown_is_empty(tmp_path: Path, spool: Any) -> None:
    made = [team(seed=BIG, wall_s=float("nan")), single(error=None, git_commit=None)]
    root = spool(*made)
    for kind in ("csv", "jsonl", "parquet"):
        results.export_rows(root, tmp_path / f"runs.{kind}")
    (line, _) = csv.DictReader((tmp_path / "runs.csv").read_text(encoding="utf-8").splitlines())
    assert (line["seed"], line["wall_s"], line["error"], line["passed"]) == (str(BIG), "", "", "true")
    (found, _) = map(json.loads, (tmp_path / "runs.jsonl").read_text().splitlines())
    assert (found["seed"], found["wall_s"], found["error"], found["passed"]) == (BIG, None, None, True)
    stored = pq.read_table(tmp_path / "runs.parquet")
    assert stored["seed"][0].as_py() == BIG and stored["wall_s"][0].as_py() is None
    assert list(line) == list(found) == stored.column_names == [*SCHEMAS["runs"].full.names, "without_usage"]


def test_a_folder_gets_every_table(tmp_path: Path, spool: Any, capsys: pytest.CaptureFixture[str]) -> None:
    root = spool(single(), team())
    assert main(["export", str(root), "--out", str(tmp_path / "all"), "--format", "jsonl"]) == 0
    told = capsys.readouterr().out
    loaded = results.load(root)
    for table in SCHEMAS:
        lines = (tmp_path / "all" / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == len(loaded.frame(table))
        assert f"{table}.jsonl: {len(lines):,} rows of {table}" in told


def test_one_table_of_one_experiment(tmp_path: Path, fill: Any) -> None:
    fill(single(experiment="a"), experiment="a")
    root = fill(team(experiment="b"), experiment="b")
    done = results.export_rows(root, tmp_path / "calls.csv", table="calls", experiment="b")
    assert done.files == ((str(tmp_path / "calls.csv"), "calls", 4),)


REFUSED: dict[str, tuple[Sequence[str], str]] = {
    "format": (["--out", "x", "--format", "xml"], "unknown format 'xml'"),
    "table": (["--out", "x", "--table", "run"], "unknown table 'run'. Did you mean 'runs'"),
    "kind of file": (["--out", "rows.xlsx"], "unknown kind of file '.xlsx'"),
    "packed": (["--out", "rows.csv.gz"], "unknown kind of file '.gz'"),
    "two formats": (["--out", "rows.csv", "--format", "jsonl"], "is csv by its name, --format says jsonl"),
    "experiment": (["--out", "rows.csv", "--experiment", "no"], "unknown experiment 'no'"),
    "taken": (["--out", "here"], "is a folder that is not empty: nothing is overwritten"),
    "taken by a file": (["--out", "there.csv"], "exists: nothing is overwritten"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(
    case: str, tmp_path: Path, spool: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, words = REFUSED[case]
    root = spool(single())
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mine").touch()
    (tmp_path / "there.csv").touch()
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert main(["export", str(root), *arguments]) == 2
    assert words in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(tmp_path / "none"), "--out", str(tmp_path / "x.csv")]) == 2
    assert "there is no store in" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
