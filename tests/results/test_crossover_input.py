"""What is no size sweep is said in one line, with what could be one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from size_sweeps import SAMPLES, curve, lines, run

from harness.errors import HarnessError
from results.__main__ import main
from results.crossover import Crossover, crossovers
from results.frames import load

SIZES = (4, 8, 16, 32, 64)


def told(root: Path, **options: Any) -> Crossover:
    (found,) = crossovers(load(root), **options)
    return found


def refused(root: Path, match: str, **options: Any) -> None:
    with pytest.raises(HarnessError, match=match) as caught:
        crossovers(load(root), **options)
    assert caught.value.exit_code == 2 and "\n" not in str(caught.value)


def test_no_sweep(spool: Any) -> None:
    root = spool(run("single", None, 10), run("crew", None, 20))
    refused(root, r"no parameter with 3 numbers or more \(swept: none\).*python -m harness -m .*task\.docs=4,8,16")
    refused(root, r"unknown swept parameter 'task\.docs'.*Valid choices: \(none\)", by="task.docs")


def test_two_sizes(spool: Any) -> None:
    root = spool(*lines((4, 8)))
    refused(root, r"no parameter with 3 numbers or more \(swept: task\.docs: 4, 8\)")
    refused(root, r"'task\.docs' has 2 sizes \(4, 8\); a curve needs at least 3", by="task.docs")


def test_sizes_that_are_no_numbers(spool: Any) -> None:
    wakes = ("each", "needed", 3)
    root = spool(*(run(t, w, 10, key="topology.wake") for t in ("single", "crew") for w in wakes))
    refused(root, r"'topology\.wake' is no size: it holds \"each\", which is not a number", by="topology.wake")
    refused(root, r'no parameter with 3 numbers or more \(swept: topology\.wake: "each", "needed", 3\)')


def test_truth_values_are_no_numbers(spool: Any) -> None:
    root = spool(*(run(t, w, 10, key="topology.x") for t in ("single", "crew") for w in (1, True, False)))
    refused(root, "is no size", by="topology.x")


def test_two_that_could_be_the_size(spool: Any) -> None:
    rows = [row for seed in (1, 2, 3) for row in lines((4, 8, 16), more=f'{{"task.seed": {seed}}}')]
    root = spool(*rows)
    refused(root, r"task\.docs and task\.seed could each be the size\. Choose one with --by task\.docs")
    assert len(crossovers(load(root), by="task.docs")) == 3


def test_a_seed_is_not_taken_for_the_size(spool: Any) -> None:
    rows = [row for seed in (1, 2, 3) for row in lines((4, 8, 16), more=f'{{"seed": {seed}}}')]
    assert {f.by for f in crossovers(load(spool(*rows)))} == {"task.docs"}


def test_a_key_that_was_not_swept(spool: Any) -> None:
    refused(spool(*lines(SIZES)), r"unknown swept parameter 'task\.doc'\. Did you mean 'task\.docs'\?", by="task.doc")


def test_one_topology(spool: Any) -> None:
    refused(spool(*curve("crew", SIZES, lambda n: n)), r"only one choice, crew, was measured over task\.docs")


def test_no_single(spool: Any) -> None:
    found = told(spool(*curve("crew", SIZES, lambda n: 10 * n), *curve("gang", SIZES, lambda n: 100 + 5 * n)))
    (crossing,) = found.verdict("tokens").crossings
    assert crossing.size == pytest.approx(20) and found.verdict("tokens").against_single == ()
    assert any("no single agent in this sweep" in note for note in found.notes)


def test_missing_cells(spool: Any) -> None:
    """Without the crew's 16 the lines still meet at 20; with two sizes left it has no line."""
    there = told(spool(*(r for r in lines(SIZES) if r.run.cell_id != "crew-16-{}")))
    (crossing,) = there.verdict("tokens").crossings
    assert crossing.size == pytest.approx(20) and crossing.between == (8, 32)
    assert there.notes == ("crew was not run at task.docs = 16",)
    (winner,) = [w for w in there.verdict("tokens").winners if w.size == 16]
    assert (winner.choice, winner.second, winner.margin) == ("single", None, None)


def test_too_few_cells_for_a_curve(spool: Any) -> None:
    rows = [*curve("single", SIZES, lambda n: 10 * n), *curve("crew", (4, 64), lambda n: 100 + 5 * n)]
    found = told(spool(*rows))
    assert found.notes == ("crew was not run at task.docs = 8, 16, 32; with fewer than 3 sizes it has no curve",)
    verdict = found.verdict("tokens")
    assert (verdict.judged, verdict.crossings, verdict.searched) == (("single",), (), None)
    assert [w.choice for w in verdict.winners if w.margin] == ["single", "crew"], "what was measured is told"


def test_a_cell_without_the_key(spool: Any) -> None:
    found = told(spool(*lines(SIZES), run("gang", None, 5)))
    assert found.notes == ("gang is left out where task.docs was not set: its rows do not say at what size they stand",)
    assert [c.label for c in found.choices] == ["single", "crew"]


def test_the_same_cell_twice(spool: Any) -> None:
    again = run("crew", 16, 180)
    again.run.cell_id = "again"
    for table in ([again.run], again.calls, again.shares):
        for row in table:
            row.run_id = "again"
    refused(spool(*lines(SIZES), again), r"task\.docs=16: cells again and crew-16-\{\} are both crew")


def test_no_sample_in_common(spool: Any) -> None:
    rows = [*curve("single", SIZES, lambda n: n, samples=["a"]), *curve("crew", SIZES, lambda n: n, samples=["b"])]
    refused(spool(*rows), r"at task\.docs = 4 .*have no sample in common")


def test_an_unknown_cost_is_not_compared(spool: Any) -> None:
    """The crew's one call at 16 has no price: tokens are compared, dollars only where all are known."""
    rows = [r for r in lines(SIZES) if r.run.cell_id != "crew-16-{}"]
    rows += [run("crew", 16, 180, sample=s, priced=s != "s1") for s in SAMPLES]
    found = told(spool(*rows))
    point = found.choice("crew").at(16)
    assert point is not None and point.figures["usd"] is None and point.figures["uncached"] is None
    assert found.notes == ("the cost of crew is not wholly known at task.docs = 16: not compared there",)
    (tokens,), (usd,) = found.verdict("tokens").crossings, found.verdict("usd").crossings
    assert tokens.size == pytest.approx(20) == usd.size and usd.of == 5 and usd.between == (8, 32)
    (winner,) = [w for w in found.verdict("usd").winners if w.size == 16]
    assert (winner.choice, winner.margin) == ("single", None)


def test_no_cost_at_all(spool: Any) -> None:
    root = spool(*lines(SIZES, priced=False))
    found = told(root)
    assert found.verdict("usd").winners == () and found.verdict("usd").judged == ()
    assert found.verdict("tokens").crossings[0].size == pytest.approx(20)
    refused(root, "at no size is the cost of two choices known", score_usd=1.0)


def test_what_cannot_be_told_of_one_task_is_a_note_of_the_other(spool: Any) -> None:
    other = [run(t, n, 10, task="other") for t in ("single", "crew") for n in (4, 8)]
    for row in other:
        row.run.cell_id += "-other"
        for table in ([row.run], row.calls, row.shares):
            for line in table:
                line.run_id += "-other"
    (found,) = crossovers(load(spool(*lines(SIZES), *other)))
    assert found.task == "qa" and "task other: there is no size sweep" in found.notes[0]


@pytest.mark.parametrize("worth", [float("nan"), -1.0, float("inf")], ids=["nan", "negative", "infinite"])
def test_prices_that_are_none(spool: Any, worth: float) -> None:
    root = spool(*lines(SIZES))
    refused(root, r"score_usd=.*must be a number of USD", score_usd=worth)
    refused(root, r"hour_usd=.*must be a number of USD", score_usd=1.0, hour_usd=worth)


def test_an_hour_needs_a_score(spool: Any) -> None:
    refused(spool(*lines(SIZES)), "hour_usd needs score_usd", hour_usd=1.0)


def test_the_command(spool: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = str(spool(*lines(SIZES)))
    assert main(["crossover", root, "--by", "task.docs", "--score-usd", "0.01", "--hour-usd", "2"]) == 0
    assert "single → crew" in capsys.readouterr().out
    for wrong in (["--by", "nothing"], ["--experiment", "none"], ["--score-usd", "much"], ["--hour-usd", "1"]):
        assert main(["crossover", root, *wrong]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and shown.err.startswith("error: ") and shown.err.count("\n") == 1
    assert main(["crossover", str(tmp_path / "nothing")]) == 2
    assert "there is no store" in capsys.readouterr().err
