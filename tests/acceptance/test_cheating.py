"""What is no answer scores nothing, whichever way it is handed in."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.agents.tools import Arguments
from tasks.qa_corpus import QaCorpus

from .commands import each, here

CORPORA: dict[str, dict[str, Any]] = {"python_docs": {"docs": 4}, "generated": {"docs": 4, "samples": 3}}
Entries = list[dict[str, Any]]


@pytest.fixture(scope="module", params=CORPORA)
def suite(request: pytest.FixtureRequest) -> QaCorpus:
    made = QaCorpus(corpus=request.param, **CORPORA[request.param])
    made.load()
    return made


def score(suite: QaCorpus, folder: Path, answer: str) -> float:
    """What the command gives for this text as the only thing that a single agent ever says, on the first sample."""
    script = folder / "script.yaml"
    script.write_text(yaml.safe_dump({"conversations": [{"steps": [{"text": answer}]}]}, allow_unicode=True))
    words = [f"task.corpus={suite.corpus}", f"task.docs={suite.docs}"]
    words += [] if suite.samples is None else [f"task.samples={suite.samples}"]
    found = here(
        folder / "runs", "topology=single", "task=qa_corpus", *words, "task.limit=1",
        "model=scripted", f"model.path={script}",
    )  # fmt: skip
    (run,) = each(found.runs)
    assert run.status == "ok", run.error
    assert run.sample_id == first(suite)
    return float(run.score)


def first(suite: QaCorpus) -> str:
    return suite.sample_ids()[0]


def key(suite: QaCorpus, number: int = 0) -> Entries:
    """The right entries of a sample."""
    entries: Entries = json.loads(suite.key(suite.sample_ids()[number]))
    return entries


def candidates(suite: QaCorpus, question: str) -> Entries:
    """The right entry among all the plausible ones."""
    item = suite.oracle().lookup(question)
    assert item is not None
    return [dict(e) for e in (*item.wrong, item.right, *(entry for _, entry in item.mixups))]


async def dump(suite: QaCorpus) -> str:
    """All documents of the first sample, read with the sample's own tools."""
    sample = suite.sample(first(suite))
    tools = {t.name: t.run for t in suite.tools(sample)}
    names = [line.split()[1] for line in sample.statement.splitlines() if line.startswith("- ")]
    return "\n\n".join([str(await tools["read_document"](Arguments(document=name))) for name in names])


def text(entries: Entries) -> str:
    return json.dumps(entries, ensure_ascii=False)


def test_the_key_scores_one(suite: QaCorpus, tmp_path: Path) -> None:
    """So every zero below has to do with what was handed in."""
    assert score(suite, tmp_path, f"Here it is:\n```json\n{text(key(suite))}\n```") == 1.0


@pytest.mark.parametrize("answer", ["", " \n", "[]", "null", "I do not know.", "[{}]", "{"])
def test_nothing(suite: QaCorpus, tmp_path: Path, answer: str) -> None:
    assert score(suite, tmp_path, answer) == 0.0


def test_the_whole_corpus(suite: QaCorpus, tmp_path: Path) -> None:
    everything = asyncio.run(dump(suite))
    assert all(str(e["answer"]) in " ".join(everything.split()) for e in key(suite)[:1])
    assert score(suite, tmp_path, everything) == 0.0
    stuffed = text([{**e, "answer": everything} for e in key(suite)])
    assert score(suite, tmp_path, stuffed) == 0.0


def test_all_candidates(suite: QaCorpus, tmp_path: Path) -> None:
    several = [(e, candidates(suite, str(e["question"]))) for e in key(suite)]
    assert any(len(found) > 2 for _, found in several)
    apart = [c for e, found in several for c in (found if len(found) > 1 else [e, {**e, "answer": "none"}])]
    assert score(suite, tmp_path, text(apart)) == 0.0, "as entries of their own"
    arrays = "\n".join(text([c]) for c in apart)
    assert score(suite, tmp_path, arrays) == 0.0, "as arrays of their own"
    every = [str(e["answer"]) for e in apart]
    joined = [{**e, "answer": "; ".join(dict.fromkeys(every))} for e in key(suite)]
    assert score(suite, tmp_path, text(joined)) == 0.0, "in one answer"
    listed = [{**e, "answer": list(dict.fromkeys(every))} for e in key(suite)]
    assert score(suite, tmp_path, text(listed)) == 0.0, "as a list"


def test_all_places(suite: QaCorpus, tmp_path: Path) -> None:
    """The right answers, with every section cited."""
    names = sorted({str(e["clause_ref"]).rpartition(" ")[0] for e in key(suite)})
    places = [f"{name} §{n}" for name in names for n in range(1, 30)]
    joined = [{**e, "clause_ref": ", ".join(places)} for e in key(suite)]
    assert score(suite, tmp_path, text(joined)) == 0.0
    apart = [{**e, "clause_ref": place} for e in key(suite) for place in places]
    assert score(suite, tmp_path, text(apart)) == 0.0


def test_another_samples_key(suite: QaCorpus, tmp_path: Path) -> None:
    assert score(suite, tmp_path, suite.key(suite.sample_ids()[1])) == 0.0
    borrowed = [
        {**mine, "answer": other["answer"], "clause_ref": other["clause_ref"]}
        for mine, other in zip(key(suite), key(suite, 1), strict=False)
    ]
    assert score(suite, tmp_path, text(borrowed)) == 0.0, "under this sample's questions"
