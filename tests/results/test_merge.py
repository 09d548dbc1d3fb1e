"""Several stores as one: every row and manifest, a run once, and nothing where it does not fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from run_builder import Experiment, rename, single, team

import results
from harness.errors import StoreError
from harness.records import RunRecord
from results.__main__ import main
from results.manifest import joined, read_all
from results.schema import SCHEMAS
from results.store import Store

Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """``made(name, record, …)``: a store of its own."""

    def write(name: str, *records: RunRecord, closed: bool = True, **facts: str) -> Path:
        store = Store(str(tmp_path / name))
        for experiment in dict.fromkeys(r.run.experiment_id for r in records):
            store.open(Experiment(experiment, facts))
            for one in records:
                if one.run.experiment_id == experiment:
                    store.write(one)
            if closed:
                store.close()
        return tmp_path / name

    return write


def content(root: Path) -> dict[str, list[str]]:
    """Table → its rows as texts, sorted."""
    found = results.load(root)
    return {t: sorted(map(repr, found.table(t).to_pylist())) for t in SCHEMAS}


def test_all_rows_and_manifests(made: Made, tmp_path: Path) -> None:
    one = made("one", single(experiment="a"), team(experiment="a"), command="first")
    two = made("two", team(experiment="b", sample="s2"), single(experiment="b"), command="second")
    done = results.merge_stores([one, two], tmp_path / "both")
    assert (done.runs, done.experiments) == (4, ("a", "b"))
    before = [content(one), content(two)]
    assert content(tmp_path / "both") == {t: sorted(before[0][t] + before[1][t]) for t in SCHEMAS}
    assert [m["manifest"]["command"] for m in results.load(tmp_path / "both").manifests] == ["first", "second"]
    assert results.check(tmp_path / "both").clean
    assert [content(one), content(two)] == before, "the sources stay as they are"


def test_the_same_run_is_written_once(made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where its part holds others, and where it is still in a spool."""
    one = made("one", team(), team(sample="s2"))
    two = made("two", team(sample="s2"), team(sample="s3"), single(wall_s=float("nan")))
    three = made("three", team(), single(wall_s=float("nan")), closed=False)
    out = tmp_path / "all"
    assert main(["merge", str(one), str(two), str(three), "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert f"{two}: 3 runs, 1 of them in a store before" in told
    assert f"{three}: 2 runs, 2 of them in a store before" in told
    assert f"{out}: 4 runs of 1 experiment: clean" in told
    runs = results.load(out).runs
    assert sorted(zip(runs["topology"], runs["sample_id"], strict=True)) == [
        ("bus", "s1"), ("bus", "s2"), ("bus", "s3"), ("single", "s1")
    ]  # fmt: skip


def test_parts_of_one_cell_in_two_stores(made: Made, tmp_path: Path) -> None:
    """They have the same file name in both."""
    one, two = made("one", team(sample="s1")), made("two", team(sample="s2"))
    results.merge_stores([one, two], tmp_path / "both")
    assert sorted(results.load(tmp_path / "both").runs["sample_id"]) == ["s1", "s2"]
    (manifest,) = read_all(tmp_path / "both")
    assert len(manifest["earlier"]) == 1


def test_a_merged_store_can_be_written_to(made: Made, tmp_path: Path) -> None:
    out = tmp_path / "both"
    results.merge_stores([made("one", team(sample="s1")), made("two", team(sample="s2"))], out)
    made("both", team(sample="s3"), single())
    assert len(results.load(out).runs) == 4 and results.check(out).clean


def refused(out: Path, match: str, *dirs: Path) -> None:
    there = sorted(out.parent.iterdir())
    with pytest.raises(StoreError, match=match) as caught:
        results.merge_stores(dirs, out)
    assert caught.value.exit_code == 2 and "\n" not in str(caught.value)
    assert sorted(out.parent.iterdir()) == there, "nothing is half-written"


@pytest.mark.parametrize("table", ["runs", "calls", "shares", "messages", "delegations", "events"])
def test_the_same_run_with_other_content(table: str, made: Made, tmp_path: Path) -> None:
    other = team()
    if table == "runs":
        other.run.answer = "43"
    elif table == "calls":
        other.calls[0].finish_reason = "length"
    elif table == "shares":
        other.shares[0].author = "somebody"
    elif table == "messages":
        other.messages[0].content = "do that"
    elif table == "delegations":
        other.delegations[0].seconds = 3.0
    else:
        del other.events[-1]
    refused(tmp_path / "both", f"with different rows of {table}", made("one", team()), made("two", other))


def test_the_same_run_of_another_topology(made: Made, tmp_path: Path) -> None:
    other = single(cell="bus-cell")
    rename(other, team().run.run_id)
    refused(tmp_path / "both", "with different rows of runs", made("one", team()), made("two", other))


def test_what_does_not_add_up(made: Made, tmp_path: Path) -> None:
    off = team()
    off.shares[0].tokens += 1
    refused(tmp_path / "both", "do not add up: prompt_shares", made("one", single()), made("two", off))


def test_another_schema_version(made: Made, tmp_path: Path) -> None:
    one, two = made("one", single()), made("two", team(), closed=False)
    (spool,) = (two / "spool").glob("*.jsonl")
    head, rest = spool.read_text().split("\n", 1)
    spool.write_text(json.dumps({**json.loads(head), "schema_version": 3}) + "\n" + rest)
    refused(tmp_path / "both", "schema_version is 3", one, two)


def test_places(made: Made, tmp_path: Path) -> None:
    one, two = made("one", single()), made("two", team())
    refused(tmp_path / "both", "two stores or more", one)
    refused(tmp_path / "both", "is named twice", one, tmp_path / "." / "one")
    refused(tmp_path / "both", "there is no store in", one, tmp_path / "none")
    refused(two, "is a folder that is not empty", one, two)
    refused(one / "runs", "is a folder that is not empty", one, two)


def test_rows_without_their_runs(made: Made, tmp_path: Path) -> None:
    one, two = made("one", single()), made("two", single(sample="s2"), team())
    next((two / "runs").glob("topology=bus/*/*.parquet")).unlink()
    refused(tmp_path / "both", "rows without their runs", one, two)


def test_openings_of_one_experiment() -> None:
    """Each once, the newest first; of one that was still running when it was copied, what became of it."""

    def opening(writer: str, at: str, status: str) -> dict[str, object]:
        return {
            "writer": writer,
            "status": status,
            "opened_at": at,
            "closed_at": None,
            "runs_written": 1,
            "manifest": {},
        }

    about = {"experiment_id": "e", "schema_version": 4}
    one = {**about, **opening("b", "2", "running"), "earlier": [opening("a", "1", "complete")]}
    two = {**about, **opening("c", "3", "complete"), "earlier": [opening("b", "2", "interrupted")]}
    for wholes in ([one, two], [two, one]):
        found = joined(wholes)
        assert [o["writer"] for o in (found, *found["earlier"])] == ["c", "b", "a"]
        assert [o["status"] for o in (found, *found["earlier"])] == ["complete", "interrupted", "complete"]
