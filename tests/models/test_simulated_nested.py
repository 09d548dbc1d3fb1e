"""What the simulated model does with an order and a tool to hand it on: divide if told to, work, or throw it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from harness.accounting.parts import joined
from harness.delegation.order import TaskOrder
from harness.delegation.reading import order_schema
from harness.delegation.rendering import order_parts
from harness.delegation.rules import Delegation as Rules
from harness.models.protocol import ToolCall
from harness.models.simulated.behaviour import Behaviour, Delegation
from topologies.nested import BOTTOM_PROMPT, DIVIDE, LEAD_PROMPT, MIDDLE_PROMPT, READS

from .chat import (
    BRIEF,
    CORPUS,
    NAMES,
    Chat,
    arguments,
    but,
    document,
    entries,
    entry,
    opened,
    question,
    reads,
    seed,
    statement,
    system,
    tool_schema,
    user,
)

HISTORY = Rules(context="history", validate=False)
REFUSED = "Refused: you work at depth 2 and may not hand work to others (limit 2). Do the work yourself."
CALM = but(delegation=Delegation(trouble=0))
TROUBLED = but(delegation=Delegation(trouble=1))


def tool(rules: Rules = HISTORY) -> dict[str, Any]:
    kind = {"type": "string", "enum": ["bottom"], "description": "bottom: reads and does the work"}
    return tool_schema("dispatch_sub_agent", {"type": kind, "order": order_schema(rules, ())}, ["type", "order"])


def an_order(names: list[str], number: int = 1, forbidden: tuple[str, ...] = ()) -> str:
    """An order about some documents with all the questions, as a lead writes it."""
    made = TaskOrder(
        f"subtask_{number}",
        "\n".join(["Answer those of these questions that the documents answer:", *map(question, NAMES)]),
        tuple(names),
        constraints=("Give entries only for questions that these documents answer.",),
        forbidden_actions=forbidden,
    )
    return joined(order_parts(made, "lead"))


@dataclass
class Layer(Chat):
    """One agent of a layer. ``back``: what a dispatch returns, by its order."""

    back: Callable[[dict[str, Any]], str] = lambda order: REFUSED

    def _result(self, call: ToolCall) -> str:
        if call.name != "dispatch_sub_agent":
            return super()._result(call)
        order = arguments(call)["order"]
        self.sent.append(order)
        return self.back(order)


def success(order: dict[str, Any]) -> str:
    return f"[SUCCESS] subtask_9 by bottom_1\n{json.dumps([entry(n) for n in order['input_ref']])}"


def agent(prompt: str, first: str, behaviour: Behaviour = CALM, rules: Rules = HISTORY, run: int = 7) -> Layer:
    return Layer(
        opened(behaviour),
        [system(f"{BRIEF}\n\n{prompt}"), user(first)],
        (*CORPUS, tool(rules)),
        seed(run),
        back=success,
    )


def lead(reads_first: str = READS, parts: str = "3 parts") -> str:
    return LEAD_PROMPT.format(reads=reads_first, divide=DIVIDE.format(what="it", parts=parts), results="")


def middle(parts: str = "2 parts", divide: str | None = None) -> str:
    told = DIVIDE.format(what="your order", parts=parts) if divide is None else divide
    return MIDDLE_PROMPT.format(given="", divide=told, results="", done="")


BOTTOM = BOTTOM_PROMPT.format(given="", done="")


# -- dividing ------------------------------------------------------------------------------------------------------


def test_a_lead_told_to_read_first_reads_everything_before_it_divides() -> None:
    chat = agent(lead(), statement())
    assert sorted(reads(chat.step())) == sorted(NAMES) and not chat.sent
    chat.step()
    assert [len(o["input_ref"]) for o in chat.sent] == [3, 3, 2]
    assert sorted(n for o in chat.sent for n in o["input_ref"]) == sorted(NAMES)
    assert entries(chat.step()) == [entry(n) for n in NAMES]


def test_without_that_sentence_it_divides_at_once_and_reads_nothing() -> None:
    chat = agent(lead(reads_first=""), statement())
    assert reads(chat.step()) == [] and len(chat.sent) == 3


@pytest.mark.parametrize(("told", "made"), [("1 part", 1), ("5 parts", 5), ("8 parts", 8), ("9 parts", 8)])
def test_as_many_parts_as_the_prompt_says_but_no_empty_ones(told: str, made: int) -> None:
    chat = agent(lead(reads_first="", parts=told), statement())
    chat.step()
    assert len(chat.sent) == made


def test_a_middle_agent_divides_its_own_order_and_not_the_conversation_before_it() -> None:
    before = f"[conversation so far]\n{statement()}\n{document(NAMES[7])}\n{an_order(list(NAMES[:6]), 1)}\n"
    chat = agent(middle(), before + an_order(list(NAMES[:3]), 2))
    chat.step()
    assert [o["input_ref"] for o in chat.sent] == [[NAMES[0], NAMES[2]], [NAMES[1]]]
    shown = chat.sent[0]["output_schema"]["items"]["properties"]
    assert list(shown) == ["question", "answer", "clause_ref"], "the form of the statement above"
    assert entries(chat.step()) == [entry(n) for n in NAMES[:3]]


def test_without_being_told_to_divide_it_does_the_work_itself() -> None:
    for prompt in (middle(divide=""), BOTTOM):
        chat = agent(prompt, an_order(list(NAMES[:3])))
        assert reads(chat.step()) == list(NAMES[:3])
        assert entries(chat.step()) == [entry(n) for n in NAMES[:3]]
        assert not chat.sent


def test_a_middle_agent_that_only_knows_its_order_asks_for_the_form_that_it_was_asked_for() -> None:
    fields = {name: {"type": "string"} for name in ("question", "answer", "clause_ref")}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    made = TaskOrder(
        "subtask_1", "\n".join(map(question, NAMES)), NAMES[:2], output_schema=schema, forbidden_actions=()
    )
    chat = agent(middle(), joined(order_parts(made, "lead")), rules=Rules(validate=False))
    chat.step()
    assert list(chat.sent[0]["output_schema"]["items"]["properties"]) == list(fields)


def test_a_middle_agent_that_is_refused_does_its_part_itself() -> None:
    chat = agent(middle(), an_order(list(NAMES[:3])))
    chat.back = lambda order: REFUSED
    assert entries(chat.steps()) == [entry(n) for n in NAMES[:3]]
    assert len(chat.sent) == 4, "two parts, each tried twice"


def test_whoever_combines_goes_by_the_results() -> None:
    """Although a lead that has read everything, or a middle agent with all of it above its order, could know better."""
    wrong = entry(NAMES[0], "Nobody")
    for chat in (
        agent(lead(), statement(NAMES[:2])),
        agent(middle(), f"[conversation so far]\n{document(NAMES[0])}\n{an_order(list(NAMES[:2]))}"),
    ):
        chat.back = lambda order: (
            "[SUCCESS] s by b\n" + json.dumps([wrong if n == NAMES[0] else entry(n) for n in order["input_ref"]])
        )
        assert entries(chat.steps()) == [wrong, entry(NAMES[1])]


def test_what_was_read_above_confuses_below() -> None:
    """Eight documents in the conversation before an order lower the chance as eight that it has read itself would."""

    def wrong(before: str) -> int:
        count = 0
        for run in range(200):
            behaviour = but(CALM, answering=replace(CALM.answering, mixup=0.1))
            chat = agent(BOTTOM, f"{before}{an_order([NAMES[0]])}", behaviour, run=run)
            count += entries(chat.steps()) != [entry(NAMES[0])]
        return count

    calls = "".join(f'read_document\n{{"document": "{n}"}}\n' for n in NAMES)
    assert wrong("") == 0
    assert 110 < wrong(f"[conversation so far]\n{calls}{''.join(map(document, NAMES))}\n") < 170  # 0.7 of 200


# -- throwing it back ----------------------------------------------------------------------------------------------


def test_whoever_meets_a_piece_it_cannot_parse_reads_and_hands_it_on_once() -> None:
    chat = agent(BOTTOM, an_order(list(NAMES[:2])), TROUBLED)
    assert reads(chat.step()) == list(NAMES[:2])
    chat.step()
    assert [o["input_ref"] for o in chat.sent] == [[NAMES[0]], [NAMES[1]]]
    assert all(question(n) in o["objective"] for o in chat.sent for n in NAMES)
    assert entries(chat.step()) == [entry(n) for n in NAMES[:2]] and len(chat.sent) == 2


@pytest.mark.parametrize("back", [REFUSED, "[FAILED] subtask_2 by bottom_2: window_tokens: too long\n"])
def test_after_a_refusal_or_a_failure_it_does_the_work(back: str) -> None:
    chat = agent(BOTTOM, an_order(list(NAMES[:2])), TROUBLED)
    chat.back = lambda order: back
    assert entries(chat.steps()) == [entry(n) for n in NAMES[:2]] and len(chat.sent) == 2


def test_it_takes_what_came_back() -> None:
    chat = agent(BOTTOM, an_order([NAMES[0]]), TROUBLED)
    chat.back = lambda order: "[SUCCESS] s by b\n" + json.dumps([entry(NAMES[0], "Nobody")])
    assert entries(chat.steps()) == [entry(NAMES[0], "Nobody")]


@pytest.mark.parametrize("run", range(20))
def test_all_agents_of_a_run_meet_the_same_trouble(run: int) -> None:
    half = but(delegation=Delegation(trouble=0.5))
    met = []
    for number in (3, 4, 5):
        chat = agent(BOTTOM, an_order(list(NAMES)), half)
        chat.seed = seed(run, agent=number)
        chat.steps()
        met.append([o["input_ref"] for o in chat.sent])
    assert met[0] == met[1] == met[2]


def test_how_often_it_is_met() -> None:
    count = 0
    for run in range(100):
        chat = agent(BOTTOM, an_order(list(NAMES)), but(delegation=Delegation(trouble=0.25)), run=run)
        chat.steps()
        count += len(chat.sent)
    assert 150 < count < 250  # of 800, a quarter: 200 ± 12


@pytest.mark.parametrize(
    ("prompt", "forbidden"),
    [
        (BOTTOM, ("delegate",)),
        (BOTTOM, ("read", "dispatch_sub_agent")),
        (f"{BOTTOM}\nNever hand your work on to anybody else.", ()),
        (f"{BOTTOM}\nYou may not create agents.", ()),
    ],
)
def test_what_its_order_or_its_prompt_forbids_it_does_not_do(prompt: str, forbidden: tuple[str, ...]) -> None:
    chat = agent(prompt, an_order([NAMES[0]], forbidden=forbidden), TROUBLED)
    assert entries(chat.steps()) == [entry(NAMES[0])] and not chat.sent


def test_without_the_tool_or_without_an_order_there_is_no_throwing_back() -> None:
    chat = agent(BOTTOM, an_order([NAMES[0]]), TROUBLED)
    chat.tools = CORPUS
    assert entries(chat.steps()) == [entry(NAMES[0])]
    owner = agent(lead(parts="1 part"), statement(NAMES[:1]), TROUBLED)
    owner.steps()
    assert len(owner.sent) == 1, "the part that it was told to hand out"


def test_the_tendency_uses_the_tool_as_it_is_offered() -> None:
    chat = agent(BOTTOM, an_order(list(NAMES[:2])), but(delegation=Delegation(tendency=1, trouble=0)))
    chat.step()
    assert [o["input_ref"] for o in chat.sent] == [list(NAMES[:2])]
    assert {"objective", "input_ref", "output_schema", "acceptance_criteria"} <= chat.sent[0].keys()
