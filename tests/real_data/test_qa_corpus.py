"""qa_corpus on real documents that are not ours: pages of financial reports from TAT-QA, as a user's own folder.

The folder named by ``HARNESS_REAL_DATA`` holds the slice; it is not part of the product.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import results
from harness.suite import Sample
from tasks.qa_corpus import QaCorpus

DATA = os.environ.get("HARNESS_REAL_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="HARNESS_REAL_DATA names no folder with the public data slices")
DOCS = 7


def _page(context: dict[str, Any]) -> str:
    rows = "\n".join(" | ".join(row) for row in context["table"]["table"])
    return "\n\n".join([*(p["text"] for p in context["paragraphs"]), rows])


def _evidence(page: str, answer: str) -> str | None:
    """The one line that holds the answer; None if several do, or none."""
    lines = [line for line in page.split("\n") if answer in line]
    return lines[0] if len(lines) == 1 else None


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every page with its questions whose answer is one short span of one line."""
    made = tmp_path_factory.mktemp("reports") / "tatqa"
    made.mkdir()
    asked: set[str] = set()
    lines = []
    with gzip.open(Path(str(DATA)) / "tatqa" / "contexts.jsonl.gz", "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            context = json.loads(line)
            page, name = _page(context), f"report-{number:03}.txt"
            (made / name).write_text(page, encoding="utf-8")
            for q in context["questions"]:
                if q["answer_type"] != "span" or len(q["answer"]) != 1 or len(q["answer"][0]) > 60:
                    continue
                evidence = _evidence(page, q["answer"][0])
                if evidence and q["question"] not in asked:
                    asked.add(q["question"])
                    entry = {
                        "question": q["question"],
                        "answer": q["answer"][0],
                        "document": name,
                        "evidence": evidence,
                    }
                    lines.append(json.dumps(entry, ensure_ascii=False))
    (made / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return made


async def _visible(sample: Sample, answer: str) -> list[str]:
    return [] if sample.visible is None else list(await sample.visible(answer))


def test_the_gold_answers_score_one_and_another_sample_s_score_nothing(folder: Path) -> None:
    suite = QaCorpus(corpus=str(folder), docs=DOCS)
    suite.load()
    ids = list(suite.sample_ids())
    assert len(ids) == 140 // DOCS
    for one, other in zip(ids, [*ids[1:], ids[0]], strict=True):
        sample = suite.sample(one)
        assert asyncio.run(suite.grade(sample, suite.key(one))).score == 1.0
        assert asyncio.run(suite.grade(sample, suite.key(other))).score == 0.0
        assert asyncio.run(_visible(sample, suite.key(one))) == []
        assert asyncio.run(_visible(sample, suite.key(other))) != []


def test_both_topologies_run_on_it(folder: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "harness",
        "-m",
        "topology=single,bus",
        f"task.corpus={folder}",
        f"task.docs={DOCS}",
    ]
    done = subprocess.run(
        [*command, "task.limit=4", f"store.dir={tmp_path}", "bus=memory"],
        capture_output=True,
        text=True,
        timeout=100,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    assert results.check(tmp_path).clean
    runs = results.load(tmp_path).runs
    assert len(runs) == 8 and set(runs["status"]) == {"ok"}
    assert (runs["score"] > 0).all()
