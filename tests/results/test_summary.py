"""The table a run ends with, and the command line."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from run_builder import Call, Read, record, single, team

from results.__main__ import main
from results.frames import load
from results.render import print_summary
from results.summary import Cost, Summary, summarize
from results.writing import cost, usd


def printed(root: Path, experiment: str | None = None) -> str:
    out = io.StringIO()
    print_summary(load(root), experiment, Console(file=out, width=100))
    return out.getvalue()


def test_the_rows_by_hand(fill: Any) -> None:
    root = fill(
        single(sample="a"),
        single(sample="b", score=0.0, status="timeout"),
        team(sample="a"),
        team(sample="b", score=0.25, status="error", depth_violations=2, escalations=1, refused=3),
    )
    (group,) = summarize(load(root)).groups
    one, many = group.rows
    assert (one.label, many.label) == ("single", "bus")
    assert (one.runs, one.passed, one.score_mean, dict(one.statuses)) == (2, 1, 0.5, {"timeout": 1})
    assert (many.runs, many.passed, many.score_mean, dict(many.statuses)) == (2, 1, 0.625, {"error": 1})
    assert (one.tokens, many.tokens) == (2_000, 5_000)
    assert one.cost == Cost(0.0108, True) and many.cost == Cost(0.036602, True)
    assert one.cost_per_success == Cost(0.0108, True), "the failed run's money counts"
    assert (one.reread_self, one.reread_cross, many.reread_cross) == (200, 0, 600)
    assert (one.coordination_per_single, many.coordination_per_single) == (None, 0.8)
    assert (many.retries_transport, many.escalations, many.depth_violations, many.refused) == (2, 1, 2, 3)
    assert (many.messages, many.wall_mean_s) == (4, 10.0)


def test_without_single_or_success_nothing_is_made_up(fill: Any) -> None:
    (group,) = summarize(load(fill(team(score=0.0)))).groups
    (row,) = group.rows
    assert row.coordination_per_single is None and row.cost_per_success is None and group.bridges == ()


def test_unknown_cost_is_never_zero(fill: Any) -> None:
    unpriced = Call("lead", [Read("task", 100)], [("answer", 10, 0)], priced=False)
    priced = Call("lead", [Read("task", 100)], [("answer", 10, 0)])
    root = fill(
        record([unpriced], topology="single", cell="no price"),
        record([priced, unpriced], topology="resample", cell="some price"),
    )
    (group,) = summarize(load(root)).groups
    assert {r.label: r.cost for r in group.rows} == {"single": Cost(None, False), "resample": Cost(0.00045, False)}
    text = printed(root)
    assert "unknown" in text and "≥ 0.0004500 (incomplete)" in text


def test_swept_parameters_make_rows(fill: Any) -> None:
    root = fill(
        *(
            single(cell=f"c{docs}", params=f'{{"topology": "single", "task.docs": {docs}, "same": 1}}')
            for docs in (4, 16)
        )
    )
    (group,) = summarize(load(root)).groups
    assert [r.label for r in group.rows] == ["single task.docs=4", "single task.docs=16"], "in the order of the sweep"


def test_simulated_and_real_never_share_a_table(fill: Any) -> None:
    root = fill(single(), team(), single(simulated=True, cell="s-sim"), team(simulated=True, cell="t-sim"))
    summary = summarize(load(root))
    assert [(g.simulated, len(g.rows), len(g.bridges)) for g in summary.groups] == [(False, 2, 1), (True, 2, 1)]
    real, _, simulated = printed(root).partition("SIMULATED")
    titles = re.compile(
        r"^(Outcome|Tokens|Cost in|Coordination:|Time|Messages|Retries|Against|Delegations|Bridge:)", re.MULTILINE
    )
    assert len(titles.findall(real)) == 12 and not titles.findall(simulated), "every table below carries the banner"
    assert simulated.count("SIMULATED · ") == 12 and "never evidence" in simulated


def test_what_is_printed(pair: Path) -> None:
    text = printed(pair, "last")
    assert max(map(len, text.splitlines())) <= 100
    assert "\x1b" not in text
    squeezed = [" ".join(line.split()) for line in text.splitlines()]
    assert "bus 1 none 1.000 (n=1) 1 of 1 0.01830" in squeezed
    assert "bus 10.0 s 9.0 s 0.20 1.00" in squeezed  # four calls of half a second each
    single = "single: 25.0 % of what was written is hidden reasoning; its coordination share (content) lies between "
    assert single + "0.0 % and 5.0 %" in " ".join(squeezed)
    assert "bus − single, as if uncached 0.01290 238.9 %" in squeezed
    assert "bus 2,500 1,500 800 200 0 0 300" in squeezed
    assert "bus 80.0 % 32.0 % 62.0 % 36.1 % 48.4 %" in squeezed
    assert "task (work) 800 - 1,000 -" in squeezed
    assert "duplicated task text 300 30.0 % 0.0009000 16.7 %" in squeezed
    assert "bus − single 1,500 150.0 % 0.01290 238.9 %" in squeezed
    assert "bus 1 2 1 0 0 0 0 0 0" in squeezed and "bus 950 3 40.0" in squeezed


def test_wide_labels_and_many_cells_stay_within_the_width(fill: Any) -> None:
    root = fill(
        *(
            team(cell=f"c{n}", params=f'{{"topology": "bus", "topology.workers": {n}, "note": "[red]{"x" * 80}{n}"}}')
            for n in range(7)
        ),
        single(prompt_tokens=123_456_789),
    )
    text = printed(root)
    assert max(map(len, text.splitlines())) <= 100
    assert "[red]" in "".join(line.split()[0] for line in text.splitlines() if line.split())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (0.0, "0"),
        (0.00001234, "0.00001234"),
        (0.5, "0.5000"),
        (12.3456, "12.35"),
        (123456.789, "123,456.79"),
    ],
)
def test_usd(value: float | None, text: str) -> None:
    assert usd(value) == text


def test_an_incomplete_cost_is_a_lower_bound() -> None:
    assert cost(Cost(0.5, False)) == "≥ 0.5000 (incomplete)"
    assert cost(Cost(None, False)) == "unknown"


def test_types_are_exported() -> None:
    import results

    assert results.Summary is Summary


def test_validate_exits_0_1_2(fill: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = fill(single())
    assert main(["validate", str(root)]) == 0
    assert "1 run, 8 rows in 1 part," in capsys.readouterr().out
    root = fill(single(sample="bad", score=2.0))
    assert main(["validate", str(root)]) == 1
    out = capsys.readouterr().out
    assert "BROKEN run_score: 0 ≤ score ≤ 1" in out and "run exp/single-cell/bad/0: score=2.0" in out
    assert main(["validate", str(tmp_path / "none")]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("error: there is no store in")


def test_summary_verb(pair: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(pair)]) == 0
    assert "Bridge: bus − single, 1 pair" in capsys.readouterr().out
    assert main(["summary", str(pair), "--experiment", "nope"]) == 2
    assert "unknown experiment 'nope'" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["validat"], ["validate", "--fast"], ["summary", "a", "b"]])
def test_wrong_usage_is_one_line_and_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("error: ") and captured.err.count("\n") == 1


def test_help_is_readable_and_the_module_runs(python: Callable[..., Any]) -> None:
    process = python("import runpy, sys; sys.argv[1:] = ['--help']; runpy.run_module('results', run_name='__main__')")
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "validate" in out and "summary" in out and "Traceback" not in errors
