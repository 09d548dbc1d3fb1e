"""Suites by topologies, against figures worked out by hand."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from run_builder import Call, Read, record

from harness.records import RunRecord
from results.__main__ import main
from results.frames import load
from results.matrix.render import print_suites
from results.matrix.table import MatrixCell, matrices


def run(task: str, topology: str, cell: str, tokens: int, score: float, wall_s: float, **more: Any) -> RunRecord:
    family = "single" if topology == "single" else "team"
    call = Call("agent", [Read("task", tokens)], [])
    return record([call], topology=topology, cell=cell, task=task, score=score, wall_s=wall_s, family=family, **more)


@pytest.fixture
def runs(fill: Any) -> Any:
    return load(
        fill(
            run("math", "single", "c0", 100, 1.0, 10.0, sample="a"),
            run("math", "single", "c0", 300, 0.5, 10.0, sample="b"),
            run("math", "bus", "c1", 600, 0.0, 30.0, sample="a", status="limit"),
            run("math", "bus", "c1", 200, 0.5, 10.0, sample="b"),
            run("code", "single", "c2", 50, 0.25, 4.0, sample="x"),
            run("code", "bus", "c3", 25, 0.75, 1.0, sample="x"),
        )
    )


def test_scores_are_means_and_costs_are_ratios_of_sums(runs: Any) -> None:
    (matrix,) = matrices(runs)
    assert matrix.topologies == ("single", "bus") and list(matrix.cells) == ["code", "math"]
    assert matrix.cells["math"] == {
        "single": MatrixCell(2, 0, 0.75, None, None),
        "bus": MatrixCell(2, 1, 0.25, 2.0, 2.0),
    }
    assert matrix.cells["code"]["bus"] == MatrixCell(1, 0, 0.75, 0.5, 0.25)


def test_it_is_printed_with_what_did_not_end_well_marked(runs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    print_suites(runs, console=Console(file=out, width=100))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    assert "code 0.250 0.750 2" in lines and "math 0.750 0.250* 4" in lines
    assert "math - 2.00 × 4" in lines and "code - 0.25 × 2" in lines
    assert "* not all ended ok: some met a limit or a timeout, failed or raised" in lines
    assert main(["suites", str(runs.snapshot.root)]) == 0
    assert "math" in capsys.readouterr().out
