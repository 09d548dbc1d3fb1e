"""Items of any form: other field names, files in blocks, decisions, drafts, evidence of which only a part is held."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from harness.blocks import block
from harness.models.oracle import Choice, Entry, Item
from harness.models.protocol import Request
from harness.models.simulated.behaviour import Review
from tests.models.chat import FLAWLESS, Book, Chat, ask, entries, opened, user

ONE = "one.py: f() gives 1"
TWO = "two.py: g() gives 2"
IN_BLOCKS = "Output format: one fenced block for each file, under the file's name."


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def code(line: str, content: str, *wrong: str) -> Item:
    name = line.partition(":")[0]
    return Item(line, (line,), _file(name, content), tuple(_file(name, w) for w in wrong))


def _file(name: str, content: str) -> Entry:
    return {"file": name, "content": content}


CODE = Book(code(ONE, "def f():\n    return 1"), code(TWO, "def g():\n    return 2"))


def test_files_are_written_as_blocks_where_that_is_asked_for() -> None:
    model = opened()
    model.consult(CODE)
    said = Chat(model, [user(f"Write:\n{ONE}\n{TWO}\n\n{IN_BLOCKS}")], tools=()).step().text
    assert said == "one.py\n```\ndef f():\n    return 1\n```\n\ntwo.py\n```\ndef g():\n    return 2\n```"
    plain = Chat(model, [user(f"Write:\n{ONE}\n{TWO}")], tools=()).step().text
    assert json.loads(plain)[0] == {"file": "one.py", "content": "def f():\n    return 1"}


def test_a_block_under_a_files_name_is_an_answer_that_was_told() -> None:
    """A lead told by a result writes what it was told, right or not."""
    open_book = Item(ONE, ("not in the prompt",), _file("one.py", "right"), (_file("one.py", "wrong"),))
    model = opened()
    model.consult(Book(open_book))
    said = Chat(
        model, [user(f"Write:\n{ONE}\n{IN_BLOCKS}"), assistant("I ask."), user(block("one.py", "told"))], tools=()
    )
    assert said.step().text == block("one.py", "told")


def test_entries_are_known_by_the_field_that_names_their_question() -> None:
    """The label of a month is the same in every company; which one is meant, the assignment tells."""
    lines = {name: f"{name}, 2023-01" for name in ("Ash", "Birch")}
    items = [
        Item(line, (f"{name} booked 5.",), {"month": "2023-01", "amount": "5.00"}, ()) for name, line in lines.items()
    ]
    model = opened()
    model.consult(Book(*items))
    told = json.dumps([{"month": "2023-01", "amount": "7.00"}])
    chat = Chat(model, [user(f"Amounts:\n{lines['Birch']}\n"), assistant("Wait."), user(told)], tools=())
    assert entries(chat.step()) == [{"month": "2023-01", "amount": "7.00"}]
    nothing = Chat(model, [user(f"Amounts:\n{lines['Ash']}\n")], tools=())
    assert entries(nothing.step()) == [{"month": "2023-01", "amount": None}]


# -- decisions ---------------------------------------------------------------------------------------------------------

FRONT, BACK = "front.py: shows the due day", "back.py: gives the due day"


def _part(line: str) -> Item:
    name = line.partition(":")[0]
    options = tuple((f"'{word}'", _file(name, f"key = '{word}'")) for word in ("due", "deadline"))
    wrong = (_file(name, "key = None"),)
    return Item(line, (line,), options[0][1], wrong, choice=Choice("the day's name", options))


def _keys(said: str) -> list[str]:
    return [word for word in ("due", "deadline") for _ in range(said.count(f"'{word}'"))]


def _written(model_seed: int, agent: int, *messages: object) -> list[str]:
    model = opened()
    model.consult(Book(_part(FRONT), _part(BACK)))
    request = Request("m", messages, (), seed=(model_seed << 32) | (agent << 16))  # type: ignore[arg-type]
    return _keys(ask(model, request).text)


def test_an_agent_decides_the_same_for_all_its_parts_and_agents_do_not_always_agree() -> None:
    both = [_written(seed, 1, user(f"{FRONT}\n{BACK}")) for seed in range(40)]
    assert all(len(keys) == 2 and keys[0] == keys[1] for keys in both)
    assert {keys[0] for keys in both} == {"due", "deadline"}
    apart = [_written(seed, 1, user(FRONT)) == _written(seed, 2, user(BACK)) for seed in range(40)]
    assert 0 < sum(apart) < 40


@pytest.mark.parametrize("word", ["due", "deadline"])
def test_a_decision_that_stands_in_the_prompt_is_followed(word: str) -> None:
    for seed in range(10):
        assert _written(seed, 1, user(BACK), assistant("Hm."), user(f"We call it '{word}'.")) == [word]


def test_of_two_decisions_the_last_one_told_counts() -> None:
    assert _written(0, 1, user(BACK), assistant("Hm."), user("'due'? No: 'deadline'.")) == ["deadline"]
    assert _written(0, 1, user(BACK), assistant("'deadline'"), user("We call it 'due'.")) == ["due"]


# -- drafts and partial evidence ---------------------------------------------------------------------------------------

DRAFT = "def half(n): return n // 3"
ASKED = "D1: is half right?"
FOUND, CLEAN = {"draft": "D1", "verdict": "defect"}, {"draft": "D1", "verdict": "clean"}


def _verdict(item: Item, review: Review, *messages: object) -> Entry:
    model = opened(replace(FLAWLESS, review=review))
    model.consult(Book(item))
    return entries(ask(model, Request("m", messages, (), seed=1)))[0]  # type: ignore[arg-type]


def test_a_reviewer_is_lenient_with_its_own_draft() -> None:
    defective = Item(ASKED, (DRAFT,), FOUND, (CLEAN,), draft=True)
    sharp = Review(catch=1, self_catch=0, false_alarm=0)
    assert _verdict(defective, sharp, user(f"{DRAFT}\n{ASKED}")) == FOUND
    assert _verdict(defective, sharp, user("Write half."), assistant(DRAFT), user(ASKED)) == CLEAN
    assert _verdict(defective, Review(0, 1, 0), user("Write half."), assistant(DRAFT), user(ASKED)) == FOUND


def test_a_clean_draft_is_taken_for_defective_at_the_rate_of_false_alarms() -> None:
    clean = Item(ASKED, (DRAFT,), CLEAN, (FOUND,), draft=False)
    assert _verdict(clean, Review(1, 1, 0), user(f"{DRAFT}\n{ASKED}")) == CLEAN
    assert _verdict(clean, Review(1, 1, 1), user(f"{DRAFT}\n{ASKED}")) == FOUND


def test_who_holds_a_part_of_the_evidence_answers_what_that_part_looks_like() -> None:
    across = Item(ASKED, (DRAFT, "quarter() expects half(n) * 3"), FOUND, (CLEAN,), partial=CLEAN, draft=True)
    sharp = Review(1, 1, 0)
    assert _verdict(across, sharp, user(f"{DRAFT}\n{ASKED}")) == CLEAN
    assert _verdict(across, sharp, user(f"{DRAFT}\nquarter() expects half(n) * 3\n{ASKED}")) == FOUND
    assert _verdict(across, sharp, user(f"quarter() expects half(n) * 3\n{ASKED}"))["verdict"] is None
