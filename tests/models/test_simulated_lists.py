"""The simulated model on answers that are lists: the pieces that it sees, lists put together, and searches for them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.models.oracle import Item
from harness.models.protocol import Response, ToolCall
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Answering, Behaviour, Malformed, Relay, Retry
from harness.models.simulated.skills.listing import listed, only, united

from .chat import (
    BRIEF,
    FLAWLESS,
    PATIENCE,
    TEXT,
    Chat,
    HandClock,
    arguments,
    but,
    entries,
    inbox,
    lead_prompt,
    member_prompt,
    seed,
    system,
    tool_schema,
    user,
)

FILES = ("pump.txt", "gate.txt", "roof.txt", "well.txt")
FINDS = "Search all files for a regular expression; lines that match come with their file."
READ = tool_schema("read_file", {"file": TEXT, "lines": TEXT}, ["file"])
GREP = tool_schema("grep", {"pattern": TEXT, "file": TEXT}, ["pattern"])
GREP["function"]["description"] = FINDS
WORDS = {"Q1": "lever", "Q2": "hinge"}
FORM = '[{"question": "the label", "names": ["a name"]}]'


def line(label: str) -> str:
    return f"{label}: Which of these files contain the word `{WORDS[label]}`?"


def evidence(label: str, name: str) -> str:
    return f"L{FILES.index(name) + 3}: the {WORDS[label]} of the {name.removesuffix('.txt')}"


def entry(label: str, names: Sequence[str] | None) -> dict[str, Any]:
    return {"question": label, "names": None if names is None else list(names)}


def item(label: str, text: str = "", names: Sequence[str] = FILES[:3]) -> Item:
    """A list of three files; wrong with one too many, one exchanged, one too few, or only a wrong one."""
    wrong = ([*names, "well.txt"], [*names[:-1], "well.txt"], names[1:], ["well.txt"])
    pieces = tuple(((evidence(label, n),), n) for n in names)
    proofs = tuple(text for texts, _ in pieces for text in texts)
    return Item(text or line(label), proofs, entry(label, names), tuple(entry(label, w) for w in wrong), pieces=pieces)


class Book:
    def __init__(self, *items: Item) -> None:
        self._items = {key: i for i in items for key in (i.question, str(i.right["question"]))}

    def lookup(self, text: str) -> Item | None:
        return self._items.get(text.strip())


def opened(behaviour: Behaviour = FLAWLESS, *items: Item) -> SimulatedModel:
    model = SimulatedModel(behaviour=behaviour)
    model.consult(Book(*(items or map(item, WORDS))))
    asyncio.run(model.open(HandClock()))
    return model


def text_of(name: str) -> str:
    return f"{name}: lines 1 to 2\n" + "\n".join(evidence(label, name) for label in WORDS if name != "well.txt")


class Desk(Chat):
    """``found``: what a search brings, by the word in it; without an entry, the lines of all files."""

    found: dict[str, str] = {}  # noqa: RUF012

    def _result(self, call: ToolCall) -> str:
        given = arguments(call) if call.arguments.endswith("}") else {}
        if call.name == "read_file":
            return text_of(given["file"])
        if call.name == "grep":
            label = next(label for label, word in WORDS.items() if word in given["pattern"])
            return self.found.get(label, "\n".join(f"{n} {evidence(label, n)}" for n in FILES[:3]))
        return super()._result(call)


def statement(files: Sequence[str] = FILES, lines: Sequence[str] = tuple(map(line, WORDS))) -> str:
    listing = "\n".join(f"- {n} (200 lines; 900 tokens)" for n in files)
    asked = "\n".join(lines)
    return f"Files:\n{listing}\n\nQuestions:\n{asked}\n\nOutput format:\n{FORM}"


def solo(tools: Sequence[dict[str, Any]] = (READ, GREP), behaviour: Behaviour = FLAWLESS, *items: Item) -> Desk:
    lines = [i.question for i in items] or list(map(line, WORDS))
    return Desk(opened(behaviour, *items), [system(BRIEF), user(statement(lines=lines))], tuple(tools), seed(7))


def asked(response: Response) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, arguments(call)) for call in response.tool_calls]


# -- searching -----------------------------------------------------------------------------------------------------


def test_questions_that_a_search_answers_are_searched_for() -> None:
    chat = solo()
    assert asked(chat.step()) == [("grep", {"pattern": r"\blever\b"}), ("grep", {"pattern": r"\bhinge\b"})]
    assert entries(chat.step()) == [entry("Q1", FILES[:3]), entry("Q2", FILES[:3])]


def test_where_something_is_defined_is_searched_for_too() -> None:
    one = item("Q1", "Q1: At which lines of these files is `lever` defined?")
    assert asked(solo((READ, GREP), FLAWLESS, one).step()) == [("grep", {"pattern": r"\b(?:def|class) lever\b"})]


@pytest.mark.parametrize("tools", [(READ,), (READ, tool_schema("grep", {"pattern": TEXT}, ["pattern"]))])
def test_without_a_tool_that_says_so_it_reads(tools: Sequence[dict[str, Any]]) -> None:
    """A tool's name is no description."""
    chat = solo(tools)
    assert [name for name, _ in asked(chat.step())] == ["read_file"] * 4
    assert entries(chat.step()) == [entry("Q1", FILES[:3]), entry("Q2", FILES[:3])]


def test_one_question_that_takes_reading_is_enough_to_read_for_all() -> None:
    other = item("Q2", "Q2: Which functions in these files call `hinge`?")
    chat = solo((READ, GREP), FLAWLESS, item("Q1"), other)
    assert {name for name, _ in asked(chat.step())} == {"read_file"}


def test_a_search_that_shows_only_some_of_what_it_found_is_no_answer() -> None:
    chat = solo()
    chat.found = {"Q2": "pump.txt L3: the hinge\n(120 more lines match: narrow the pattern)"}
    assert {name for name, _ in asked(chat.step())} == {"grep"}
    assert {name for name, _ in asked(chat.step())} == {"read_file"}
    assert entries(chat.step()) == [entry("Q1", FILES[:3]), entry("Q2", FILES[:3])]


def test_a_search_that_fails_is_made_once_more_and_then_it_reads() -> None:
    chat = solo()
    chat.found = {"Q1": "error: this pattern would take too long."}
    assert len(asked(chat.step())) == 2
    assert asked(chat.step()) == [("grep", {"pattern": r"\blever\b"})]
    assert {name for name, _ in asked(chat.step())} == {"read_file"}


def test_nothing_found_is_found_out_without_reading() -> None:
    chat = solo()
    chat.found = {"Q1": r"No line matches \blever\b"}
    chat.step()
    assert entries(chat.step()) == [entry("Q1", None), entry("Q2", FILES[:3])]


def test_a_lead_hands_its_work_out_and_searches_for_its_own_part_only() -> None:
    send = tool_schema("send_message", dict.fromkeys(("to", "type", "content"), TEXT), ["to", "type", "content"])
    told = [system(lead_prompt(("alice", "bob"))), user(statement())]
    calls = asked(Desk(opened(), told, (READ, GREP, send), seed(7)).step())
    assert [name for name, _ in calls] == ["send_message", "send_message", "grep", "grep"]
    none = [system(lead_prompt(("alice", "bob"), keep=False)), user(statement())]
    calls = asked(Desk(opened(), none, (READ, GREP, send), seed(7)).step())
    assert [name for name, _ in calls] == ["send_message", "send_message"]


# -- pieces --------------------------------------------------------------------------------------------------------


def member(*files: str, behaviour: Behaviour = FLAWLESS, run: int = 7) -> list[dict[str, Any]]:
    """What a member of a team makes of an order about these files, reading them."""
    order = f"Read:\n{statement(files)}"
    messages = [system(member_prompt()), user(inbox("task", "lead", order))]
    return entries(Desk(opened(behaviour), messages, (READ,), seed(run)).steps())


def test_whoever_holds_some_of_the_evidence_finds_these_names() -> None:
    assert member("pump.txt", "well.txt") == [entry("Q1", ["pump.txt"]), entry("Q2", ["pump.txt"])]
    assert member("roof.txt", "gate.txt") == [entry("Q1", FILES[1:3]), entry("Q2", FILES[1:3])]
    assert member("well.txt") == [], "told to leave out what it cannot find"


@pytest.mark.parametrize("run", range(40))
def test_nobody_errs_into_a_name_that_it_cannot_know(run: int) -> None:
    """Every wrong answer, invented or misread, holds only what was read and what is wrong anyway."""
    hopeless = but(answering=Answering(accuracy=0, spread=0, guess=1, repeated=0, omitted=0, misplaced=0))
    found = {e["question"]: e["names"] for e in member("gate.txt", "well.txt", behaviour=hopeless, run=run)}
    assert all(set(names) <= {"gate.txt", "well.txt"} for names in found.values())
    assert all(names != ["gate.txt"] for names in found.values()), "wrong each time"
    blind = solo((), hopeless)
    blind.seed = seed(run)
    for made in entries(blind.step()):
        assert made["names"] is None or not set(made["names"]) & set(FILES[:3])


def test_a_name_whose_proof_is_held_in_part_is_not_found() -> None:
    proof = (evidence("Q1", "pump.txt"), "what stands in no file")
    pieces = ((proof, "pump.txt"), *item("Q1").pieces[1:])
    one = replace(item("Q1"), pieces=pieces, evidence=(*proof, *item("Q1").evidence[1:]))
    chat = solo((READ,), FLAWLESS, one)
    assert entries(chat.steps()) == [entry("Q1", FILES[1:3])]


def test_a_list_that_is_all_one_can_see_is_right_when_it_is_sent_back() -> None:
    """A fresh look would err here, and so would a wrong list; nothing of that happens to a right one."""
    careless = but(answering=Answering(accuracy=0, spread=0, guess=0, repeated=0), retry=Retry(harden=0))
    for names, stays in ((["pump.txt"], True), (["pump.txt", "well.txt"], False)):
        messages = [system(member_prompt()), user(inbox("task", "lead", f"Read:\n{statement(['pump.txt'])}", "msg_1"))]
        chat = Desk(opened(careless), messages, (READ,), seed(7))
        chat.step()
        chat.messages.append({"role": "assistant", "content": json.dumps([entry("Q1", names)])})
        chat.tell(inbox("revision", "lead", f"Look again:\n{line('Q1')}", "msg_2"))
        first = [e for e in entries(chat.step()) if e["question"] == "Q1"]
        assert (first == [entry("Q1", names)]) is stays


def results(*given: tuple[str, Sequence[str]]) -> list[dict[str, Any]]:
    """A lead that has sent each of two members two files, and has these entries back: (label, names)."""
    chat = Desk(opened(), [system(lead_prompt(("alice", "bob"), keep=False)), user(statement())], (SEND,), seed(7))
    chat.step()
    for n, (label, names) in enumerate(given):
        sender = ("alice", "bob")[n % 2]
        chat.tell(inbox("result", sender, json.dumps([entry(label, names)]), f"msg_r{n}", f"msg_{n % 2 + 1:012}"))
    return entries(chat.steps())


SEND = tool_schema(
    "send_message", dict.fromkeys(("to", "type", "content", "context", "inReplyTo"), TEXT), ["to", "type", "content"]
)


def test_a_lead_puts_together_what_its_members_found() -> None:
    (first, *_) = results(("Q1", ["roof.txt"]), ("Q1", ["gate.txt", "pump.txt"]))
    assert first == entry("Q1", ["pump.txt", "gate.txt", "roof.txt"])
    (first, *_) = results(("Q1", ["roof.txt"]), ("Q1", ["roof.txt", "well.txt"]))
    assert first == entry("Q1", ["roof.txt", "well.txt"]), "what is wrong in one of them stays in"


def test_whoever_combines_whole_answers_goes_by_the_majority() -> None:
    told = "Combine the proposals into one answer."
    proposals = [FILES[:3], FILES[:3], ["pump.txt", "well.txt"]]
    shown = "\n\n".join(json.dumps([entry("Q1", names)]) for names in proposals)
    chat = Desk(opened(), [system(f"{BRIEF}\n{told}"), user(f"{statement()}\n\n{shown}")], (), seed(7))
    assert entries(chat.step())[0] == entry("Q1", FILES[:3])


def test_names_read_after_the_notes_are_added_to_those_in_them() -> None:
    """A context that was compacted: the notes hold the first file's names, the rest is read later."""
    notes = json.dumps([entry("Q1", ["pump.txt"]), entry("Q2", ["pump.txt"])]) + "\nDocuments read: pump.txt"
    messages = [system(BRIEF), user(statement()), {"role": "assistant", "content": notes}, user("Go on.")]
    chat = Desk(opened(), messages, (READ,), seed(7))
    assert [given["file"] for _, given in asked(chat.step())] == ["gate.txt", "roof.txt", "well.txt"]
    assert entries(chat.step()) == [entry("Q1", FILES[:3]), entry("Q2", FILES[:3])]


def test_what_is_passed_on_is_altered_into_nothing_that_was_not_told() -> None:
    drifting = but(relay=Relay(drift=1, lost=0), malformed=Malformed(rate=0))
    for run in range(30):
        messages = [system(f"{BRIEF}\n{PATIENCE}"), user(f"{statement()}\n{json.dumps([entry('Q1', ['gate.txt'])])}")]
        found = entries(Desk(opened(drifting), messages, (), seed(run)).step())
        told = [e["names"] for e in found if e["question"] == "Q1" and e["names"] is not None]
        assert all(set(names) <= {"gate.txt", "well.txt"} and names != ["gate.txt"] for names in told)


SETS = st.lists(st.sampled_from(FILES), unique=True)


@settings(deadline=None, database=None)
@given(SETS)
def test_an_item_with_some_of_its_pieces(kept: list[str]) -> None:
    whole = item("Q1")
    part = only(whole, kept)
    assert listed(part, part.right) == [n for n in FILES[:3] if n in kept]
    assert (part is whole) == (set(FILES[:3]) <= set(kept))
    for wrong in part.wrong:
        assert wrong != part.right and set(wrong["names"]) <= {*kept, "well.txt"} and wrong["names"]
    assert part.evidence == tuple(evidence("Q1", n) for n in FILES[:3] if n in kept)


@settings(deadline=None, database=None)
@given(st.lists(SETS, min_size=1, max_size=4))
def test_lists_put_together(lists: list[list[str]]) -> None:
    """A set union, in the order of the right list, in whichever order they come."""
    told = [entry("Q1", names) for names in lists]
    together = united(item("Q1"), told)
    assert set(together["names"]) == {n for names in lists for n in names}
    assert len(set(together["names"])) == len(together["names"])
    assert together == united(item("Q1"), told[::-1]) == united(item("Q1"), [together, *told])
