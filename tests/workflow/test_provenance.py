"""Whose words stand in a prompt, found by exact occurrence."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.parts import ENGINE, TASK, Part, joined
from harness.accounting.purposes import Purpose
from harness.workflow.provenance import Provenance

STATEMENT = "Answer the questions from the documents.\n\n1. Who holds the key of the east gate?"
FOUND = "Marta Olsen holds the key.\nIt was handed over in May of last year."


def knowing(*said: tuple[str, str]) -> Provenance:
    known = Provenance()
    known.learn(0, [Part(STATEMENT, TASK, Purpose.TASK)])
    for number, (author, text) in enumerate(said, 1):
        known.learn(number, [Part(text, author, Purpose.ANSWER)])
    return known


def cut(known: Provenance, prompt: str) -> list[tuple[str, str]]:
    parts = known.cut(prompt)
    assert joined(parts) == prompt
    assert all(p.purpose == {TASK: "task", ENGINE: "dispatch"}.get(p.author, "answer") for p in parts)
    return [(p.author, p.text) for p in parts]


def test_the_statement_results_and_the_script_s_own_words() -> None:
    assert cut(knowing(("a", FOUND)), f"{STATEMENT}\n\nTry to refute this:\n{FOUND}\nThat is all.") == [
        (TASK, STATEMENT),
        (ENGINE, "\n\nTry to refute this:\n"),
        ("a", FOUND),
        (ENGINE, "\nThat is all."),
    ]


def test_lines_and_the_texts_of_json_are_found_by_themselves() -> None:
    claim = 'the gate\'s key\twas "lost" twice'
    known = knowing(("a", FOUND), ("b", json.dumps([{"claim": claim, "n": 3}])))
    assert cut(known, f"Check: {claim}!") == [(ENGINE, "Check: "), ("b", claim), (ENGINE, "!")]
    assert cut(known, "- Marta Olsen holds the key.") == [(ENGINE, "- "), ("a", "Marta Olsen holds the key.")]


def test_what_two_have_said_is_each_one_s_in_turn() -> None:
    known = Provenance()
    for number, author in ((2, "b"), (1, "a")):  # the second call ended first
        known.learn(number, [Part(FOUND, author, Purpose.ANSWER)])
    assert [a for a, _ in cut(known, f"1: {FOUND} 2: {FOUND} 3: {FOUND}") if a != ENGINE] == ["a", "b", "b"]


def test_a_part_of_a_word_or_a_short_text_is_the_script_s() -> None:
    known = knowing(("a", "the key is here"), ("b", "yes"), ("c", "no no no"))
    assert cut(known, "Answer yes or no: bathe key is hereby lost, no no no") == [
        (ENGINE, "Answer yes or no: bathe key is hereby lost, no no no")
    ]


def test_texts_without_spaces_between_words_are_found() -> None:
    said = "东门的钥匙由玛尔塔保管，五月交接。"
    assert cut(knowing(("a", said)), f"请核实{said}谢谢") == [(ENGINE, "请核实"), ("a", said), (ENGINE, "谢谢")]


WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "\n", "{", '"x": "alpha beta gamma"', "é", "东门"]), max_size=12
)
TEXTS = WORDS.map(" ".join)


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_a_prompt_is_never_changed(results: list[str], around: str) -> None:
    known = knowing(*((f"agent_{n}", text) for n, text in enumerate(results)))
    prompt = around.join(results) + around
    assert joined(known.cut(prompt)) == prompt
    assert all(p.text for p in known.cut(prompt))
