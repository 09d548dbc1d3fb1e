"""``python -m harness.entry.pairwise``: from a store to counts that can be traced."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import results
from harness.entry.command import run
from harness.entry.pairs import _why_not
from harness.entry.pairwise import main
from harness.run import ANSWER_CUT

TASK = ("task=qa_corpus", "task.corpus=generated", "task.docs=2", "task.samples=5")
BIASED = {
    "conversations": [
        {
            "when": {"system_contains": "You compare two answers"},
            "steps": [{"text": '{"reason": "", "better": "A"}'}] * 2,
        }
    ]
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """c0: a poor model, c1: a good one, both as ``single``; the poor one's runs have one epoch and all samples."""
    folder = tmp_path_factory.mktemp("pairs") / "runs"
    words = ("-m", "topology=single", *TASK, "model.behaviour.answering.accuracy=0.2,0.99")
    assert run(["harness/__main__.py", *words, f"store.dir={folder}", "summary=false", "progress=none"]) == 0
    return folder


def compare(store: Path, *words: str) -> int:
    return main([str(store), *words])


def file_of(said: str) -> list[dict[str, Any]]:
    found = re.search(r"^Verdicts, and the judge's calls: (.+)$", said, re.M)
    assert found is not None
    return [json.loads(line) for line in Path(found[1]).read_text().splitlines()]


def figures(said: str) -> dict[str, str]:
    lines = said.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("pairs  "))
    return dict(zip(re.split(r"  +", lines[at]), re.split(r"  +", lines[at + 1].strip()), strict=True))


@pytest.mark.parametrize(("a", "b", "winner", "loser"), [("c1", "c0", "A", "B"), ("c0", "c1", "B", "A")])
def test_the_better_side_wins_whichever_letter_it_has(
    a: str, b: str, winner: str, loser: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(store, "--a", a, "--b", b, *TASK, "model.behaviour.review={catch: 1, false_alarm: 0}") == 0
    said = capsys.readouterr().out
    row = figures(said)
    assert row["pairs"] == "5" and int(row[f"{winner} better"]) >= 4 and row[f"{loser} better"] == "0"
    assert said.startswith("SIMULATED: the judge, side A, side B. What-if")
    head, *pairs, end = file_of(said)
    assert (head["a"]["cell_id"], head["b"]["cell_id"], head["simulated"]) == (a, b, True)
    assert head["config"]["grader"]["rubric"].startswith("An answer is as good") and head["model"] == "simulated"
    calls = [c for p in pairs for c in p["calls"]]
    assert end["end"] == "complete" and len(pairs) == 5
    tokens = sum(c["prompt_tokens"] + c["completion_tokens"] for c in calls)
    assert row["judge tokens"] == f"{tokens:,}" and end["tokens"] == tokens
    assert row["USD"] == f"{sum(c['cost_pusd'] for c in calls) / 1e12:,.4f}"
    shares = [s for p in pairs for s in p["shares"]]
    assert sum(s["tokens"] for s in shares) == tokens and {s["purpose"] for s in shares} == {"judge"}
    assert results.check(store).clean, "the store's own tables are as they were"


def test_the_same_verdicts_at_any_concurrency(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for concurrency in (1, 8):
        assert compare(store, "--a", "c0", "--b", "c1", *TASK, f"concurrency={concurrency}") == 0
        _, *pairs, _ = file_of(capsys.readouterr().out)
        found.append({p["sample_id"]: (p["outcome"], p["verdicts"], len(p["calls"])) for p in pairs})
    assert found[0] == found[1]


def test_a_judge_with_a_position_decides_nothing(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "judge.json"
    script.write_text(json.dumps(BIASED))
    assert compare(store, "--a", "c0", "--b", "c1", *TASK, "model=scripted", f"model.path={script}") == 0
    said = capsys.readouterr().out
    row = figures(said)
    assert (row["A better"], row["B better"], row["ties"], row["position-dependent"]) == ("0", "0", "5", "5")
    assert "verdicts: 10 for the answer shown first, 0 for the one shown second, 0 for neither" in said
    assert row["USD"] == "unknown", "a model without a price is never free"


def test_a_budget_ends_it_and_what_was_judged_is_kept(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--a", "c0", "--b", "c1", *TASK, "limits.experiment_tokens=3000", "concurrency=1")
    assert compare(store, *words) == 1
    said = capsys.readouterr().out
    assert re.search(r"^not judged: \d x limit: experiment_tokens: ", said, re.M)
    _, *pairs, end = file_of(said)
    assert end["end"] == "limit" and 0 < end["pairs"] < 5 and end["tokens"] >= 3000
    assert end["tokens"] == sum(c["prompt_tokens"] + c["completion_tokens"] for p in pairs for c in p["calls"])


def test_partners_that_are_missing_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second cell has no second epoch, and only three samples."""
    folder = tmp_path / "runs"
    words = ("topology=single", *TASK, f"store.dir={folder}", "summary=false", "progress=none")
    cells = "+cells=['epochs=2 ablate=a','task.limit=3 ablate=b']"
    assert run(["harness/__main__.py", *words, cells.lstrip("+")]) == 0
    capsys.readouterr()
    assert compare(folder, "--a", "c0", "--b", "c1", *TASK) == 0
    said = capsys.readouterr().out
    assert figures(said)["pairs"] == "3" and "not judged: 7 x no run of B" in said
    _, *pairs, _ = file_of(said)
    assert sum(p["outcome"] == "left out" for p in pairs) == 7 and len(pairs) == 10


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (("ok", "x"), ("limit", "y"), None),
        (("failed", ""), ("ok", "y"), "A failed"),
        (("error", ""), ("failed", ""), "A and B failed"),
        (("ok", "x" * ANSWER_CUT), ("ok", "y"), "an answer is cut at 20,000 characters"),
        (("ok", "x"), None, "no run of B"),
    ],
)
def test_what_cannot_be_judged(one: tuple[str, str], other: tuple[str, str] | None, why: str | None) -> None:
    rows = [None if r is None else {"status": r[0], "answer": r[1]} for r in (one, other)]
    assert _why_not(rows[0], rows[1]) == why


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--a", "c0", "--b", "c9", *TASK], "unknown cell or topology in --b 'c9'"),
        (["--a", "c0", "--b", "c0", *TASK], "the same cell (c0): name two"),
        (["--a", "single", "--b", "c0", *TASK], "is the topology of several cells: name one of them by its id (c0: {"),
        (["--a", "c0", "--b", "c1"], "is not in the task as it is set now. Give the words of the task"),
        (["--a", "c0", "--b", "c1", *TASK, "task.questions=3"], "is not what cell c0 was run on (material_hash"),
        (["--a", "c0", "--b", "c1", *TASK, "grader=suite"], "grader=suite is no judge"),
        (["--a", "c0", "--b", "c1", *TASK, "grader.votes=3"], "a pair is judged once in each order"),
        (["--a", "c0", "--b", "c1", *TASK, "grader.model=referee"], "unknown model in grader.model 'referee'"),
        (["--a", "c0", "--b", "c1", *TASK, "model.price=null", "limits.experiment_usd=1"], "could never trip"),
        (["--a", "c0", "--b", "c1", "-m", *TASK], "leave out -m"),
        (["--a", "c0"], "required: --b; --help shows"),
    ],
)
def test_wrong_usage_is_one_line_and_costs_nothing(
    words: list[str], said: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(store.rglob("*"))
    assert compare(store, *words) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("error: ") and told.err.count("\n") == 1
    assert said in told.err
    assert sorted(store.rglob("*")) == before
