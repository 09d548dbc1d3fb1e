"""The simulated model told to refute others' findings, and to combine them: by what its prompt says, no more."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import pytest

from harness.accounting.parts import ENGINE, joined
from harness.delegation.order import TaskOrder
from harness.delegation.rendering import feedback_part, order_parts
from harness.dispatch.subagent import ISOLATED, PROMPT
from harness.models.simulated.behaviour import Behaviour, Review
from topologies.workflows.research import CHECK, COMBINE, REFUTED

from .chat import (
    BRIEF,
    CORPUS,
    NAMES,
    Chat,
    but,
    entries,
    entry,
    opened,
    question,
    reads,
    seed,
    statement,
    system,
    user,
)

SURE = but(review=Review(catch=1, false_alarm=0))
RUNS = range(200)
BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""
FOUR = NAMES[:4]


def shown(given: Sequence[Mapping[str, Any]], remarks: Mapping[int, str] | None = None) -> str:
    """Findings under their headings. ``remarks``: what stands in a heading after its number."""
    told = remarks or {}
    return "\n".join(f"[finding {n}]{told.get(n, '')}\n{json.dumps(e)}" for n, e in enumerate(given, 1))


def chat(
    prompt: str, *, behaviour: Behaviour = SURE, schema: dict[str, Any] | None = None, run: int = 7, agent: int = 3,
    tools: tuple[dict[str, Any], ...] = CORPUS,
) -> Chat:  # fmt: skip
    order = TaskOrder("subtask_1", prompt, forbidden_actions=(), output_schema=schema)
    scaffold = PROMPT.format(name="reviewer", prompt="Judge.", place=ISOLATED)
    told = [system(f"{BRIEF}\n\n{scaffold}"), user(joined(order_parts(order, ENGINE)))]
    return Chat(opened(behaviour), told, tools, seed(run, agent))


def checking(given: Sequence[Mapping[str, Any]], **more: Any) -> Chat:
    prompt = CHECK.format(task=statement(FOUR), findings=shown(given))
    return chat(prompt, schema=REFUTED, **more)


def refuted(talk: Chat) -> list[int]:
    found = json.loads(talk.steps().text)
    assert list(found) == ["refuted"] and all(set(r) == {"finding", "why"} for r in found["refuted"])
    return [r["finding"] for r in found["refuted"]]


def test_it_looks_up_what_is_claimed_and_refutes_what_is_wrong() -> None:
    given = [
        entry(FOUR[0]),
        entry(FOUR[1], "Nobody"),
        entry(FOUR[1]),
        entry(FOUR[2], ref="roof.txt §2"),
        entry(FOUR[3]),
    ]
    talk = checking(given)
    assert sorted(reads(talk.step())) == sorted(FOUR), "it reads before it judges"
    verdict = json.loads(talk.step().text)["refuted"]
    assert [r["finding"] for r in verdict] == [2, 4]
    assert question(FOUR[1]) in verdict[0]["why"]


def test_a_claim_that_there_is_no_answer_is_a_finding_too() -> None:
    assert refuted(checking([{**entry(FOUR[0]), "answer": None}, entry(FOUR[1])])) == [1]


def test_what_it_cannot_look_up_it_cannot_refute() -> None:
    assert refuted(checking([entry(n, "Nobody") for n in FOUR], tools=())) == []


def test_a_finding_of_several_entries_falls_with_one_of_them() -> None:
    whole = json.dumps([entry(FOUR[0]), entry(FOUR[1], "Nobody")])
    right = json.dumps([entry(FOUR[0]), entry(FOUR[1])])
    findings = f"[finding 1]\n{right}\n[finding 2]\n{whole}"
    assert refuted(chat(CHECK.format(task=statement(FOUR), findings=findings), schema=REFUTED)) == [2]


@pytest.mark.parametrize(("answer", "rate"), [("Nobody", 0.6), (None, 0.1)], ids=["wrong", "right"])
def test_the_rates_are_those_of_a_reviewer(answer: str | None, rate: float) -> None:
    behaviour = but(review=Review(catch=0.6, false_alarm=0.1))
    given = [entry(n, answer) for n in FOUR]
    share = sum(len(refuted(checking(given, behaviour=behaviour, run=run))) for run in RUNS) / (len(FOUR) * len(RUNS))
    assert abs(share - rate) < BOUND * sqrt(rate * (1 - rate) / (len(FOUR) * len(RUNS)))


def test_checkers_of_one_run_judge_each_for_itself() -> None:
    behaviour = but(review=Review(catch=0.5))
    given = [entry(n, "Nobody") for n in FOUR]
    pairs = [[refuted(checking(given, behaviour=behaviour, run=run, agent=a)) for a in (3, 4)] for run in range(20)]
    assert any(one != other for one, other in pairs)


def test_a_verdict_that_comes_back_is_given_again() -> None:
    talk = checking([entry(FOUR[0], "Nobody")])
    first = talk.steps().text
    order = TaskOrder("subtask_1", "x", max_retries=2).again(["The result is no JSON value."])
    talk.tell(feedback_part(order, 2, vague=False).text)
    assert json.loads(talk.steps().text) == json.loads(first)


@pytest.mark.parametrize(
    "prompt",
    [
        f"{statement(FOUR)}\n\nNobody has tried to refute these findings:\n{shown([entry(FOUR[0], 'Nobody')])}",
        f"{statement(FOUR)}\n\nTry to refute each of their findings.",
    ],
    ids=["not asked", "no findings"],
)
def test_other_words_about_findings_ask_for_an_answer(prompt: str) -> None:
    assert [e["question"] for e in entries(chat(prompt).steps())] == list(map(question, FOUR))


# -- combining -----------------------------------------------------------------------------------------------------


def combining(given: Sequence[Mapping[str, Any]], remarks: Mapping[int, str], **more: Any) -> Chat:
    return chat(COMBINE.format(task=statement(FOUR), findings=shown(given, remarks)), **more)


REST = [entry(n) for n in FOUR[1:]]
REMARKS = dict.fromkeys(range(3, 6), " given by 3 of 3")


def test_it_takes_what_more_have_given_without_looking_it_up() -> None:
    given = [entry(FOUR[0], "Somebody"), entry(FOUR[0]), *REST]
    talk = combining(given, {1: " given by 2 of 3", 2: " given by 1 of 3", **REMARKS})
    response = talk.step()
    assert not response.tool_calls and entries(response)[0]["answer"] == "Somebody"


def test_it_does_not_take_what_was_refuted() -> None:
    given = [entry(FOUR[0], "Somebody"), entry(FOUR[0]), *REST]
    told = {1: " given by 2 of 3, refuted: the log says otherwise", 2: " given by 1 of 3", **REMARKS}
    talk = combining(given, told)
    response = talk.step()
    assert not response.tool_calls and entries(response)[0] == entry(FOUR[0])


def test_it_looks_up_what_nothing_is_left_for() -> None:
    given = [entry(FOUR[0], "Somebody"), *REST]
    told = {1: " given by 3 of 3, refuted: the log says otherwise", **dict.fromkeys(range(2, 5), " given by 3 of 3")}
    talk = combining(given, told)
    assert sorted(reads(talk.step())) == sorted(FOUR)
    assert entries(talk.steps()) == [entry(n) for n in FOUR]
    assert entries(combining(given, told, tools=()).step())[0]["answer"] == "Somebody", "better than nothing"


def test_without_findings_there_is_nothing_to_combine() -> None:
    talk = chat(COMBINE.format(task=statement(FOUR), findings="None."))
    assert sorted(reads(talk.step())) == sorted(FOUR)
