"""The questions written for CPython's reference topics."""

import json
import logging
import re
import sys
from importlib import resources
from pydoc_data.topics import topics
from typing import Any

import pytest

from harness.errors import CorpusError
from tasks.common.documents import flat
from tasks.common.texts import normalise
from tasks.qa_corpus.answers import accepted_wrong, is_right
from tasks.qa_corpus.corpora import python_docs

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in resources.files("tasks.qa_corpus.corpora")
    .joinpath(python_docs.QUESTIONS)
    .read_text("utf-8")
    .splitlines()
]


def test_at_least_eighty_questions_over_most_topics_hold_on_this_python() -> None:
    questions, _ = python_docs.verified(topics)
    assert len(questions) >= 80
    assert len({q.document for q in questions}) >= 60


def test_the_figures_of_the_readme() -> None:
    assert len(ROWS) == 148
    if sys.version_info < (3, 14):
        assert len(topics) == 79


def test_every_question_is_accounted_for() -> None:
    questions, absent = python_docs.verified(topics)
    assert sorted([q.text for q in questions] + absent) == sorted(row["question"] for row in ROWS)


def test_no_text_of_the_documentation_ships_beyond_anchors_and_short_answers() -> None:
    for row in ROWS:
        assert len(row["anchor"].split()) <= 8, row["anchor"]
        assert len(row["answer"]) <= 40, row["answer"]
        assert set(row) <= {"topic", "question", "answer", "aliases", "wrong", "kind", "units", "anchor", "sha256"}


def test_keys_are_sound() -> None:
    questions, _ = python_docs.verified(topics)
    assert len({normalise(q.text) for q in questions}) == len(questions)
    for question in questions:
        assert 2 <= len(question.wrong) <= 3
        assert not accepted_wrong(question, question.wrong), question.text
        assert is_right(question, question.answer)


def test_the_answer_stands_in_its_span() -> None:
    """The key or another accepted wording is literally in the evidence (quotation marks and emphasis aside)."""
    for question in python_docs.verified(topics)[0]:
        span = flat(question.evidence).casefold().translate(dict.fromkeys(map(ord, '"*')))
        wordings = [w.casefold().replace('"', "").replace("*", "") for w in (question.answer, *question.aliases)]
        assert any(w in span for w in wordings), question.text


def test_a_question_whose_span_is_absent_is_left_out_counted_and_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(python_docs.verified(topics)[1])
    monkeypatch.setitem(topics, "pass", topics["pass"].replace("null operation", "void operation"))
    with caplog.at_level(logging.WARNING):
        corpus = python_docs.load(8, 0)
    lost = 'What kind of operation is the "pass" statement said to be?'
    assert corpus.locate(lost) is None
    assert len(caplog.messages) == 1
    assert re.search(rf"{before + 1} of {len(ROWS)} questions are left out.*{re.escape(lost)}", caplog.messages[0])


def test_rewrapping_a_topic_does_not_lose_its_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = len(python_docs.verified(topics)[0])
    rewrapped = {name: text.replace("\n   ", "\n        ") for name, text in topics.items()}
    assert len(python_docs.verified(rewrapped)[0]) == before


@pytest.mark.parametrize("docs", [1, 2, 4, 8, 16, 39, 79])
def test_samples_are_disjoint_whole_and_asked_about(docs: int) -> None:
    corpus = python_docs.load(docs, 3)
    bundles = [corpus.bundle(i) for i in range(corpus.sample_count)]
    names = [d.name for bundle in bundles for d in bundle.documents]
    assert len(names) == len(set(names))
    assert all(len(bundle.documents) == docs for bundle in bundles)
    assert all(len(bundle.questions) >= min(2, docs) for bundle in bundles)
    asked_about = {q.document for q in python_docs.verified(topics)[0]}
    assert corpus.sample_count == (len(asked_about) if docs == 1 else len(topics) // docs)


def test_more_documents_than_topics_is_an_error() -> None:
    with pytest.raises(CorpusError, match=f"holds: {len(topics)} documents"):
        python_docs.load(len(topics) + 1, 0)


def test_another_seed_makes_other_samples() -> None:
    first, second = ([d.name for d in python_docs.load(8, seed).bundle(0).documents] for seed in (0, 1))
    assert first != second
