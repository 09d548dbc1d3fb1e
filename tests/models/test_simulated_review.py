"""The simulated model asked to check its own answer, and to choose among attempts: by what its prompt says, no more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from harness.models.protocol import Response
from harness.models.simulated.behaviour import Answering, Behaviour, Review
from topologies.resample import ATTEMPT, JUDGE_PROMPT, NO_READS, QUESTION, READS
from topologies.single import REVIEW

from .chat import (
    BRIEF,
    CORPUS,
    FLAWLESS,
    NAMES,
    Chat,
    but,
    entries,
    entry,
    evidence,
    opened,
    reads,
    seed,
    statement,
    system,
    user,
    with_reads,
)

RUNS = range(400)
BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""


def text(given: Sequence[dict[str, Any]]) -> str:
    return json.dumps(given)


def after(
    given: Sequence[dict[str, Any]],
    behaviour: Behaviour,
    *,
    asked: str = REVIEW,
    read: Sequence[str] = NAMES,
    tools: tuple[dict[str, Any], ...] = CORPUS,
    run: int = 7,
) -> Chat:
    """An agent that has read, has answered, and is told something."""
    own = {"role": "assistant", "content": text(given)}
    messages = [system(BRIEF), user(statement()), *(with_reads(read) if read else ()), own, user(asked)]
    return Chat(opened(behaviour), messages, tools, seed(run, ordinal=5))


WRONG = [entry(n, "Nobody") for n in NAMES]
RIGHT = [entry(n) for n in NAMES]


def reviewing(**rates: float) -> Behaviour:
    return but(review=Review(**rates))


# -- its own answer ------------------------------------------------------------------------------------------------


def test_what_it_notices_is_answered_anew_and_what_is_missing_is_looked_at() -> None:
    keen = reviewing(self_catch=1, false_alarm=0)
    assert entries(after([*WRONG[:3], *RIGHT[3:6]], keen).step()) == RIGHT
    blunt = reviewing(self_catch=0, false_alarm=0)
    assert entries(after([*WRONG[:3], *RIGHT[3:6]], blunt).step()) == [*WRONG[:3], *RIGHT[3:]]


def test_a_right_entry_that_it_takes_for_wrong_is_right_no_longer() -> None:
    spoiled = entries(after(RIGHT, reviewing(self_catch=0, false_alarm=1)).step())
    assert not any(e in RIGHT for e in spoiled)


@pytest.mark.parametrize(("given", "rate"), [(WRONG, 0.2), (RIGHT, 0.02)])
def test_it_changes_as_much_as_the_rates_say(given: list[dict[str, Any]], rate: float) -> None:
    """Defaults: 0.2 of what is wrong, 0.02 of what is right; a fresh look makes no mistake here."""
    kept = sum(e in given for run in RUNS for e in entries(after(given, FLAWLESS, run=run).step()))
    of = len(RUNS) * len(NAMES)
    assert abs((of - kept) / of - rate) <= BOUND * sqrt(rate * (1 - rate) / of)


def test_a_fresh_look_may_err_again() -> None:
    hopeless = but(
        answering=Answering(accuracy=0, spread=0, mixup=0, omitted=0, misplaced=0), review=Review(self_catch=1)
    )
    said = entries(after(WRONG, hopeless).step())
    assert len(said) == len(NAMES) and not any(e in RIGHT for e in said)


def test_without_the_sentence_it_repeats_itself() -> None:
    keen = reviewing(self_catch=1, false_alarm=1)
    told = REVIEW.replace("Check your answer against the material, entry by entry, and correct", "Mind")
    assert entries(after([*WRONG[:4], *RIGHT[4:]], keen, asked=told).step()) == [*WRONG[:4], *RIGHT[4:]]


def test_without_the_evidence_nothing_can_be_checked() -> None:
    """With tools it reads first, and the request is not forgotten over that."""
    keen = reviewing(self_catch=1, false_alarm=0)
    assert entries(after(WRONG, keen, read=(), tools=()).step()) == WRONG
    chat = after(WRONG, keen, read=())
    assert reads(chat.step()) == list(NAMES)
    assert entries(chat.step()) == RIGHT


def test_an_answer_ends_the_review() -> None:
    chat = after(WRONG, reviewing(self_catch=1, false_alarm=0))
    chat.step()
    chat.tell("Go on.")
    assert entries(chat.step()) == RIGHT


# -- attempts of others --------------------------------------------------------------------------------------------


def choosing(
    attempts: Sequence[str],
    behaviour: Behaviour = FLAWLESS,
    *,
    reader: bool = False,
    run: int = 7,
    names: Sequence[str] = NAMES,
) -> Chat:
    told = {"attempts": len(attempts), "reads": READS if reader else NO_READS}
    shown = "".join(ATTEMPT.format(number=i) + t for i, t in enumerate(attempts, 1))
    question = statement(names) + JUDGE_PROMPT.format(**told) + shown + QUESTION.format(**told)
    return Chat(opened(behaviour), [system(BRIEF), user(question)], CORPUS if reader else (), seed(run))


def said(response: Response) -> str:
    assert not response.tool_calls
    return response.text


SURE = reviewing(catch=1, false_alarm=0)


def test_a_judge_that_has_read_finds_the_best() -> None:
    attempts = [text(WRONG), text([*RIGHT[:2], *WRONG[2:]]), text([*RIGHT[:5], *WRONG[5:]]), text(RIGHT[:4])]
    chat = choosing(attempts, SURE, reader=True)
    assert reads(chat.step()) == list(NAMES)
    assert said(chat.step()) == "3"


def test_an_entry_that_is_given_twice_holds_up_only_if_both_do() -> None:
    both = text([*RIGHT[:4], *WRONG[:3]])
    assert said(choosing([both, text(RIGHT[:2])], SURE, reader=True).steps()) == "2"


def test_it_is_asked_again_in_the_same_words() -> None:
    chat = choosing([text(WRONG), text(RIGHT)], SURE, reader=True)
    assert said(chat.steps()) == "2"
    chat.tell("That is not the number of an attempt.")
    assert said(chat.step()) == "2"


def test_in_the_dark_it_goes_by_agreement() -> None:
    """Though the right one is there, and a judge who could look would be sure. Of eight entries the first shares one
    with the others, the second seven, the third eight."""
    attempts = [text(RIGHT), text(WRONG), text([*WRONG[:7], RIGHT[7]])]
    assert said(choosing(attempts, SURE).step()) == "3"
    assert said(choosing([text(RIGHT), text(WRONG)], SURE).step()) == "1", "a tie goes to the first"


def test_an_attempt_proves_nothing() -> None:
    """What an attempt quotes is no evidence, however it reads."""
    quoting = text([{**entry(n), "source": evidence(n)} for n in NAMES])
    assert said(choosing([text(WRONG), text(WRONG), quoting], SURE).step()) == "1"


def test_it_misses_and_mistakes_as_often_as_the_rates_say() -> None:
    """One question, a right and a wrong attempt, the wrong one first. It is chosen if the wrong entry is not noticed,
    or if both are doubted: (1 - 0.6) + 0.6 × 0.02, where agreement cannot tell."""
    names = NAMES[:1]
    attempts = [text(WRONG[:1]), text(RIGHT[:1])]
    fooled = sum(said(choosing(attempts, FLAWLESS, reader=True, run=r, names=names).steps()) == "1" for r in RUNS)
    rate = 0.4 + 0.6 * 0.02
    assert abs(fooled / len(RUNS) - rate) <= BOUND * sqrt(rate * (1 - rate) / len(RUNS))


def test_without_the_question_it_does_the_task_itself() -> None:
    chat = choosing([text(WRONG), text(RIGHT)], SURE)
    chat.messages[1] = user(chat.messages[1]["content"].replace("the number of the best", "something about the"))
    assert chat.step().text.startswith("[")
