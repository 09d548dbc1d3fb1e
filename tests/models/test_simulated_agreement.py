"""Decisions that are left open: who says what it takes, who follows whom, and what a lead fixes in its orders."""

from __future__ import annotations

from typing import Any

import pytest

from harness.models.oracle import Choice, Entry, Item
from harness.models.simulated.behaviour import Agreement, Clarify, Planning
from tests.models.chat import (
    CORPUS,
    FLAWLESS,
    SEND,
    Book,
    Chat,
    arguments,
    but,
    entries,
    inbox,
    lead_prompt,
    member_prompt,
    opened,
    seed,
    system,
    tool_schema,
    user,
)

FRONT, BACK, STORE = (f"{name}.py: its day is kept as all keep it" for name in ("front", "back", "store"))
WORDS = ("key 'due'.", "key 'deadline'.")
TALKS = but(agreement=Agreement(announce=1), planning=Planning(decides=0))
SILENT = but(agreement=Agreement(announce=0), planning=Planning(decides=0))
READ_FILE = tool_schema("read_file", {"file": {"type": "string"}}, ["file"])
TOOLS = (READ_FILE, SEND)


def _file(name: str, content: str) -> Entry:
    return {"file": name, "content": content}


def file_of(line: str) -> Item:
    name = line.partition(":")[0]
    options = tuple((word, _file(name, f"# {word}")) for word in WORDS)
    return Item(line, (line,), options[0][1], (_file(name, "nothing"),), choice=Choice("the key", options))


def member(line: str, run: int = 7, agent: int = 3, behaviour: Any = TALKS, tools: Any = TOOLS) -> Chat:
    model = opened(behaviour)
    model.consult(Book(*map(file_of, (FRONT, BACK, STORE))))
    task = inbox("task", "lead", f"Write:\n{line}")
    return Chat(model, [system(member_prompt()), user(task)], tools, seed(run, agent))


def written(chat: Chat) -> str:
    (entry,) = entries(chat.step())
    return str(entry["content"]).removeprefix("# ")


def test_a_member_tells_its_peers_what_it_takes_and_looks_at_its_own_file() -> None:
    chat = member(BACK)
    said = chat.step()
    assert [(m["to"], m["type"]) for m in chat.sent] == [("bob", "progress"), ("carol", "progress")]
    (word,) = [word for word in WORDS if word in chat.sent[0]["content"]]
    (look,) = [c for c in said.tool_calls if c.name == "read_file"]
    assert arguments(look) == {"file": "back.py"}, "so that it need not wait until somebody writes"
    assert written(chat) == word, "nobody has said anything else"


@pytest.mark.parametrize("word", WORDS)
def test_who_finds_that_somebody_was_first_follows(word: str) -> None:
    """Two have written: the one that came in first could not have heard the other."""
    other = WORDS[1 - WORDS.index(word)]
    for run in range(10):
        chat = member(STORE, run)
        chat.step()
        chat.tell(
            inbox("progress", "carol", f"I go by {word}", "msg_2") + inbox("progress", "bob", f"I: {other}", "msg_3")
        )
        assert written(chat) == word


def test_who_is_told_before_it_starts_announces_nothing() -> None:
    told = member(f"{BACK}\nDecided: {WORDS[1]}")
    assert written(told) == WORDS[1] and not told.sent
    late = member(BACK)
    late.tell(inbox("progress", "bob", f"I go by {WORDS[1]}", "msg_2"))
    assert written(late) == WORDS[1] and not late.sent
    against = member(f"{BACK}\nDecided: {WORDS[0]}")
    against.tell(inbox("progress", "bob", f"I go by {WORDS[1]}", "msg_2"))
    assert written(against) == WORDS[0], "an order counts for more"


def test_nothing_is_announced_without_peers_without_a_decision_or_by_the_silent() -> None:
    silent = member(BACK, behaviour=SILENT)
    written(silent)
    mute = member(BACK, tools=(READ_FILE,))
    written(mute)
    alone = member(BACK)
    alone.messages[0] = system(member_prompt(others="none"))
    written(alone)
    blind = member(BACK, tools=(SEND,))
    written(blind)
    assert not any(chat.sent for chat in (silent, mute, alone, blind))


def test_members_that_talk_agree_and_members_that_do_not_often_do_not() -> None:
    """Three members over 40 runs: the fastest announces to those that announce after it."""
    agreed = {True: 0, False: 0}
    for run in range(40):
        for talks, behaviour in ((True, TALKS), (False, SILENT)):
            chats = [member(line, run, agent, behaviour) for agent, line in enumerate((FRONT, BACK, STORE), 3)]
            if talks:
                for chat in chats:
                    chat.step()
                first = chats[0].sent[0]["content"]
                chats[1].tell(inbox("progress", "alice", first, "msg_2"))
                second = inbox("progress", "bob", chats[1].sent[0]["content"], "msg_3")
                chats[2].tell(inbox("progress", "alice", first, "msg_2") + second)
            agreed[talks] += len({written(chat) for chat in chats}) == 1
    assert agreed[True] == 40 and agreed[False] < 32


def test_word_from_a_peer_after_the_work_is_done_is_noted() -> None:
    chat = member(BACK, behaviour=SILENT)
    mine = written(chat)
    chat.tell(inbox("progress", "bob", f"I go by {WORDS[0]}", "msg_2"))
    assert chat.step().text == "Noted."
    chat.tell(inbox("task", "lead", f"Write:\n{STORE}", "msg_3"))
    assert written(chat) in (mine, WORDS[0]), "a new order is work again"


def test_who_has_no_order_notes_what_peers_say() -> None:
    chat = member(BACK)
    chat.messages[1] = user(inbox("progress", "bob", f"I go by {WORDS[0]}"))
    assert chat.step().text == "Noted." and not chat.sent


def test_who_asked_back_goes_on_when_a_peer_writes() -> None:
    chat = member(BACK, behaviour=but(TALKS, clarify=Clarify(rate=1)))
    chat.step()
    assert [m["type"] for m in chat.sent] == ["clarify"]
    chat.tell(inbox("progress", "bob", f"I go by {WORDS[1]}", "msg_2"))
    assert written(chat) == WORDS[1]


@pytest.mark.parametrize(("chance", "fixed"), [(0.0, False), (1.0, True)])
def test_a_lead_decides_in_its_orders_at_its_rate(chance: float, fixed: bool) -> None:
    model = opened(but(planning=Planning(decides=chance)))
    model.consult(Book(*map(file_of, (FRONT, BACK, STORE))))
    asked = user(f"Change:\n{FRONT}\n{BACK}\n{STORE}\n\nOutput format:\nOne fenced block for each file.")
    chat = Chat(model, [system(lead_prompt(keep=False)), asked], (*CORPUS, SEND))
    chat.step()
    told = [{word for word in WORDS if word in message["content"]} for message in chat.sent]
    assert len(told) == 3
    assert told == [told[0]] * 3 and len(told[0]) == fixed


def test_other_tasks_know_nothing_of_it() -> None:
    """No decision, no word of it."""
    from tests.models.chat import NAMES, order

    chat = Chat(
        opened(but(FLAWLESS, agreement=Agreement(announce=1))),
        [system(member_prompt()), user(inbox("task", "lead", order(NAMES[:1])))],
        (*CORPUS, SEND),
        seed(7),
    )
    chat.steps()
    assert not chat.sent
