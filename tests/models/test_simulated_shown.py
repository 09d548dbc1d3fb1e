"""Files that stand in the conversation from the start: not read again, and judged by whoever was asked to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.blocks import block
from harness.models.oracle import Item
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Review

from .chat import (
    CORPUS,
    SEND,
    TEXT,
    Book,
    Chat,
    but,
    entries,
    inbox,
    lead_prompt,
    opened,
    reads,
    system,
    tool_schema,
    user,
)

DISPATCH = tool_schema("dispatch_sub_agent", {"type": TEXT, "task": TEXT}, ["type", "task"])
TEXTS = {"one.py": "def one():\n    return 2", "two.py": "def two():\n    return 3"}
LINES = {name: f"D{n}: is {name} right?" for n, name in enumerate(TEXTS, 1)}
SENT_ON = "Give entries only for questions that these documents answer."


def verdict(name: str, said: str = "defect") -> dict[str, Any]:
    return {"draft": LINES[name].partition(":")[0], "verdict": said}


def item(name: str, *more: str) -> Item:
    wrong = (verdict(name, "clean"),)
    return Item(LINES[name], (TEXTS[name], *more), verdict(name), wrong, partial=wrong[0] if more else None, draft=True)


def reviewer(*items: Item, catch: float = 1, self_catch: float = 1) -> SimulatedModel:
    model = opened(but(review=Review(catch, self_catch, 0)))
    model.consult(Book(*(items or map(item, TEXTS))))
    return model


def files(*names: str) -> str:
    return "\n".join(f"- {name} (draft; 20 tokens)" for name in names)


STATEMENT = f"Files:\n{files(*TEXTS, 'rules.txt')}\n\n" + "\n".join(LINES.values())
BLOCKS = "\n\n".join(block(name, text) for name, text in TEXTS.items())
SHOWN = [
    [user(f"Somebody wrote:\n\n{BLOCKS}\n\n{STATEMENT}")],
    [user("Write one.py and two.py."), {"role": "assistant", "content": BLOCKS}, user(STATEMENT)],
]


@pytest.mark.parametrize("messages", SHOWN, ids=["in the statement", "before it"])
def test_what_stands_there_is_not_read_again(messages: list[dict[str, Any]]) -> None:
    chat = Chat(reviewer(), [system("Review."), *messages], CORPUS)
    assert reads(chat.step()) == ["rules.txt"]
    assert reads(Chat(reviewer(), [user(STATEMENT)], CORPUS).step()) == ["one.py", "two.py", "rules.txt"]


def test_what_is_said_later_is_no_file() -> None:
    """A block that somebody writes under a file's name is an answer, and the file itself is to be read."""
    chat = Chat(reviewer(), [user(STATEMENT), user(f"One idea:\n\n{BLOCKS}")], CORPUS)
    assert reads(chat.step()) == ["one.py", "two.py", "rules.txt"]


def test_a_worker_reads_what_its_order_names_whatever_stands_before_it() -> None:
    order = f"[order subtask_1]\nRead:\n{files('one.py')}\n{LINES['one.py']}\n{SENT_ON}"
    before = f"user:\n{BLOCKS}\n\n{STATEMENT}\n\n"
    chat = Chat(reviewer(), [system("You are a sub-agent."), user(before + order)], CORPUS)
    assert reads(chat.step()) == ["one.py"]


def test_half_of_the_evidence_before_an_order_is_not_asked_for() -> None:
    """Who is to answer from certain documents only says nothing about another one that it has seen go by."""
    model = reviewer(*(item(name, "what the caller needs") for name in TEXTS))
    order = f"[order subtask_1]\nJudge:\n{LINES['one.py']}\n{LINES['two.py']}\n{SENT_ON}"
    here = f"{BLOCKS}\n\n{order}\n\n{TEXTS['two.py']}"
    told = Chat(model, [system("You are a sub-agent."), user(here)], ()).step()
    assert entries(told) == [verdict("two.py", "clean")]


def leading(said: list[dict[str, Any]], messages: list[dict[str, Any]], model: SimulatedModel) -> list[dict[str, Any]]:
    """What a lead answers that is asked as in ``messages``, hands everything out, and is told something. It has one
    member, and so keeps no part."""
    prompt = system(lead_prompt(members=["alice"], keep=False))
    chat = Chat(model, [prompt, *messages], (*CORPUS, SEND))
    chat.step()
    assert len(chat.sent) == 1
    chat.tell(inbox("result", "alice", json.dumps(said), "msg_9"))
    return entries(chat.step())


@pytest.mark.parametrize("messages", SHOWN, ids=["in the statement", "before it"])
def test_a_lead_goes_by_what_it_is_told_about_what_it_could_judge_itself(messages: list[dict[str, Any]]) -> None:
    told = [verdict("one.py", "clean"), verdict("two.py")]
    assert leading(told, messages, reviewer()) == told
    assert leading(told[:1], messages, reviewer()) == told, "what nobody has told, it judges itself"
    assert leading(told, messages, reviewer(catch=0, self_catch=0)) == told


def test_its_own_judgement_of_what_it_has_written_is_an_author_s() -> None:
    lenient = reviewer(catch=1, self_catch=0)
    assert leading([verdict("one.py")], SHOWN[0], lenient) == [verdict("one.py"), verdict("two.py")]
    assert leading([verdict("one.py")], SHOWN[1], lenient) == [verdict("one.py"), verdict("two.py", "clean")]


def test_so_does_one_that_dispatches() -> None:
    prompt = system("You may hand parts of the task to sub-agents with dispatch_sub_agent, at most 1 in all.")
    chat = Chat(reviewer(), [prompt, *SHOWN[0]], (*CORPUS, DISPATCH))
    (call,) = chat.step().tool_calls
    assert call.name == "dispatch_sub_agent"
    told = [verdict("one.py", "clean"), verdict("two.py", "clean")]
    chat.messages[-1]["content"] = f"[SUCCESS]\n{json.dumps(told)}"
    assert entries(chat.step()) == told
