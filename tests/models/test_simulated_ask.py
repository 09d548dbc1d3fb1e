"""Several figures for one line of the request: who asks which is meant, whom, how often, and what comes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.models.oracle import Item
from harness.models.protocol import Request
from harness.models.simulated.behaviour import Asking, Behaviour

from .chat import (
    CORPUS,
    FLAWLESS,
    SEND,
    TEXT,
    Book,
    Chat,
    arguments,
    ask,
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

LINE, OTHER = "f1: Q2 revenue", "f2: headcount"
SENTENCE, OTHER_SENTENCE = "Q2 revenue: 412 (calendar) or 387 (fiscal).", "Headcount: 90 (works) or 120 (group)."
MEANT, OTHER_MEANT = 'By "Q2 revenue" I mean: fiscal.', 'By "headcount" I mean: group.'
ASK = tool_schema("ask_requester", {"question": TEXT}, ["question"])
ALWAYS, NEVER = (replace(FLAWLESS, asking=Asking(rate=rate)) for rate in (1.0, 0.0))


def row(field: str, value: str, reading: str) -> dict[str, Any]:
    return {"field": field, "value": value, "reading": reading}


NATURAL, RIGHT = row("f1", "412", "calendar"), row("f1", "387", "fiscal")
OTHER_NATURAL, OTHER_RIGHT = row("f2", "90", "works"), row("f2", "120", "group")
ITEM = Item(LINE, (SENTENCE, MEANT), RIGHT, (NATURAL, row("f1", "999", "fiscal")), partial=NATURAL)
OTHER_ITEM = Item(OTHER, (OTHER_SENTENCE, OTHER_MEANT), OTHER_RIGHT, (OTHER_NATURAL,), partial=OTHER_NATURAL)


def chat(behaviour: Behaviour, messages: list[dict[str, Any]], tools: tuple[dict[str, Any], ...] = (ASK,)) -> Chat:
    model = opened(behaviour)
    model.consult(Book(ITEM, OTHER_ITEM))
    return Chat(model, messages, tools)


def owner(behaviour: Behaviour, tools: tuple[dict[str, Any], ...] = (ASK,)) -> Chat:
    asked = f"Fill in:\n{LINE}\n{OTHER}\n\n{SENTENCE}\n\n{OTHER_SENTENCE}"
    return chat(behaviour, [system("You fill in reports."), user(asked)], tools)


def test_whoever_owns_the_task_asks_about_all_such_lines_at_once_and_goes_by_the_answer() -> None:
    talk = owner(ALWAYS)
    (call,) = talk.step().tool_calls
    assert call.name == "ask_requester"
    question = arguments(call)["question"].split("\n")
    assert LINE in question and OTHER in question
    talk.messages[-1]["content"] = f"{MEANT}\n{OTHER_MEANT}"
    assert entries(talk.step()) == [RIGHT, OTHER_RIGHT]


def test_whoever_does_not_ask_takes_the_natural_reading() -> None:
    assert entries(owner(NEVER).step()) == [NATURAL, OTHER_NATURAL]


def test_without_anybody_to_ask_so_does_everybody() -> None:
    assert entries(owner(ALWAYS, ()).step()) == [NATURAL, OTHER_NATURAL]
    post = tool_schema("post_task", {"task": TEXT}, ["task"])
    assert owner(ALWAYS, (post,)).step().tool_calls[0].name == "post_task", "a task is nothing to ask"


def test_one_asks_once_whatever_comes_of_it() -> None:
    talk = owner(ALWAYS)
    talk.step()
    talk.messages[-1]["content"] = "error: nobody is there."
    assert entries(talk.step()) == [NATURAL, OTHER_NATURAL]


def test_an_answer_to_half_of_it_is_used_for_that_half() -> None:
    talk = owner(ALWAYS)
    talk.step()
    talk.messages[-1]["content"] = OTHER_MEANT
    assert entries(talk.step()) == [NATURAL, OTHER_RIGHT]


def test_nothing_is_asked_before_everything_is_read_or_about_what_was_not_seen() -> None:
    asked = f"Read pump.txt, which has 60 tokens.\n{LINE}\n{OTHER}\n\n{SENTENCE}"
    talk = chat(ALWAYS, [system("You fill in reports."), user(asked)], (*CORPUS, ASK))
    assert [c.name for c in talk.step().tool_calls] == ["read_document"]
    (call,) = talk.step().tool_calls
    assert arguments(call)["question"].split("\n")[1:] == [LINE]


def test_one_figure_is_not_asked_about() -> None:
    """A piece of evidence that is missing is no reason: what is read has to show that there is a choice."""
    cut = replace(ITEM, evidence=("Q2 revenue: 412 (calendar)", MEANT))
    model = opened(ALWAYS)
    model.consult(Book(cut))
    told = Chat(model, [system("You fill in reports."), user(f"{LINE}\n\nQ2 revenue: 412 (calendar).")], (ASK,))
    assert entries(told.step()) == [NATURAL]


def test_each_line_is_asked_about_at_the_declared_rate() -> None:
    trials, both = 2000, 0
    counts = {LINE: 0, OTHER: 0}
    model = opened(replace(FLAWLESS, asking=Asking(rate=0.7)))
    model.consult(Book(ITEM, OTHER_ITEM))
    messages = tuple(owner(ALWAYS).messages)
    for i in range(trials):
        calls = ask(model, Request("m", messages, (ASK,), seed=seed(i))).tool_calls
        said = arguments(calls[0])["question"] if calls else ""
        for line in counts:
            counts[line] += line in said
        both += LINE in said and OTHER in said
    five_sigmas = 5 * (0.7 * 0.3 / trials) ** 0.5
    assert all(abs(count / trials - 0.7) < five_sigmas for count in counts.values())
    assert abs(both / trials - 0.49) < 5 * (0.49 * 0.51 / trials) ** 0.5, "lines are asked about independently"


def test_the_name_of_the_tool_and_its_parameter_are_read_from_the_offer() -> None:
    other = tool_schema("ask_client", {"what": TEXT}, ["what"])
    (call,) = owner(ALWAYS, (other,)).step().tool_calls
    assert call.name == "ask_client" and LINE in arguments(call)["what"]


# -- by message ----------------------------------------------------------------------------------------------------


def member(behaviour: Behaviour) -> Chat:
    told = inbox("task", "boss", f"Fill in:\n{LINE}\n\n{SENTENCE}")
    return chat(behaviour, [system(member_prompt()), user(told)], (SEND,))


def test_a_member_asks_its_lead_and_goes_by_the_reply() -> None:
    talk = member(ALWAYS)
    talk.step()
    (sent,) = talk.sent
    assert (sent["to"], sent["type"], sent["inReplyTo"]) == ("boss", "clarify", "msg_1")
    assert LINE in sent["content"].split("\n")
    talk.tell(inbox("clarify_resp", "boss", MEANT, "msg_2"))
    assert entries(talk.step()) == [RIGHT]
    assert len(talk.sent) == 1


@pytest.mark.parametrize("reply", ["Go on with the task as it stands.", OTHER_MEANT])
def test_a_reply_that_does_not_say_it_leaves_the_natural_reading(reply: str) -> None:
    talk = member(ALWAYS)
    talk.step()
    talk.tell(inbox("clarify_resp", "boss", reply, "msg_2"))
    assert entries(talk.step()) == [NATURAL]


def test_a_member_that_does_not_ask_takes_the_natural_reading() -> None:
    talk = member(NEVER)
    assert entries(talk.step()) == [NATURAL] and talk.sent == []


CLARIFY = inbox("clarify", "alice", f"Which reading is meant here?\n{LINE}", "msg_9")


def lead(tools: tuple[dict[str, Any], ...]) -> Chat:
    """A lead that has handed out everything and keeps nothing."""
    talk = chat(NEVER, [system(lead_prompt(("alice",), keep=False)), user(f"Fill in:\n{LINE}\n{OTHER}")], tools)
    talk.step()
    assert [m["type"] for m in talk.sent] == ["task"]
    talk.sent.clear()
    return talk


def test_a_lead_passes_on_what_a_member_asks_and_sends_back_the_words_of_the_requester() -> None:
    talk = lead((SEND, ASK))
    talk.tell(CLARIFY)
    (call,) = talk.step().tool_calls
    assert call.name == "ask_requester" and arguments(call)["question"].split("\n")[1:] == [LINE]
    talk.messages[-1]["content"] = MEANT
    talk.step()
    assert talk.sent == [{"to": "alice", "type": "clarify_resp", "content": MEANT, "inReplyTo": "msg_9"}]


def test_a_lead_that_knows_it_answers_at_once() -> None:
    talk = lead((SEND, ASK))
    talk.messages[1]["content"] += f"\n{MEANT}"
    talk.tell(CLARIFY)
    talk.step()
    assert [(m["type"], m["content"]) for m in talk.sent] == [("clarify_resp", MEANT)]


def test_a_lead_that_can_ask_nobody_says_to_go_on() -> None:
    for tools, asks in (((SEND,), 0), ((SEND, ASK), 1)):
        talk = lead(tools)
        talk.tell(CLARIFY)
        for _ in range(asks):
            talk.step()
            talk.messages[-1]["content"] = "error: nobody is there."
        talk.step()
        assert [m["type"] for m in talk.sent] == ["clarify_resp"] and MEANT not in talk.sent[0]["content"]


# -- answering from certain documents only -------------------------------------------------------------------------


def test_what_stands_before_an_order_is_answered_from_only_as_to_what_was_asked_back() -> None:
    """The figures have to stand in what the order names; what the requester said may have been said before."""
    order = f"[order subtask_1]\nGive entries only for questions that these documents answer.\n{LINE}\n{OTHER}"
    before = f"user: report\n{SENTENCE}\nrequester: {MEANT} {OTHER_MEANT}\n"
    prompt = [system("You are a sub-agent."), user(f"{before}{order}\n\n{OTHER_SENTENCE}")]
    assert entries(chat(ALWAYS, prompt, ()).step()) == [OTHER_RIGHT]
