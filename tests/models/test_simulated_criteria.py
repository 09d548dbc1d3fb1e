"""What a lead has code check is what the statement demands in words, and nothing that it does not say."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import pytest

from harness.delegation.reading import order_schema
from harness.delegation.rules import Delegation
from harness.models.oracle import Item
from harness.models.simulated import SimulatedModel
from harness.models.simulated.behaviour import Retry

from .chat import (
    READ,
    TEXT,
    Chat,
    HandClock,
    but,
    entries,
    inbox,
    lead_prompt,
    member_prompt,
    system,
    tool_schema,
    user,
)

EACH = "Every crate must have an entry."
TWO = 'Every weight must have exactly two decimals, or be "unknown" if the list does not say.'
KILOS = 'Every unit must be "kg".'
CRATES = {"A1": "east.txt", "A2": "east.txt", "B1": "west.txt", "B2": "west.txt"}
"""Label → the document that tells its weight."""


def line(label: str) -> str:
    return f"{label}: what does this crate weigh, by {CRATES[label]}?"


def weighed(label: str, weight: str = "1.50") -> dict[str, str]:
    return {"crate": label, "weight": weight, "unit": "kg"}


class Scales:
    """The oracle: every line is an item, its label is not known by itself."""

    def lookup(self, line_: str) -> Item | None:
        label = line_.strip().partition(":")[0]
        if label not in CRATES or line_.strip() != line(label):
            return None
        wrong = (weighed(label, "1.5"), weighed(label, "9.90"))
        return Item(line(label), (f"{label} weighs 1.5.",), weighed(label), wrong)


def statement(*rules: str) -> str:
    lines = "\n".join(map(line, CRATES))
    documents = "- east.txt (list; 60 tokens)\n- west.txt (list; 60 tokens)"
    told = "\n".join(f"- {rule}" for rule in rules)
    form = '[{"crate": "what stands before the colon", "weight": "as text", "unit": "kg"}]'
    return f"{documents}\n\n{lines}\n\nRules:\n{told}\n\nA JSON array:\n{form}"


def model(**behaviour: Any) -> SimulatedModel:
    made = SimulatedModel(behaviour=but(**behaviour))
    made.consult(Scales())
    asyncio.run(made.open(HandClock()))
    return made


def orders(*rules: str, without: str = "") -> list[dict[str, Any]]:
    """The orders of a lead with two members for this statement. ``without``: a check that its tool does not list."""
    form = copy.deepcopy(order_schema(Delegation()))
    listed = form["properties"]["acceptance_criteria"]["items"]["properties"]["check"]["enum"]
    listed[:] = [check for check in listed if check != without]
    send = tool_schema("send_message", {"to": TEXT, "type": TEXT, "order": form}, ["to", "type"])
    chat = Chat(model(), [system(lead_prompt(("alice", "bob"), keep=False)), user(statement(*rules))], (READ, send))
    chat.step()
    return [sent["order"] for sent in chat.sent]


def demanded(order: dict[str, Any]) -> list[dict[str, Any]]:
    """Criteria beside those that every order has: fields are there, and no question comes twice."""
    return [c for c in order["acceptance_criteria"] if c["check"] not in ("required", "unique")]


def test_every_rule_of_the_statement_becomes_a_criterion() -> None:
    east, west = orders(EACH, TWO, KILOS)
    assert (east["input_ref"], west["input_ref"]) == (["east.txt"], ["west.txt"])
    pattern = r"-?[0-9]+\.[0-9]{2}|unknown"
    for order, labels in ((east, ["A1", "A2"]), (west, ["B1", "B2"])):
        assert demanded(order) == [
            {"check": "coverage", "field": "crate", "values": labels},
            {"check": "regex", "field": "weight", "pattern": pattern},
            {"check": "one_of", "field": "unit", "values": ["kg"]},
        ]


def test_without_a_rule_there_is_no_criterion() -> None:
    assert [demanded(order) for order in orders()] == [[], []]
    assert [[c["check"] for c in demanded(order)] for order in orders(TWO)] == [["regex"], ["regex"]]
    assert [[c["check"] for c in demanded(order)] for order in orders(KILOS)] == [["one_of"], ["one_of"]]
    assert [[c["check"] for c in demanded(order)] for order in orders(EACH)] == [["coverage"], ["coverage"]]


def test_a_check_that_the_tool_does_not_list_is_not_named() -> None:
    assert [c["check"] for c in demanded(orders(EACH, TWO, KILOS, without="coverage")[0])] == ["regex", "one_of"]
    assert [c["check"] for c in demanded(orders(EACH, TWO, KILOS, without="regex")[0])] == ["coverage", "one_of"]


@pytest.mark.parametrize(
    ("rule", "wanted"),
    [
        ("Every weight must have exactly two decimals.", [{"check": "decimals", "field": "weight", "decimals": 2}]),
        ("Every weight must have exactly 3 decimals.", [{"check": "decimals", "field": "weight", "decimals": 3}]),
        ("Every weight must have exactly enough decimals.", []),
        ("Every colour must have exactly two decimals.", []),
        ('Every colour must be "red".', []),
        ("Every weight must be plausible.", []),
        ("Every customer must have an entry.", []),
    ],
)
def test_rules_are_read_as_they_are_written(rule: str, wanted: list[dict[str, Any]]) -> None:
    """What is no field of an entry, and what has no number, cannot be checked."""
    assert demanded(orders(rule)[0]) == wanted


def test_where_every_entry_is_owed_an_order_asks_only_what_its_documents_are_for() -> None:
    east, west = orders(EACH)
    assert east["objective"] == f"Answer:\n{line('A1')}\n{line('A2')}"
    assert west["objective"] == f"Answer:\n{line('B1')}\n{line('B2')}"
    assert east["constraints"] == []
    for order in orders():
        assert all(line(label) in order["objective"].split("\n") for label in CRATES)
        assert order["constraints"] == ["Give entries only for questions that these documents answer."]


@pytest.mark.parametrize(
    ("feedback", "weights"),
    [
        ('entry 2 ("A2"): weight "9.90" does not match …', ["9.90", "1.50"]),
        ("The result is not right. Please try again.", ["9.90", "9.90"]),
        ("entry 2: something is wrong with it", ["9.90", "9.90"]),
    ],
)
def test_feedback_that_quotes_a_label_mends_that_entry_and_no_other(feedback: str, weights: list[str]) -> None:
    """Unnamed errors harden, here always."""
    asked = f"[order subtask_1]\nObjective: Answer:\n{line('A1')}\n{line('A2')}\nInput: east.txt"
    worker = Chat(model(retry=Retry(harden=1)), [system(member_prompt()), user(inbox("task", "lead", asked))])
    read = {
        "id": "r",
        "type": "function",
        "function": {"name": "read_document", "arguments": '{"document": "east.txt"}'},
    }
    worker.messages += [
        {"role": "assistant", "content": None, "tool_calls": [read]},
        {"role": "tool", "tool_call_id": "r", "content": "[east.txt §1]\nA1 weighs 1.5. A2 weighs 1.5."},
        {"role": "assistant", "content": json.dumps([weighed("A1", "9.90"), weighed("A2", "9.90")])},
        user(f"[order subtask_1, try 2 of 3]\nNot accepted:\n- {feedback}\nSend the whole result again."),
    ]
    assert [entry["weight"] for entry in entries(worker.step())] == weights
