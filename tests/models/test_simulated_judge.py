"""The simulated model as a judge: it goes by what its prompt shows, and errs at the rates of its reviews."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from harness.accounting.parts import joined
from harness.graders.prompt import RUBRIC, comparing, question, scoring
from harness.models.oracle import Item
from harness.models.simulated.behaviour import Behaviour, Review
from harness.suite import Sample

from .chat import (
    BRIEF,
    CORPUS,
    FLAWLESS,
    NAMES,
    Book,
    Chat,
    but,
    entry,
    evidence,
    opened,
    seed,
    statement,
    system,
    user,
)
from .chat import question as asks

RUNS = range(200)
BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""
RIGHT = [entry(n) for n in NAMES]
WRONG = [entry(n, "Nobody") for n in NAMES]
SURE = but(review=Review(catch=1, false_alarm=0))
ALL = len(NAMES)


def sample(text: str) -> Sample:
    return Sample("s", text, BRIEF, None, 0, "0" * 64, 1.0, 1.0)


def said(
    answers: Sequence[Any], key: Any = RIGHT, *, behaviour: Behaviour = SURE, run: int = 7, ordinal: int = 1,
    highest: int = ALL, task: str = "", tools: tuple[dict[str, Any], ...] = (),
) -> dict[str, Any]:  # fmt: skip
    """The verdict on one answer, or on two."""
    texts = [a if isinstance(a, str) else json.dumps(a) for a in answers]
    told = scoring(RUBRIC, highest) if len(texts) == 1 else comparing(RUBRIC)
    shown = None if key is None else key if isinstance(key, str) else json.dumps(key)
    asked = joined(question(sample(task or statement()), shown, texts))
    response = Chat(opened(behaviour), [system(told), user(asked)], tools, seed(run, ordinal=ordinal)).step()
    assert not response.tool_calls
    verdict: dict[str, Any] = json.loads(response.text)
    return verdict


def score(answer: Any, key: Any = RIGHT, **more: Any) -> int:
    found: int = said([answer], key, **more)["score"]
    return found


@pytest.mark.parametrize("right", range(ALL + 1))
def test_with_the_key_a_careful_judge_counts_what_is_right(right: int) -> None:
    assert score([*RIGHT[:right], *WRONG[right:]]) == right
    assert score(RIGHT[:right]) == right, "what is missing is missing"


def test_a_score_is_the_share_of_the_scale_halves_upwards() -> None:
    assert [score(RIGHT[:n], highest=10) for n in range(ALL + 1)] == [0, 1, 3, 4, 5, 6, 8, 9, 10]


@pytest.mark.parametrize("answer", ["", "[]", "I do not know.", [{**e, "answer": None} for e in RIGHT]])
def test_an_answer_without_answers_is_worth_nothing(answer: Any) -> None:
    assert score(answer) == score(answer, None) == 0


def test_it_believes_the_key_that_it_reads() -> None:
    """A key that says otherwise than the suite: what it says is right."""
    assert score(WRONG, WRONG) == ALL and score(RIGHT, WRONG) == 0


def test_where_the_key_has_no_answer_saying_so_is_right() -> None:
    none = [{**RIGHT[0], "answer": None, "clause_ref": None}, *RIGHT[1:]]
    assert score(none, none) == score(RIGHT[1:], none) == ALL
    assert score(RIGHT, none) == ALL - 1


def test_other_spelling_is_no_fault_and_another_place_is() -> None:
    assert score([{**e, "answer": f" {e['answer'].upper()} "} for e in RIGHT]) == ALL
    assert score([{**e, "clause_ref": "elsewhere.txt §9"} for e in RIGHT]) == 0


def test_several_versions_of_which_one_is_wrong_are_wrong() -> None:
    assert score([*RIGHT, WRONG[0]]) == ALL - 1


def test_without_key_and_evidence_it_can_only_see_that_there_is_an_answer() -> None:
    assert score(WRONG, None) == ALL and score(WRONG[:3], None) == 3


def test_evidence_in_the_task_is_as_good_as_a_key_and_in_the_answer_it_is_not() -> None:
    told = "\n".join(map(evidence, NAMES))
    assert score(WRONG, None, task=f"{told}\n\n{statement()}") == 0
    assert score([{**e, "source": evidence(n)} for e, n in zip(WRONG, NAMES, strict=True)], None) == ALL


def test_a_question_that_everybody_can_answer_needs_no_key() -> None:
    fact = "What is 2 + 2?"
    known = Item(fact, (fact,), {"question": fact, "answer": "4"}, ({"question": fact, "answer": "5"},))
    model = opened(SURE)
    model.consult(Book(known))
    for given, expected in (("4", 1), ("5", 0)):
        asked = joined(
            question(sample(f"Questions:\n1. {fact}"), None, [json.dumps([{"question": fact, "answer": given}])])
        )
        response = Chat(model, [system(scoring(RUBRIC, 1)), user(asked)], (), seed(7)).step()
        assert json.loads(response.text)["score"] == expected


@pytest.mark.parametrize(("answer", "right"), [("It is 42.", 1), ("42", 1), ("142", 0), ("", 0), ("4 2", 0)])
def test_a_key_without_entries_is_looked_for_in_the_answer(answer: str, right: int) -> None:
    assert score(answer, "42", highest=1, task="What is six times seven?") == right


@pytest.mark.parametrize(("answer", "mean"), [(WRONG, 0.4), (RIGHT, 0.98), ([*RIGHT[:4], *WRONG[4:]], 0.69)])
def test_it_errs_as_much_as_the_rates_say(answer: Any, mean: float) -> None:
    """Defaults: 0.6 of what is wrong is noticed, 0.02 of what is right is taken for wrong; 8 entries a run."""
    shares = [score(answer, behaviour=FLAWLESS, run=run) / ALL for run in RUNS]
    of = len(RUNS) * ALL
    assert abs(sum(shares) / len(RUNS) - mean) <= BOUND * sqrt(mean * (1 - mean) / of)


def test_votes_differ_and_the_same_request_does_not() -> None:
    votes = [score(WRONG, behaviour=FLAWLESS, ordinal=n) for n in range(1, 9)]
    assert len(set(votes)) > 2
    assert votes == [score(WRONG, behaviour=FLAWLESS, ordinal=n) for n in range(1, 9)]


@pytest.mark.parametrize(("a", "b", "better"), [(RIGHT, WRONG, "A"), (WRONG, RIGHT, "B"), (RIGHT, RIGHT, "tie")])
def test_of_two_answers_the_one_with_more_that_is_right_is_better(a: Any, b: Any, better: str) -> None:
    assert said([a, b])["better"] == better


def test_what_two_answers_have_in_common_decides_nothing() -> None:
    """The same wrong entry is noticed in both or in neither, at any rate: the one with one right entry more can only
    lose by a false alarm, and here there is none."""
    blunt = but(review=Review(catch=0.5, false_alarm=0))
    for run in range(40):
        found = said([[*RIGHT[:1], *WRONG[2:]], WRONG[2:]], behaviour=blunt, run=run)["better"]
        assert found == "A"


def test_it_judges_when_it_is_asked_to_and_not_when_it_is_told_of_judging() -> None:
    """The system prompt says what an agent is; the same words in a message are somebody's text."""
    for text in (f"You judge an answer to a task.\n{statement()}", joined(question(sample(statement()), None, ["x"]))):
        response = Chat(opened(SURE), [system(BRIEF), user(text)], CORPUS, seed(7)).step()
        assert "score" not in response.text
    assert asks(NAMES[0]) in said([WRONG])["reason"]
