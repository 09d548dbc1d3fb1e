"""What the simulated model does alone and as a member: asking, reading, revising, slipping, taking notes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.models.simulated.behaviour import Behaviour, Clarify, Delegation, Malformed, Progress, Retry, ToolChoice

from .chat import (
    CORPUS,
    FLAWLESS,
    NAMES,
    READ,
    SEND,
    Chat,
    arguments,
    but,
    entries,
    entry,
    inbox,
    member_prompt,
    opened,
    order,
    question,
    reads,
    seed,
    statement,
    system,
    user,
    with_reads,
)


def member(
    content: str, behaviour: Behaviour = FLAWLESS, tools: tuple[dict[str, Any], ...] = (*CORPUS, SEND), run: int = 7
) -> Chat:
    return Chat(opened(behaviour), [system(member_prompt()), user(inbox("task", "boss", content))], tools, seed(run))


# -- members -------------------------------------------------------------------------------------------------------


def test_a_member_reads_what_the_task_names_and_leaves_out_the_rest() -> None:
    content = order(NAMES[:2]) + "\n" + question(NAMES[5])
    chat = member(content)
    assert reads(chat.step()) == list(NAMES[:2])
    assert entries(chat.step()) == [entry(n) for n in NAMES[:2]]


def test_a_member_asks_back_once_a_task_and_goes_on_when_told() -> None:
    chat = member(order(NAMES[:2]), but(clarify=Clarify(rate=1)))
    chat.step()
    assert [(m["to"], m["type"], m["inReplyTo"]) for m in chat.sent] == [("boss", "clarify", "msg_1")]
    chat.tell(inbox("clarify_resp", "boss", "Yes.", "msg_2", "msg_9"))
    assert reads(chat.step()) == list(NAMES[:2])
    assert entries(chat.step()) == [entry(n) for n in NAMES[:2]]
    chat.tell(inbox("task", "boss", order(NAMES[2:3]), "msg_3"))
    chat.step()
    assert chat.sent[-1]["type"] == "clarify" and chat.sent[-1]["inReplyTo"] == "msg_3"


def test_a_member_reports_progress_on_a_long_task_only() -> None:
    behaviour = but(progress=Progress(rate=1, min_documents=4))
    for names, types in ((NAMES[:4], ["progress"]), (NAMES[:3], [])):
        chat = member(order(names), behaviour)
        assert entries(chat.steps()) == [entry(n) for n in names]
        assert [m["type"] for m in chat.sent] == types


def test_two_tasks_at_once_are_one_result_and_a_later_one_is_its_own() -> None:
    chat = member(order(NAMES[:1]))
    chat.messages[1] = user(inbox("task", "boss", order(NAMES[:1])) + inbox("task", "boss", order(NAMES[1:2]), "msg_2"))
    assert entries(chat.steps()) == [entry(n) for n in NAMES[:2]]
    chat.tell(inbox("task", "boss", order(NAMES[2:3]), "msg_3"))
    assert entries(chat.steps()) == [entry(NAMES[2])]


def test_a_member_tries_to_hand_on_once_and_then_works() -> None:
    chat = member(order(NAMES[:2]), but(delegation=Delegation(tendency=1)))
    response = chat.step()
    assert [c.name for c in response.tool_calls] == ["send_message"]
    assert chat.sent[0]["type"] == "task" and chat.sent[0]["to"] in ("bob", "carol")
    chat.messages[-1]["content"] = "error: Refused: you work at depth 1 and may not hand work to others (limit 1)."
    assert entries(chat.steps()) == [entry(n) for n in NAMES[:2]]
    assert len(chat.sent) == 1


def revised(text: str, harden: float) -> list[str]:
    """Two wrong entries come back; the answers after a revision."""
    chat = member(order(NAMES[:2]), but(retry=Retry(harden=harden)))
    chat.step()
    chat.messages.append({"role": "assistant", "content": json.dumps([entry(n, "Nobody") for n in NAMES[:2]])})
    chat.tell(inbox("revision", "boss", text, "msg_2"))
    return [e["answer"] for e in entries(chat.steps())]


def test_a_revision_that_names_nothing_hardens_errors() -> None:
    assert revised("This is not right, try again.", harden=1) == ["Nobody", "Nobody"]
    assert revised("This is not right, try again.", harden=0) == ["Person-0", "Person-1"]


def test_a_revision_that_names_a_question_mends_it() -> None:
    assert revised(f"Wrong:\n- {question(NAMES[1])}", harden=1) == ["Nobody", "Person-1"]


# -- slips ---------------------------------------------------------------------------------------------------------


def test_long_tool_lists_lead_to_slips_that_are_mended() -> None:
    more = tuple({**READ, "function": {**READ["function"], "name": f"tool_{i}"}} for i in range(10))
    chat = Chat(
        opened(but(tool_choice=ToolChoice(free=3, per_tool=0.05))),
        [system("Read and answer."), user(statement())],
        (*CORPUS, *more),
    )
    first = chat.step()
    good = [c for c in first.tool_calls if c.name == "read_document" and arguments(c).get("document") in NAMES]
    assert 0 < len(good) < len(NAMES)  # 13 tools, 10 too many: half of the calls go wrong
    assert entries(chat.steps(20)) == [entry(n) for n in NAMES]
    few = Chat(opened(but(tool_choice=ToolChoice(free=3, per_tool=1.0))), chat.messages[:2], CORPUS)
    assert reads(few.step()) == list(NAMES)


def test_a_broken_deliverable_is_mended_when_asked_again() -> None:
    chat = Chat(opened(), [system("Answer."), user(statement(NAMES[:3]))])
    chat.step()
    chat.model = opened(but(malformed=Malformed(rate=1)))
    with pytest.raises(ValueError):
        json.loads(chat.step().text)
    chat.model = opened()
    chat.tell("This is not valid JSON. Send the array again.")
    assert entries(chat.step()) == [entry(n) for n in NAMES[:3]]


# -- reading and notes ---------------------------------------------------------------------------------------------


def test_documents_are_listed_when_none_is_named() -> None:
    chat = Chat(opened(), [system("Answer."), user(question(NAMES[2]))])
    assert [c.name for c in chat.step().tool_calls] == ["list_documents"]
    assert reads(chat.step()) == list(NAMES)
    assert entries(chat.step()) == [entry(NAMES[2])]


def test_no_more_is_read_at_once_than_fits_but_one_in_any_case() -> None:
    chat = Chat(opened(window_tokens=5000), [system("Answer."), user(statement(NAMES[:3], size=1100))])
    assert reads(chat.step()) == list(NAMES[:2])  # 5,000 - 2,000 for the answer - some 300 of prompt: two of 1,100
    small = Chat(opened(window_tokens=1000), [system("Answer."), user(statement(NAMES[:3], size=1100))])
    assert reads(small.step()) == [NAMES[0]]


def test_a_document_that_cannot_be_had_is_given_up() -> None:
    chat = Chat(opened(), [system("Answer."), user("Read lost.txt and pump.txt.\n" + question("pump.txt"))])
    assert entries(chat.steps()) == [entry("pump.txt")]


def test_notes_keep_the_entries_and_the_names_of_what_was_read() -> None:
    chat = Chat(opened(), [system("Answer."), user(statement(NAMES[:3])), *with_reads(["pump.txt"])])
    chat.tell("Your context window is nearly full. Write notes now, without any tool call.")
    chat.tools = ()
    notes = chat.step()
    assert entries(notes) == [entry("pump.txt")]
    assert notes.text.endswith("\nDocuments read: pump.txt")
    after = Chat(opened(), [*chat.messages[:2], chat.messages[-1], user("These are your notes so far. Go on.")])
    assert reads(after.step()) == list(NAMES[1:3])
    assert entries(after.step()) == [entry(n) for n in NAMES[:3]]
