"""An experiment that lists its own sweeps, and options by pattern."""

from __future__ import annotations

from pathlib import Path

import pytest

import results
from harness.entry.command import run

SILENT = ("summary=false", "progress=none")
QUIET = (*SILENT, "task=qa_corpus", "task.corpus=generated", "task.docs=2", "task.samples=1")
CLAIMED = ('cells=["topology=single,moa"]', "report=claims")
"""Two of the cells of ``+experiment=claims``, which takes ten seconds to compose."""


def command(*words: str) -> int:
    return run(["harness/__main__.py", *words])


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def cells(folder: Path) -> dict[str, str]:
    found = results.load(folder / "runs").frame("runs", ["cell_id", "params"])
    return dict(sorted(found.itertuples(index=False, name=None)))


def test_each_line_is_a_sweep_of_its_own(tmp_path: Path) -> None:
    lines = 'cells=["topology=single seed=1,2", "topology=sync"]'
    assert command(lines, *QUIET) == 0
    assert cells(tmp_path) == {
        "c0": '{"seed": 1, "topology": "single"}',
        "c1": '{"seed": 2, "topology": "single"}',
        "c2": '{"topology": "sync"}',
    }


def test_with_a_sweep_around_it(tmp_path: Path) -> None:
    assert command("-m", 'cells=["topology=single", "topology=sync"]', "seed=1,2", *QUIET) == 0
    assert list(cells(tmp_path).values()) == [
        f'{{"seed": {seed}, "topology": "{topology}"}}' for seed in (1, 2) for topology in ("single", "sync")
    ]


def test_what_was_cut_off_can_be_run_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The printed command runs the missing cell, and not the whole list once more."""
    lines = 'cells=["topology=single", "topology=sync"]'
    assert command(lines, "limits.experiment_tokens=1", "concurrency=1", *QUIET) == 1
    said = capsys.readouterr().err
    (line,) = [text for text in said.splitlines() if text.startswith("  python -m harness")]
    assert "-m" in line and "topology=single,sync" in line and "cells=null" in line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (['cells=["topology=single,"]'], "cells: the line 'topology=single,' cannot be used"),
        (["cells=[3]"], "cells: the line '3' cannot be used: it is no text."),
        (['cells=["topology=nobody"]'], "'nobody'"),
        (["cells=[]"], "cells is an empty list: there is nothing to run."),
        (['cells=["topology=single"]', "topology=sync"], "it sets topology too: leave that out of the command."),
        (["+experiment=claims", "model.behaviour.reading.parallel=4"], "it sets model.behaviour.reading.parallel too"),
        (["-m", *CLAIMED, "seed=1,2"], "none of the cells that claims are measured in"),
        (["+experiment=clams"], "unknown option of 'experiment': 'clams'. Did you mean 'claims'?"),
        (["-m", "topology=glob(nobody*)"], "'topology=glob(nobody*)' fits no option of topology"),
        (["report=nothing"], "report"),
    ],
)
def test_what_cannot_be_run(words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own_tasks = any("=claims" in word for word in words)
    assert command(*words, *(SILENT if own_tasks else QUIET)) == 2
    out = capsys.readouterr()
    assert said in out.err and out.err.startswith("error: ") and not out.out
    assert not list(tmp_path.iterdir())


def test_without_a_sweep_around_them_claims_are_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(*CLAIMED, *QUIET) == 0
    assert set(results.load(tmp_path / "runs").runs.topology) == {"single", "moa"}


def test_all_options_of_a_group(tmp_path: Path) -> None:
    assert command("-m", "topology=glob(s*,exclude=[strong,taskboard])", *QUIET) == 0
    assert set(results.load(tmp_path / "runs").runs.topology) == {"single", "sync"}


def test_another_launcher_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-m", "+experiment=claims", "hydra.sweeper.max_batch_size=1", "hydra.mode=MULTIRUN")
    assert command(*words, *SILENT) == 2
    assert "cells is set (by +experiment=NAME, say)" in capsys.readouterr().err
