"""The visible tests: the key passes them on every material, what anybody can see to be wrong does not, and no more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import pytest

from harness.suite import Sample
from tasks.common.documents import Document
from tasks.qa_corpus import QaCorpus
from tasks.qa_corpus.questions import Question
from tasks.qa_corpus.visible import VisibleTests

DOCUMENTS = (
    Document("Site log.txt", "Site log", ("The pump gives 1,200 litres an hour.", "Three men, led by Jo Ahlberg.")),
    Document("合同.md", "合同", ("收到发票后 45 天 内付清，共 12.50 万元。",)),
)
PUMP = Question("What does the pump give?", "1,200 litres an hour", "Site log.txt", "1,200 litres an hour")
LEADER = Question("Who led them?", "Jo Ahlberg", "Site log.txt", "led by Jo Ahlberg", wrong=("Jo Berg",))
DUE = Question("付款期限是多久？", "45 天", "合同.md", "收到发票后 45 天 内付清")
TESTS = VisibleTests((PUMP.text, LEADER.text, DUE.text), DOCUMENTS)
PLACES = {PUMP: "Site log.txt §1", LEADER: "Site log.txt §2", DUE: "合同.md §1"}


def failures(sample: Sample, answer: str) -> Sequence[str]:
    assert sample.visible is not None
    return asyncio.run(_run(sample, answer))


async def _run(sample: Sample, answer: str) -> Sequence[str]:
    assert sample.visible is not None
    return await sample.visible(answer)


def entries(**changes: Any) -> list[dict[str, Any]]:
    """The key, with the pump's entry changed."""
    made: list[dict[str, Any]] = [q.entry(q.answer, place) for q, place in PLACES.items()]
    made[0] |= changes
    return made


def said(answer: object) -> list[str]:
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return list(asyncio.run(_called(text)))


async def _called(text: str) -> Sequence[str]:
    return await TESTS(text)


@pytest.mark.parametrize(
    "options",
    [
        *({"docs": docs, "seed": seed} for docs in (1, 8, 79) for seed in (0, 1)),
        {"corpus": "generated", "samples": 40, "questions": 4},
        {"corpus": "generated", "samples": 20, "languages": ["zh"], "questions": 4, "seed": 3},
        {"corpus": "generated", "samples": 20, "languages": ["en"], "questions": 4, "seed": 3},
    ],
    ids=str,
)
def test_the_key_passes_on_all_that_is_shipped(options: dict[str, Any]) -> None:
    suite = QaCorpus(**options)
    told = [failure for i in suite.sample_ids() for failure in failures(suite.sample(i), suite.key(i))]
    assert told == []


def test_they_know_no_key() -> None:
    """An answer that stands in the section it cites passes, right or wrong; and there is no key in what they have."""
    wrong = entries(answer="The pump", clause_ref="Site log.txt §1")
    assert said(wrong) == []
    suite = QaCorpus(corpus="generated", samples=1)
    tests = suite.sample(suite.sample_ids()[0]).visible
    assert isinstance(tests, VisibleTests)
    assert {type(v) for v in (*tests.questions, *tests.documents)} == {str, Document}
    assert {f.name for f in fields(tests)} == {"questions", "documents"}


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("1200 litres an hour", "[site log.txt, section 1]"),  # by value, and as anybody may cite
        (1200, "Site log.txt §1"),
        ("the PUMP gives “1,200 litres”", "§1 of Site log.txt"),
        ("3 men", "Site log.txt §2"),  # a number that is written as a word
        ("men who were led by Ahlberg", None),
        ("it is led by Ahlberg", "Site log.txt §2"),
        ("12.5 万元", "合同.md §1"),
        ("45天", "合同.md §1"),
    ],
)
def test_what_stands_in_its_section_passes(answer: object, place: str | None) -> None:
    told = said(entries(answer=answer, clause_ref=place or "Site log.txt §2"))
    assert (told == []) is (place is not None), told


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("", "the answer holds no JSON array"),
        ("I do not know.", "the answer holds no JSON array"),
        (json.dumps({"question": PUMP.text}), "the answer holds no JSON array"),
        ("[" * 5000, "the answer holds no JSON array"),
        (entries()[1:], "no entry: 'What does the pump give?'"),
        ([*entries(), entries()[0]], "2 entries instead of one: 'What does"),
        (entries(answer=None, clause_ref=None), "no answer: "),
        (entries(answer=""), "no answer: "),
        (entries(answer=" "), "is no text"),
        (entries(answer=["1,200"]), "is no text"),
        (entries(answer=True), "is no text"),
        (entries(clause_ref=None), "the clause_ref None names no section"),
        (entries(clause_ref="Site log.txt §3"), "'Site log.txt §3' names no section"),
        (entries(clause_ref="Site log.txt §0"), "names no section"),
        (entries(clause_ref="log.txt §1"), "names no section"),
        (entries(clause_ref="Site log.txt"), "names no section"),
        (entries(clause_ref="Site log.txt §2"), "the answer '1,200 litres an hour' does not stand in "),
        (entries(answer="200 litres an hour"), "does not stand in"),  # a piece of a longer number
        (entries(answer="1,300 litres an hour"), "does not stand in"),
        (entries(answer="12.05 万元", clause_ref="合同.md §1"), "does not stand in"),
        (entries(answer="54 天", clause_ref="合同.md §1"), "does not stand in"),
        (entries(answer="天内票", clause_ref="合同.md §1"), "does not stand in"),
    ],
)  # fmt: skip
def test_what_anybody_can_see_to_be_wrong_fails(answer: object, fault: str) -> None:
    told = said(answer)
    assert len(told) == 1 and fault in told[0], told


def test_each_question_has_its_own_failure() -> None:
    assert [f.partition(":")[0] for f in said([entries()[1] | {"answer": "Jo Berg"}])] == [
        "no entry", "the answer 'Jo Berg' does not stand in 'Site log.txt §2'", "no entry",
    ]  # fmt: skip


def test_they_are_no_material() -> None:
    """The hash by which runs are paired, as it was before there were visible tests."""
    suite = QaCorpus(docs=4)
    sample = suite.sample(suite.sample_ids()[3])
    assert sample.material_hash == "41f5fc32241c27cb6dc374908f3147c6cf1075eb71834c8698e68fa8210c36d6"
    assert sample == QaCorpus(docs=4).sample(sample.id)
