"""math on GSM8K itself: 300 problems of its test set.

The folder named by ``HARNESS_REAL_DATA`` holds the slice; it is not part of the product.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path

import pytest

import results
from harness.entry.command import run
from tasks.math import Math

DATA = os.environ.get("HARNESS_REAL_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="HARNESS_REAL_DATA names no folder with the public data slices")
FILE = Path(str(DATA)) / "gsm8k" / "problems.jsonl"


@pytest.fixture(scope="module")
def suite() -> Math:
    made = Math(path=str(FILE))
    made.load()
    return made


def solutions() -> list[str]:
    return [json.loads(line)["answer"] for line in FILE.read_text(encoding="utf-8").splitlines()]


def score(suite: Math, sample_id: str, answer: str) -> float:
    return asyncio.run(suite.grade(suite.sample(sample_id), answer)).score


def test_all_keys_parse_to_the_number_that_the_file_states(suite: Math) -> None:
    ids = suite.sample_ids()
    assert len(ids) == 300
    for sample_id, solution in zip(ids, solutions(), strict=True):
        (problem,) = suite.problem(sample_id)
        stated = solution.rsplit("####", 1)[1].strip().replace(",", "")
        assert re.fullmatch(r"-?\d+", stated), "this slice has whole numbers only"
        assert problem.answer == int(stated)
        assert len(problem.wrong) == 3 and problem.answer not in problem.wrong


def test_keys_and_worked_solutions_score_one_and_another_problem_s_nothing(suite: Math) -> None:
    """Another problem's bare number is right where it is the same number, as it must be."""
    ids = list(suite.sample_ids())
    answers = [suite.problem(i)[0].answer for i in ids]
    told = solutions()
    for n, sample_id in enumerate(ids):
        other = (n + 1) % len(ids)
        assert score(suite, sample_id, suite.key(sample_id)) == 1
        assert score(suite, sample_id, told[n]) == 1
        work = told[n].rsplit("####", 1)[0]
        assert score(suite, sample_id, f"{work}So the answer is 7 + 5 = 12.\n{suite.key(sample_id)}") == 1
        assert score(suite, sample_id, f"#### ${int(answers[n]):,}.00 in all") == 1
        assert score(suite, sample_id, suite.key(ids[other])) == 0
        assert score(suite, sample_id, told[other]) == (answers[n] == answers[other])


def test_a_run_on_five_problems(tmp_path: Path) -> None:
    words = ["topology=single", "task=math", f"task.path={FILE}", "task.limit=5", f"store.dir={tmp_path}", "bus=memory"]
    assert run(["harness/__main__.py", *words, "summary=false", "progress=none"]) == 0
    rows = results.load(tmp_path).runs
    assert sorted(rows["sample_id"]) == [f"math-1-problems-{n:03d}" for n in range(5)]
    assert set(rows["status"]) == {"ok"} and rows["score"].isin([0, 1]).all() and rows["score"].mean() >= 0.6
    assert results.check(tmp_path).clean
