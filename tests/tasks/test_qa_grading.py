"""The grader on a sample small enough to check by hand."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.common.documents import Document
from tasks.qa_corpus.grading import grade
from tasks.qa_corpus.questions import Bundle, Question

PAYMENT = Question("When is payment due?", "45 days", "a.txt", "due in 45 days", number=Decimal(45), units=("days",))
PLACE = Question("Where is the meeting?", "Harbor Hall", "b.txt", "meet in Harbor Hall")
BUNDLE = Bundle(
    (
        Document("a.txt", "A", ("Invoices are due in 45 days.", "Drafts said 60 days.")),
        Document("b.txt", "B", ("They will meet in Harbor Hall.", "Invoices are due in 45 days.")),
    ),
    (PAYMENT, PLACE),
    overlapping=True,
)
KEY = [
    {"question": PAYMENT.text, "answer": "45 days", "clause_ref": "a.txt §1"},
    {"question": PLACE.text, "answer": "Harbor Hall", "clause_ref": "b.txt §1"},
]


def score(entries: object) -> float:
    return grade(BUNDLE, entries if isinstance(entries, str) else json.dumps(entries)).score


def test_the_key_scores_one() -> None:
    assert list(BUNDLE.key()) == KEY
    assert score(KEY) == 1.0


def test_each_way_to_be_wrong_is_counted_by_name() -> None:
    found = grade(BUNDLE, json.dumps([{**KEY[0], "answer": "60 days"}, {**KEY[1], "clause_ref": "b.txt §2"}]))
    assert found.score == 0.0
    counts = {name: found.detail[name] for name in ("right", "wrong_answer", "wrong_reference", "missing")}
    assert counts == {"right": 0, "wrong_answer": 1, "wrong_reference": 1, "missing": 0}
    assert [r["outcome"] for r in found.detail["questions"]] == ["wrong_answer", "wrong_reference"]


def test_null_and_absence_are_missing() -> None:
    found = grade(BUNDLE, json.dumps([{**KEY[0], "answer": None, "clause_ref": None}]))
    assert found.detail["missing"] == 2


def test_a_passage_that_stands_in_two_documents_can_be_cited_from_either() -> None:
    assert score([{**KEY[0], "clause_ref": "b.txt §2"}, KEY[1]]) == 1.0


@pytest.mark.parametrize(
    "wrapped",
    [
        "```json\n{}\n```",
        "Here is the result [see below]:\n{}\nDone.",
        '{{"entries": {}}}',
        "  {}  ",
    ],
)
def test_text_around_the_array_does_no_harm(wrapped: str) -> None:
    assert score(wrapped.format(json.dumps(KEY))) == 1.0


def test_question_wording_may_carry_its_number_but_must_be_the_question() -> None:
    assert score([{**KEY[0], "question": "1. when is payment due"}, KEY[1]]) == 1.0
    assert score([{**KEY[0], "question": "Payment due?"}, KEY[1]]) == 0.5


def test_several_entries_for_a_question_must_agree() -> None:
    assert score([*KEY, KEY[0]]) == 1.0
    assert score([*KEY, {**KEY[0], "answer": "60 days"}]) == 0.5
    assert score([*KEY, {**KEY[0], "clause_ref": "a.txt §2"}]) == 0.5
    assert score([*KEY, {**KEY[0], "answer": None}]) == 0.5
    assert score(json.dumps([{**KEY[0], "answer": "60 days"}]) + json.dumps(KEY)) == 0.5


def test_a_list_of_all_candidate_answers_scores_nothing() -> None:
    candidates = ["45 days", "60 days", "Harbor Hall"]
    assert score([{**entry, "answer": c} for entry in KEY for c in candidates]) == 0.0
    assert score([{**entry, "answer": candidates} for entry in KEY]) == 0.0
    assert score([{**entry, "answer": " / ".join(candidates)} for entry in KEY]) == 0.0


def test_a_dump_of_the_corpus_scores_nothing() -> None:
    dump = "\n".join(document.text for document in BUNDLE.documents)
    assert score(dump) == 0.0
    assert score([{**entry, "answer": dump} for entry in KEY]) == 0.0
    assert score([{**entry, "clause_ref": "a.txt §1, a.txt §2, b.txt §1, b.txt §2"} for entry in KEY]) == 0.0


@pytest.mark.parametrize("empty", ["", "[]", "{}", "null", "[[]]", "[{}]", "no answer"])
def test_nothing_scores_nothing(empty: str) -> None:
    assert score(empty) == 0.0


def test_answers_of_other_json_types_are_read_as_text() -> None:
    asked = Question("How many?", "2", "a.txt", "due", number=Decimal(2), units=("",))
    bundle = Bundle(BUNDLE.documents[:1], (asked,))
    entry = {"question": "How many?", "answer": 2, "clause_ref": "a.txt §1"}
    assert grade(bundle, json.dumps([entry])).score == 1.0


_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.sampled_from([PAYMENT.text, "a.txt §1"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["question", "answer", "clause_ref"]) | st.text(max_size=3), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(st.text() | st.text(alphabet='[]{}",:\\ntue0') | _JSON.map(json.dumps) | _JSON.map(lambda v: json.dumps(v)[:-1]))
def test_no_answer_text_makes_the_grader_fail(text: str) -> None:
    found = grade(BUNDLE, text)
    assert found.score == 0.0
    json.dumps(found.detail, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    "text", ["[" * 200_000, '[{"a":' * 50_000, "[" + "9" * 100_000 + "]", '[{"question":"\\ud800"}]']
)
def test_hostile_texts_are_graded_in_bounded_time(text: str) -> None:
    assert score(text) == 0.0


def test_lone_surrogates_in_an_answer_can_still_be_stored() -> None:
    found = grade(BUNDLE, '[{"question": "When is payment due?", "answer": "\\ud800", "clause_ref": "\\udfff"}]')
    json.dumps(found.detail, ensure_ascii=False).encode("utf-8")
