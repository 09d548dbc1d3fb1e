"""Data that is not ours in the line format of jsonl: TAT-QA (a table and paragraphs, a question each line) and MuSiQue
(20 paragraphs, answers that take several of them).

The folder named by ``HARNESS_REAL_DATA`` holds the slices; they are not part of the product.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import results
from harness.entry.command import run
from tasks.jsonl import Jsonl

DATA = os.environ.get("HARNESS_REAL_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="HARNESS_REAL_DATA names no folder with the public data slices")


def source(name: str) -> list[dict[str, Any]]:
    with gzip.open(Path(str(DATA)) / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def tatqa() -> Iterator[dict[str, Any]]:
    """Every question with one answer: a span of the page, or a number with its scale."""
    for number, context in enumerate(source("tatqa/contexts.jsonl.gz")):
        table = "\n".join(" | ".join(row) for row in context["table"]["table"])
        paragraphs = [p["text"] for p in context["paragraphs"]]
        documents = [{"name": "table", "text": table}, {"name": "report.md", "text": "\n\n".join(paragraphs)}]
        for q in context["questions"]:
            line = {"id": q["uid"], "input": q["question"], "documents": documents, "cluster": f"context-{number}"}
            if q["answer_type"] in ("arithmetic", "count"):
                unit = {"percent": "%"}.get(q["scale"], q["scale"])
                yield {
                    **line,
                    "grader": "number",
                    "target": f"{q['answer']} {unit}".strip(),
                    "tags": [q["answer_type"]],
                }
            elif q["answer_type"] == "span":
                (target,) = q["answer"]
                places = [t for t in (*table.split("\n"), *paragraphs) if target in t]
                yield {**line, "target": target, "tags": ["span"], **({"evidence": places[0]} if places else {})}


def musique() -> Iterator[dict[str, Any]]:
    for q in source("musique/questions.jsonl.gz"):
        yield {
            "id": q["id"],
            "input": q["question"],
            "target": q["answer"],
            "aliases": q["answer_aliases"] or None,
            "documents": [
                {"name": f"{p['idx']:02} {p['title']}", "text": p["paragraph_text"]} for p in q["paragraphs"]
            ],
            "evidence": [p["paragraph_text"] for p in q["paragraphs"] if p["is_supporting"]],
            "cluster": q["id"].rsplit("_", 1)[1],  # the last step of the chain, which several questions share
            "tags": [q["id"].split("__")[0]],
            "metadata": {"decomposition": q["question_decomposition"]},
        }


@pytest.fixture(scope="module", params=[tatqa, musique], ids=["tatqa", "musique"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made: Path = tmp_path_factory.mktemp("data") / f"{request.param.__name__}.jsonl"
    made.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in request.param()), encoding="utf-8")
    return made


def test_canonical_answers_score_one_and_those_of_other_lines_nothing(path: Path) -> None:
    suite = Jsonl(path=str(path))
    ids = list(suite.sample_ids())
    assert len(ids) == {"tatqa": 733, "musique": 100}[path.stem]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    async def scores() -> list[tuple[float, ...]]:
        found = []
        for sample_id, row, other in zip(ids, rows, [*ids[1:], ids[0]], strict=True):
            sample = suite.sample(sample_id)
            answers = (suite.key(sample_id), str(row["target"]), suite.key(other), sample.statement, "")
            found.append(tuple([(await suite.grade(sample, answer)).score for answer in answers]))
        return found

    assert set(asyncio.run(scores())) == {(1.0, 1.0, 0.0, 0.0, 0.0)}
    clusters = {suite.sample(i).cluster_id for i in ids}
    assert len(clusters) == {"tatqa": 140, "musique": 75}[path.stem]


def test_topologies_run_on_it(path: Path, tmp_path: Path) -> None:
    words = ["-m", "topology=single,sync", "task=jsonl", f"task.path={path}", "task.limit=5", "task.shuffle=true"]
    assert run(["harness/__main__.py", *words, f"store.dir={tmp_path}", "summary=false", "progress=none"]) == 0
    rows = results.load(tmp_path).runs
    assert len(rows) == 10 and set(rows["status"]) == {"ok"}
    assert rows["score"].isin([0, 1]).all()
    assert rows.loc[rows["topology"] == "single", "score"].mean() >= 0.6
    assert results.check(tmp_path).clean
