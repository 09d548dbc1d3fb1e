"""Baselines that were edited, places that hold something else, outputs that cannot be written, figures that cannot be:
one line and exit code 2, and a regression that was found stays 1."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from gates import baseline, judged, rule_file, store, verb
from run_builder import Experiment, single, team

import results
from harness.errors import StoreError
from harness.records import RunRecord
from results.gate.baseline import digest, read, write
from results.gate.hold import updated
from results.gate.report import Verdict
from results.store import Store
from results.terminal import rendered, said

pytestmark = pytest.mark.usefixtures("unsynced")


def runs(**options: Any) -> list[RunRecord]:
    return [make(sample=s, simulated=True, **options) for make in (single, team) for s in ("s1", "s2")]


def _changed(column: str, change: Callable[[Any], Any]) -> Callable[[pa.Table], pa.Table]:
    def changed(table: pa.Table) -> pa.Table:
        field = table.schema.field(column)
        values = [change(v) if i == 0 else v for i, v in enumerate(table[column].to_pylist())]
        return table.set_column(table.schema.get_field_index(column), field, pa.array(values, field.type))

    return changed


EDITS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "rows cut": lambda t: t.slice(0, 2),
    "a row twice": lambda t: pa.concat_tables([t, t.slice(0, 1)]),
    "another order": lambda t: t.take([3, 2, 1, 0]),
    "a score": _changed("score", lambda v: v - 0.5),
    "a cost unknown": _changed("cost_pusd", lambda v: None),
    "a setting": _changed("setting", lambda v: "nope"),
    "a fingerprint": _changed("calls.started_s", lambda v: v ^ 1),
    "real": _changed("simulated", lambda v: False),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """What stands in a baseline file."""
    return pq.read_table(baseline(tmp_path_factory.mktemp("whole"), runs()))


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_baseline_is_not_read(
    tmp_path: Path, whole: pa.Table, edit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "edited.parquet"
    pq.write_table(EDITS[edit](whole).replace_schema_metadata(whole.schema.metadata), file)
    assert verb("--baseline", file, "--candidate", tmp_path) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "not as it was written" in line and str(file) in line


PROVENANCE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no list": lambda p: {**p, "experiments": 5},
    "a text for a list": lambda p: {**p, "commands": "x"},
    "numbers": lambda p: {**p, "git_commits": [1]},
    "no text": lambda p: {**p, "closed_at": None},
    "another field": lambda p: {**p, "extra": 1},
    "a field less": lambda p: {k: v for k, v in p.items() if k != "rules"},
    "a list": lambda p: [],
    "nothing": lambda p: None,
}


@pytest.mark.parametrize("what", PROVENANCE)
def test_provenance_of_another_shape_is_one_error(tmp_path: Path, whole: pa.Table, what: str) -> None:
    file, metadata = tmp_path / "told.parquet", whole.schema.metadata
    told = json.dumps(PROVENANCE[what](json.loads(metadata[b"gate_provenance"]))).encode()
    pq.write_table(whole.replace_schema_metadata({**metadata, b"gate_provenance": told}), file)
    with pytest.raises(StoreError, match="its provenance has"):
        read(file)


def test_a_baseline_of_an_earlier_version_says_so(tmp_path: Path) -> None:
    file = baseline(tmp_path, runs())
    table = pq.read_table(file)
    metadata = {k: v for k, v in table.schema.metadata.items() if k != b"gate_baseline_version"}
    pq.write_table(table.replace_schema_metadata(metadata), file)
    with pytest.raises(StoreError, match="a baseline of version 1, this version reads 2"):
        read(file)


def test_the_digest_is_of_the_values_and_survives_writing(tmp_path: Path) -> None:
    made = read(baseline(tmp_path, runs()))
    write(tmp_path / "again.parquet", made)
    assert digest(read(tmp_path / "again.parquet").rows) == digest(made.rows)
    assert digest(made.rows.take([1, 0, 2, 3])) != digest(made.rows)


def test_update_takes_the_place_of_a_baseline_only(tmp_path: Path) -> None:
    folder = store(tmp_path, runs())
    notes = tmp_path / "notes.md"
    notes.write_text("precious", encoding="utf-8")
    other = next((store(tmp_path, runs()) / "runs").rglob("*.parquet"))
    kept = other.read_bytes()
    part = next((folder / "runs").rglob("*.parquet"))
    link = tmp_path / "link"
    link.symlink_to(folder)
    for place, says in (
        (notes, "is not a baseline"),
        (other, "is not a baseline"),
        (tmp_path, "is not a baseline"),
        (part, "lies in the candidate's store"),
        (folder / "new.parquet", "lies in the candidate's store"),
        (link / "new.parquet", "lies in the candidate's store"),
    ):
        with pytest.raises(StoreError, match=says):
            updated(place, folder)
    assert notes.read_text(encoding="utf-8") == "precious" and other.read_bytes() == kept
    file = baseline(tmp_path, runs(score=0.5))
    updated(file, folder)
    assert verb("--baseline", file, "--candidate", folder) == 0


def test_update_wants_to_know_that_the_candidate_is_complete(tmp_path: Path) -> None:
    folder = store(tmp_path, runs())
    shutil.move(folder / "experiments", tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="'exp' has no manifest"):
        updated(tmp_path / "b.parquet", folder)
    shutil.move(tmp_path / "elsewhere", folder / "experiments")
    shutil.rmtree(folder / "runs" / "topology=bus")
    with pytest.raises(StoreError, match="2 runs of unknown planned and 4 written"):
        updated(tmp_path / "b.parquet", folder)
    assert not (tmp_path / "b.parquet").exists()


def test_update_refuses_real_rows_that_would_not_pass_against_themselves(tmp_path: Path) -> None:
    """±0.28 of eight unchanged scores is no answer to 0.05; of as many as the page's nightly job has, it is one."""
    few = [m(sample=f"s{i}") for i in range(8) for m in (single, team)]
    with pytest.raises(StoreError, match=r"not even against itself.*inconclusive.*8 clusters"):
        updated(tmp_path / "few.parquet", store(tmp_path, few))
    page = (Path(results.__file__).parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
    (samples,) = re.findall(r"task\.samples=(\d+)", page)
    enough = [m(sample=f"s{i:03}") for i in range(int(samples)) for m in (single, team)]
    updated(tmp_path / "enough.parquet", store(tmp_path, enough))


@pytest.mark.parametrize(("score", "code"), [(1.0, 2), (0.5, 1)])
def test_an_output_that_cannot_be_written_comes_after_the_verdict(
    tmp_path: Path, score: float, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = baseline(tmp_path, runs()), store(tmp_path, runs(score=score))
    words = ("--baseline", file, "--candidate", folder)
    for more in (("--junit", tmp_path), ("--summary", tmp_path), ("--junit", file), ("--summary", file)):
        assert verb(*words, *more) == code
        said = capsys.readouterr()
        assert "judgements" in said.out and len(said.err.splitlines()) == 1 and "cannot write" in said.err
    both = ("--junit", tmp_path, "--summary", tmp_path / "s.md")
    assert verb(*words, *both) == code and (tmp_path / "s.md").exists(), "the other one is written"
    assert verb(*words) == (0 if code == 2 else 1), "the baseline is as it was"


class _Full(io.StringIO):
    """A file on a full disk, or a pipe whose reader has gone."""

    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize(("score", "full"), [(1.0, 2), (0.5, 1)])
def test_a_reader_that_has_gone_changes_no_verdict(
    tmp_path: Path, score: float, full: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = baseline(tmp_path, runs()), store(tmp_path, runs(score=score))
    monkeypatch.setattr(sys, "stdout", _Full(BrokenPipeError(32, "Broken pipe")))
    assert verb("--baseline", file, "--candidate", folder) == (0 if score == 1 else 1)
    assert not capsys.readouterr().err
    monkeypatch.setattr(sys, "stdout", _Full(OSError(28, "No space left on device")))
    assert verb("--baseline", file, "--candidate", folder) == full
    assert "cannot write to standard output" in capsys.readouterr().err


def test_a_pipe_that_is_closed_at_once_leaves_the_verdicts_code(tmp_path: Path) -> None:
    file, folder = baseline(tmp_path, runs()), store(tmp_path, runs(score=0.5))
    words = [sys.executable, "-m", "results", "gate", "--baseline", str(file), "--candidate", str(folder)]
    root = Path(results.__file__).parents[1]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root) as child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.close()
        assert not child.stderr.read() and child.wait(60) == 1


def test_an_encoding_that_knows_no_dots_and_arrows(monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding="ascii"))
    said(rendered(lambda console: console.print("single · qa → 数据")))
    assert held.getvalue().decode("ascii").rstrip() == "single \\xb7 qa \\u2192 \\u6570\\u636e"


SCORE = "rules: [{name: x, metric: score, better: higher, absolute: 0.05}]"
WALL = "rules: [{name: x, metric: wall_s, better: lower, absolute: 5}]"


@pytest.mark.parametrize("bad", [float("inf"), float("-inf"), 1e300, -5.0, float("nan")])
@pytest.mark.parametrize(("column", "rules"), [("score", SCORE), ("wall_s", WALL)], ids=["score", "wall_s"])
def test_a_figure_that_cannot_be_is_not_judged(tmp_path: Path, column: str, rules: str, bad: float) -> None:
    good = [single(sample=f"s{i}") for i in range(8)]
    odd = [single(sample=f"s{i}", **({column: bad} if i == 3 else {})) for i in range(8)]
    for before, after, side in ((good, odd, "candidate"), (odd, good, "baseline")):
        report = judged(tmp_path, before, after, rule_file(tmp_path, rules))
        (found,) = [j for j in report.judgements if j.rule == "x"]
        assert report.exit_code == 2 and found.verdict is Verdict.UNKNOWN
        assert f"{column} of 1 of the {side}'s 8 runs" in found.says


def test_real_rows_under_another_ablation_or_clock_are_not_comparable(tmp_path: Path) -> None:
    made = [single(sample=f"s{i}") for i in range(8)]
    for changes, says in (({"ablate": "messages"}, "another ablation"), ({"clock": "virtual"}, "another clock")):
        after = [single(sample=f"s{i}", **changes) for i in range(8)]
        report = judged(tmp_path, made, after, rule_file(tmp_path, WALL))
        assert report.exit_code == 2 and any(says in j.says for j in report.judgements)


def test_a_resumed_experiment_is_complete_when_all_planned_runs_are_there(tmp_path: Path) -> None:
    root = tmp_path / "resumed"
    for some in (runs()[:2], runs()[2:]):
        opened = Store(str(root))
        opened.open(Experiment("exp", {"planned_runs": 4}))
        for one in some:
            opened.write(one)
        opened.close()
    updated(tmp_path / "b.parquet", root)
