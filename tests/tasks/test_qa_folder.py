"""A corpus folder of one's own."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.lines import write

from harness.errors import CorpusError
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour
from harness.testing.runs import cell, records
from tasks.qa_corpus import QaCorpus
from tasks.qa_corpus.corpora import folder
from topologies.single import Single

LINE: dict[str, Any] = {
    "question": "付款期限是多久？",
    "answer": "45 天",
    "document": "合同 2023.md",
    "evidence": "收到发票后 45 天 内付清",
    "number": 45,
    "unit": "天",
    "wrong": ["60 天"],
}
SECOND: dict[str, Any] = {
    "question": "Who signed?",
    "answer": "Ms Keller",
    "document": "notes.html",
    "evidence": "signed by Ms  Keller",
}


def filled(path: Path, *lines: object) -> Path:
    (path / "合同 2023.md").write_text("# 合同\n\n第4条 收到发票后\n45 天 内付清。\n", encoding="utf-8")
    (path / "notes.html").write_text("<title>Notes</title><p>It was signed by Ms\nKeller.</p>", encoding="utf-8")
    write(path / "questions.jsonl", *lines)
    return path


@pytest.mark.parametrize(
    "name", ["d[1].md", "b'c.txt", "x; rm -rf.MD", "Report (final).html", "合同（2020）.md", "a,b.txt"]
)
def test_a_document_with_any_name_can_be_read_by_whoever_works_from_text(tmp_path: Path, name: str) -> None:
    """The simulated model finds names in prose; one that a bracket or a quote would cut short finds nothing."""
    (tmp_path / name).write_text("# Pump\n\nThe north pump delivers 340 litres.", encoding="utf-8")
    asked = {"question": "What does it deliver?", "answer": "340 litres", "document": name, "evidence": "340 litres"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    suite = QaCorpus(corpus=str(tmp_path), docs=1)
    model = SimulatedModel(behaviour=Behaviour(answering=Answering(accuracy=1, spread=0)))
    model.consult(suite.oracle())
    (record,) = records(cell(Single(), model, suite=suite))
    assert (record.run.status, record.run.score) == ("ok", 1.0), record.run.answer


def test_a_folder_becomes_samples(tmp_path: Path) -> None:
    corpus = folder.load(filled(tmp_path, LINE, "", SECOND), docs=2, seed=0)
    assert corpus.sample_count == 1
    bundle = corpus.bundle(0)
    assert {d.name: d.title for d in bundle.documents} == {"合同_2023.md": "合同", "notes.html": "Notes"}
    assert {q.text: bundle.places(q) for q in bundle.questions} == {
        "付款期限是多久？": [("合同_2023.md", 1)],
        "Who signed?": [("notes.html", 1)],
    }


def test_evidence_is_kept_as_it_stands_in_the_document(tmp_path: Path) -> None:
    corpus = folder.load(filled(tmp_path, LINE, SECOND), docs=2, seed=0)
    located = corpus.locate("付款期限是多久？")
    assert located is not None and located[1].evidence == "收到发票后\n45 天 内付清"


def problems(path: Path) -> list[str]:
    with pytest.raises(CorpusError) as caught:
        folder.load(path, docs=1, seed=0)
    found: list[str] = caught.value.facts["problems"]
    assert all(problem in str(caught.value) for problem in found)
    return found


def test_everything_wrong_is_reported_by_line_in_one_error(tmp_path: Path) -> None:
    filled(
        tmp_path,
        "{not json",
        "[]",
        {**LINE, "question": ""},
        {**LINE, "document": "notes.htm"},
        {**LINE, "evidence": "nowhere"},
        {**LINE, "answers": "x"},
        {**LINE, "wrong": ["60 天", "45天"]},
        {**LINE, "question": "x?", "number": "many"},
        {**LINE, "question": "y?", "number": 46},
        LINE,
        {**LINE, "question": "付款期限是多久?"},
        {**SECOND, "unit": "days"},
        {**SECOND, "aliases": "Keller"},
    )
    found = problems(tmp_path)
    lines = [int(problem.split(":")[1]) for problem in found]
    assert sorted(set(lines)) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    text = "\n".join(found)
    for expected in ("not JSON", "'question' must be", "Did you mean 'notes.html'", "not a quote", "unknown key"):
        assert expected in text
    for expected in ("which is right", "finite number", "is not the number 46", "again", "needs a 'number'", "list of"):
        assert expected in text


def test_a_file_that_is_not_utf8_is_named_with_the_place(tmp_path: Path) -> None:
    filled(tmp_path, LINE)
    (tmp_path / "old.txt").write_bytes("Grüße".encode("latin-1"))
    assert problems(tmp_path) == ["old.txt: byte 2 is not UTF-8; save the file as UTF-8"]


def test_missing_questions_and_empty_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("  \n", encoding="utf-8")
    found = problems(tmp_path)
    assert found[0].startswith("a.txt: the file holds no text")
    assert found[1].startswith("questions.jsonl: missing")


def test_an_empty_and_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="holds no document"):
        folder.load(tmp_path, docs=1, seed=0)
    with pytest.raises(CorpusError, match="python_docs, generated, or the path"):
        folder.load(tmp_path / "absent", docs=1, seed=0)


def test_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    filled(tmp_path, LINE)
    (tmp_path / "Notes.HTML").write_text("x", encoding="utf-8")
    if len(list(tmp_path.iterdir())) < 4:
        pytest.skip("this file system does not tell names by case")
    assert "cannot be told from" in problems(tmp_path)[0]


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    filled(tmp_path, LINE, SECOND)
    (tmp_path / "notes.txt").write_text("# Title\n\nbody", encoding="utf-8-sig")
    corpus = folder.load(tmp_path, docs=3, seed=0)
    assert "Title" in {d.title for d in corpus.bundle(0).documents}


def test_too_few_questions_for_a_sample(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="too few questions"):
        folder.load(filled(tmp_path, LINE), docs=2, seed=0)


def test_the_suite_names_samples_after_the_folder(tmp_path: Path) -> None:
    home = tmp_path / "my corpus"
    home.mkdir()
    suite = QaCorpus(corpus=str(filled(home, LINE, SECOND)), docs=1)
    assert suite.sample_ids() == ["my-corpus-1-s0-00", "my-corpus-1-s0-01"]


def test_its_key_passes_the_visible_tests(tmp_path: Path) -> None:
    suite = QaCorpus(corpus=str(filled(tmp_path, LINE, SECOND)), docs=2)
    (sample_id,) = suite.sample_ids()
    tests = suite.sample(sample_id).visible
    assert tests is not None

    async def told(answer: str) -> list[str]:
        return list(await tests(answer))

    assert asyncio.run(told(suite.key(sample_id))) == []
    (failure,) = asyncio.run(told(suite.key(sample_id).replace("45", "54")))
    assert failure.startswith("the answer '54 天' does not stand in '合同_2023.md §1'")
