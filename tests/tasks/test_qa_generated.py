"""The generator of messy documents."""

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.common.scans import scanned
from tasks.qa_corpus.corpora.generated.chinese import CHINESE
from tasks.qa_corpus.corpora.generated.corpus import GeneratedCorpus
from tasks.qa_corpus.corpora.generated.directory import Directory
from tasks.qa_corpus.corpora.generated.english import ENGLISH
from tasks.qa_corpus.corpora.generated.lexicon import Lexicon

BOTH = ("en", "zh")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([ENGLISH, CHINESE]), st.integers(0, 2**40), st.integers(0, 20_000), st.integers(0, 3))
def test_a_company_is_found_again_from_its_question(lexicon: Lexicon, seed: int, number: int, kind: int) -> None:
    directory = Directory(lexicon, seed)
    text = directory.question(number, 2017, lexicon.kinds[kind], "what now?")
    asked = directory.parse(text)
    assert asked is not None
    assert (asked.company, asked.year, asked.kind, asked.ask) == (number, 2017, lexicon.kinds[kind].name, "what now?")


@pytest.mark.parametrize("lexicon", [ENGLISH, CHINESE])
def test_no_two_companies_share_a_name(lexicon: Lexicon) -> None:
    directory = Directory(lexicon, 7)
    count = 2 * lexicon.combinations + 10
    assert len({directory.name(n) for n in range(count)}) == count


def test_any_document_can_be_made_alone_and_comes_out_the_same() -> None:
    whole = GeneratedCorpus(3, 13, 5, BOTH, 2).bundle(2)
    for document in whole.documents[::-1]:
        alone = GeneratedCorpus(3, 13, 5, BOTH, 2).document(2, document.name)
        assert alone == document


def test_every_document_is_asked_about_and_its_evidence_stands_once_and_clean() -> None:
    bundle = GeneratedCorpus(1, 40, 0, BOTH, 3).bundle(0)
    assert {q.document for q in bundle.questions} == {d.name for d in bundle.documents}
    assert len({q.text for q in bundle.questions}) == 3 * 40
    text = "\n".join(d.text for d in bundle.documents)
    for question in bundle.questions:
        assert question.answer in question.evidence
        assert text.count(question.evidence) == 1
        assert len(bundle.places(question)) == 1


def test_file_names_and_questions_are_unique_over_the_corpus() -> None:
    corpus = GeneratedCorpus(6, 9, 1, BOTH, 4)
    bundles = [corpus.bundle(i) for i in range(6)]
    names = [d.name for b in bundles for d in b.documents]
    texts = [q.text for b in bundles for q in b.questions]
    assert len(set(names)) == 54 and len(set(texts)) == 4 * 54


def test_both_languages_appear_and_one_can_be_had_alone() -> None:
    def chinese(corpus: GeneratedCorpus) -> set[bool]:
        return {"年" in d.title for d in corpus.bundle(0).documents}

    assert chinese(GeneratedCorpus(1, 8, 0, BOTH, 1)) == {True, False}
    assert chinese(GeneratedCorpus(1, 8, 0, ("en",), 1)) == {False}


def test_the_same_fact_of_the_other_year_is_there_to_be_mixed_up() -> None:
    corpus = GeneratedCorpus(1, 8, 0, BOTH, 1)
    bundle = corpus.bundle(0)
    for question in bundle.questions:
        similar = corpus.similar(0, question)
        assert similar and all(other.answer != question.answer for other in similar)
        assert similar[0].evidence in bundle.by_name[similar[0].document].text


def test_locating_knows_only_what_is_asked() -> None:
    corpus = GeneratedCorpus(2, 8, 0, BOTH, 1)
    asked = {q.text for i in range(2) for q in corpus.bundle(i).questions}
    more = {q.text for i in range(2) for q in GeneratedCorpus(2, 8, 0, BOTH, 4).bundle(i).questions}
    assert asked < more
    assert all(corpus.locate(text) is not None for text in asked)
    assert all(corpus.locate(text) is None for text in more - asked)
    beyond = GeneratedCorpus(3, 8, 0, BOTH, 1).bundle(2).questions[0].text
    assert corpus.locate(beyond) is None


def test_noise_happens_and_depends_on_its_key_only() -> None:
    sentence = ENGLISH.filler[0][1][0]
    made = [scanned(sentence, ENGLISH, i) for i in range(100)]
    assert made == [scanned(sentence, ENGLISH, i) for i in range(100)]
    assert 0.3 < sum(text != sentence for text in made) / 100 < 0.95
    assert len(set(made)) > 30


def test_memory_stays_flat_over_samples() -> None:
    corpus = GeneratedCorpus(40, 20, 0, BOTH, 2)
    corpus.bundle(0)
    tracemalloc.start()
    try:
        for i in range(1, 10):
            corpus.bundle(i)
        early = tracemalloc.get_traced_memory()[0]
        for i in range(10, 40):
            corpus.bundle(i)
        late = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert late - early < 200_000
