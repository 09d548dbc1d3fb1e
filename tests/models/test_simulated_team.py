"""What the simulated model does as a lead and as a member, and what happens when their prompts lack something."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from harness.accounting.tokens import count_tokens
from harness.models.oracle import Item
from harness.models.simulated.behaviour import Attention, Behaviour, Clarify, Malformed, Progress, Protocol
from harness.models.simulated.prompt.team import balanced

from .chat import (
    CORPUS,
    FLAWLESS,
    LIST,
    NAMES,
    SEND,
    Book,
    Chat,
    arguments,
    but,
    entries,
    entry,
    inbox,
    lead_prompt,
    member_prompt,
    opened,
    question,
    reads,
    seed,
    statement,
    system,
    user,
)

TEAM = (*CORPUS, SEND)


def lead(
    behaviour: Behaviour = FLAWLESS, prompt: str | None = None, tools: tuple[dict[str, Any], ...] = TEAM, run: int = 7
) -> Chat:
    prompt = lead_prompt() if prompt is None else prompt
    return Chat(opened(behaviour), [system(prompt), user(statement())], tools, seed(run))


def result(sender: str, names: list[str], msg_id: str = "msg_9") -> str:
    return inbox("result", sender, json.dumps([entry(n) for n in names]), msg_id)


def part(task: dict[str, Any]) -> list[str]:
    """The documents that a task hands out."""
    return [n for n in NAMES if f"- {n}" in task["content"]]


# -- the lead ------------------------------------------------------------------------------------------------------


def test_a_lead_hands_out_everything_in_one_completion_and_reads_its_own_part() -> None:
    chat = lead()
    response = chat.step()
    assert [(m["to"], m["type"]) for m in chat.sent] == [("alice", "task"), ("bob", "task"), ("carol", "task")]
    handed_out = [n for m in chat.sent for n in part(m)]
    assert sorted([*handed_out, *reads(response)]) == sorted(NAMES)
    assert {len(part(m)) for m in chat.sent} == {2}
    assert response.text and not response.text.startswith(("[", "{"))
    for task in chat.sent:
        assert all(question(n) in task["content"].split("\n") for n in NAMES)
        assert (
            '[{"question": "word for word", "answer": "short", "clause_ref": "file name §section"}]' in task["content"]
        )


def test_a_lead_awaits_results_and_merges_them() -> None:
    chat = lead()
    chat.step()
    parts = {m["to"]: part(m) for m in chat.sent}
    assert chat.step().text == "Results still to come: alice, bob, carol."
    chat.tell(result("alice", parts["alice"]))
    assert chat.step().text == "Results still to come: bob, carol."
    chat.tell(result("bob", parts["bob"]) + result("carol", parts["carol"]))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_lead_that_keeps_nothing_hands_out_all() -> None:
    chat = lead(prompt=lead_prompt(keep=False), tools=(SEND,))
    assert reads(chat.step()) == []
    assert sorted(n for m in chat.sent for n in part(m)) == sorted(NAMES)


def test_remarks_beside_names_are_no_names() -> None:
    chat = lead(prompt=lead_prompt(("alice (pumps, valves (old) and lifts.)", "the other one")))
    chat.step()
    assert [m["to"] for m in chat.sent] == ["alice", "the other one"]


def test_never_more_parts_than_documents() -> None:
    chat = lead()
    chat.messages[1] = user(statement(NAMES[:2]))
    chat.step()
    assert [(m["to"], part(m)) for m in chat.sent] == [("alice", [NAMES[0]]), ("bob", [NAMES[1]])]


def test_parts_are_balanced_by_size() -> None:
    groups = balanced({"a": 900, "b": 300, "c": 300, "d": 310, "e": 10}, 2)
    assert groups == [{"a": 900, "e": 10}, {"b": 300, "c": 300, "d": 310}]
    assert balanced({}, 0) == []


def test_a_lead_answers_a_clarify_under_its_id() -> None:
    chat = lead()
    chat.step()
    chat.tell(inbox("clarify", "bob", "Which form?", "msg_c"))
    chat.step()
    assert {k: chat.sent[-1][k] for k in ("to", "type", "inReplyTo")} == {
        "to": "bob", "type": "clarify_resp", "inReplyTo": "msg_c"
    }  # fmt: skip
    assert chat.step().text.startswith("Results still to come")


def test_a_failed_part_goes_to_an_idle_member_and_then_to_the_lead() -> None:
    chat = lead()
    chat.step()
    parts = {m["to"]: part(m) for m in chat.sent}
    chat.tell(inbox("result", "alice", "[error] call_timeout_s: no answer", "msg_e"))
    assert chat.step().text == "Results still to come: bob, carol."  # both are at work
    chat.tell(result("bob", parts["bob"]))
    chat.step()
    assert (chat.sent[-1]["to"], part(chat.sent[-1])) == ("bob", parts["alice"])
    chat.tell(result("carol", parts["carol"]) + inbox("result", "bob", "[error] again", "msg_f"))
    assert reads(chat.step()) == parts["alice"]
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_a_refused_task_becomes_the_leads_own() -> None:
    chat = lead(prompt=lead_prompt(members=("alice",)))
    chat.step()
    refused = part(chat.sent[0])
    answer = next(m for m in chat.messages if str(m["content"]).startswith("sent msg_"))
    answer["content"] = "error: Refused: you may not send 'task' to alice."
    assert reads(chat.step()) == refused
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_without_documents_the_questions_are_divided() -> None:
    chat = lead()
    chat.messages[1] = user("\n".join(question(n) for n in NAMES[:3]))
    chat.tools = (SEND,)
    chat.step()
    assert [[n for n in NAMES if question(n) in m["content"]] for m in chat.sent] == [[n] for n in NAMES[:3]]


# -- what is missing from a prompt ---------------------------------------------------------------------------------


def openings(prompt: str, runs: int, behaviour: Behaviour) -> Counter[str]:
    """How leads go on: ``honest`` read at once; ``pretends`` sent and then only wait; ``invents`` answer at once."""
    found: Counter[str] = Counter()
    for run in range(runs):
        chat = lead(behaviour, prompt, run=run)
        own = reads(chat.step())
        text = chat.step().text
        if text.startswith("["):
            answered = {e["question"]: e["answer"] for e in json.loads(text)}
            assert {answered[question(n)] for n in NAMES if n not in own} <= {"Nobody", "Somebody"}
            found["invents"] += 1
        else:
            found["pretends" if "waiting" in text and not own else "honest"] += 1
    return found


def test_the_sentence_keeps_a_lead_from_pretending_and_inventing() -> None:
    behaviour = but(protocol=Protocol(pretend=0.5, invent=0.5))
    assert openings(lead_prompt(), 200, behaviour) == {"honest": 200}


def test_without_the_sentence_leads_pretend_and_invent_at_their_rates() -> None:
    """Standard deviations over 600 runs: 0.35 ± 0.019 and 0.15 ± 0.015; five of them allowed."""
    found = openings(lead_prompt(patience=""), 600, FLAWLESS)
    assert abs(found["pretends"] / 600 - 0.35) < 5 * 0.0195
    assert abs(found["invents"] / 600 - 0.15) < 5 * 0.0146


def test_a_pretender_does_its_own_part_when_everything_is_in() -> None:
    chat = lead(but(protocol=Protocol(pretend=1, invent=0)), lead_prompt(patience=""))
    chat.step()
    parts = {m["to"]: part(m) for m in chat.sent}
    assert chat.step().text == "I am waiting for alice, bob, carol to reply before I go on."
    chat.tell("".join(result(name, names, f"msg_{name}") for name, names in parts.items()))
    assert sorted(reads(chat.step())) == sorted(n for n in NAMES if all(n not in p for p in parts.values()))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_without_send_message_the_lead_does_everything_itself() -> None:
    chat = lead(tools=CORPUS)
    assert reads(chat.step()) == list(NAMES)
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_without_read_document_nothing_can_be_answered() -> None:
    chat = lead(tools=(LIST,))
    response = chat.step()
    assert all(e["answer"] is None for e in entries(response))
    assert "have no tool for it" in response.text


# -- names and order do not matter ---------------------------------------------------------------------------------

RENAMED = 100
"""Runs of each behaviour. Every outcome is the same to the last entry, so that a draw that a name has a part in shows
in the first few."""


def whole_run(
    run: int, names: tuple[str, str, str], tools: tuple[dict[str, Any], ...], behaviour: Behaviour
) -> list[dict[str, Any]]:
    """A lead and its members; the final entries."""
    quiet = but(behaviour, malformed=Malformed(rate=0), clarify=Clarify(rate=0), progress=Progress(rate=0))
    model = opened(quiet)
    chat = Chat(model, [system(lead_prompt(names)), user(statement())], tools, seed(run, 1))
    chat.step()
    for i, task in enumerate(list(chat.sent)):
        prompt = member_prompt(names[i], ", ".join(n for n in names if n != names[i]))
        asked = [system(prompt), user(inbox("task", "lead", task["content"]))]
        text = Chat(model, asked, tools, seed(run, i + 2)).steps().text
        chat.tell(inbox("result", task["to"], text, f"msg_{i}"))
    return entries(chat.steps())


@cache
def plain_runs(behaviour: Behaviour) -> list[list[dict[str, Any]]]:
    """What three members with plain names end with, a run a seed."""
    return [whole_run(run, ("alice", "bob", "carol"), TEAM, behaviour) for run in range(RENAMED)]


@pytest.mark.parametrize(
    ("names", "tools"),
    [
        (("zoe", "the second one", "李雷"), TEAM),
        (("alice", "bob", "carol"), tuple(reversed(TEAM))),
        (("carol", "alice", "bob"), (SEND, *CORPUS)),
    ],
)
def test_renaming_agents_and_shuffling_tools_changes_no_entry(
    names: tuple[str, str, str], tools: tuple[dict[str, Any], ...]
) -> None:
    """No draw involves a name, so that every outcome is the same. The names' own tokens move the share of the window by
    less than a thousandth, which dilution could turn into a different entry once in some hundred runs."""
    still = but(Behaviour(), attention=Attention(dilution=0, middle=0))
    for behaviour, allowed in ((still, 0), (Behaviour(), 1)):
        other = [whole_run(run, names, tools, behaviour) for run in range(RENAMED)]
        assert sum(a != b for a, b in zip(plain_runs(behaviour), other, strict=True)) <= allowed


def test_broken_arguments_are_mended_after_the_correction() -> None:
    """Whichever of the calls is hit, afterwards every document is handed out or read, and every member has one task."""
    for run in range(20):
        chat = lead(but(malformed=Malformed(rate=1, length=1)), run=run)
        first = chat.step()
        assert first.finish_reason == "length"
        broken = [c for c in first.tool_calls if not c.arguments.endswith("}")]
        assert len(broken) == 1
        chat.model = opened()
        second = chat.step()
        own = reads(second) + [
            arguments(c)["document"] for c in first.tool_calls if c.name == "read_document" and c not in broken
        ]
        assert sorted(m["to"] for m in chat.sent) == ["alice", "bob", "carol"]
        assert sorted([*own, *(n for m in chat.sent for n in part(m))]) == sorted(NAMES)


def test_a_lead_without_documents_writes_every_question_into_one_order_and_counts_it_once() -> None:
    asked = [f"T{n}: {' '.join(f'word{n}-{i}' for i in range(60))}?" for n in range(6)]
    items = [Item(q, (q,), {"question": q, "answer": "yes"}, ({"question": q, "answer": "no"},)) for q in asked]
    whole = count_tokens("\n".join(asked))
    members = [f"m{n}" for n in range(6)]
    model = opened(max_output_tokens=2 * whole)
    model.consult(Book(*items))
    prompt = system(lead_prompt(members, keep=False))
    chat = Chat(model, [prompt, user("\n".join(asked))], (SEND,), seed(7))
    response = chat.step()
    assert [m["to"] for m in chat.sent] == members, "six orders, each with one question, fit where two of all would not"
    assert [[q for q in asked if q in m["content"].split("\n")] for m in chat.sent] == [[q] for q in asked]
    assert response.finish_reason == "tool_calls" and response.usage.completion_tokens <= 2 * whole
