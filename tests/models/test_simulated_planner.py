"""The simulated model told to plan: which step goes to whom, and what of a plan is written anew."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import sqrt
from typing import Any

import pytest

from harness.delegation.reading import order_schema
from harness.delegation.rules import Delegation
from harness.expert.plan import shape_faults
from harness.expert.prompts import PLAN_TAKEN, PLANNER, REPLAN
from harness.models.oracle import Item
from harness.models.protocol import ToolCall
from harness.models.simulated.behaviour import Behaviour, Malformed, Planning

from .chat import (
    BRIEF,
    CORPUS,
    LIST,
    NAMES,
    TEXT,
    Book,
    Chat,
    arguments,
    but,
    entries,
    entry,
    opened,
    question,
    seed,
    statement,
    system,
    tool_schema,
    user,
)

Steps = list[dict[str, Any]]
TEAM = ("alice", "bob", "carol")
RUNS = range(100)
BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""
SURE = but(planning=Planning(misassign=0))
STEP = {
    "type": "object",
    "properties": {
        "id": TEXT,
        "expert": TEXT,
        "depends_on": {"type": "array", "items": TEXT},
        "risk": TEXT,
        "order": order_schema(Delegation()),
    },
}
SUBMIT = tool_schema("submit_plan", {"steps": {"type": "array", "items": STEP}}, ["steps"])
TRADES = {"clerk": "customs clerk", "baker": "baker (bread; not cake)", "smith": "blacksmith"}
FIELDS = ("customs clerk", TRADES["baker"], "blacksmith", None)
CASES = [f"case {n}: what is due for it?" for n in range(12)]


class Plans(Chat):
    """A planner's conversation. ``refusals``: what its next plans come back with, before one is accepted."""

    refusals: Sequence[str] = ()

    def _result(self, call: ToolCall) -> str:
        if call.name != "submit_plan":
            return super()._result(call)
        refused, self.refusals = self.refusals[:1], self.refusals[1:]
        return f"error: Plan refused. {refused[0]}" if refused else PLAN_TAKEN


def planner(
    asked: str | None = None, *, experts: Sequence[str] = TEAM, steps: int = 8, behaviour: Behaviour = SURE,
    run: int = 7, tools: Sequence[dict[str, Any]] = (SUBMIT,), prompt: str = PLANNER,
) -> Plans:  # fmt: skip
    told = prompt.format(experts="; ".join(experts), steps=steps)
    asked = statement() if asked is None else asked
    return Plans(opened(behaviour), [system(f"{BRIEF}\n\n{told}"), user(asked)], tuple(tools), seed(run))


def written(chat: Chat) -> Steps:
    (call,) = chat.step().tool_calls
    assert call.name == "submit_plan"
    steps: Steps = arguments(call)["steps"]
    return steps


def documents(steps: Steps) -> list[str]:
    return [name for step in steps for name in step["order"]["input_ref"]]


def asked_by(steps: Steps) -> list[str]:
    """The cases that the steps' orders ask, each as often as it is asked."""
    return [line for step in steps for line in step["order"]["objective"].split("\n") if line in CASES]


# -- dividing ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 3, 8])
@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_every_document_is_in_just_one_order_of_a_plan_that_is_not_too_long(size: int, most: int) -> None:
    steps = written(planner(statement(NAMES[:size]), steps=most))
    assert sorted(documents(steps)) == sorted(NAMES[:size])
    assert len(steps) == min(size, 3, most), "three experts, and three documents are enough for one order"
    assert len({step["expert"] for step in steps}) == len(steps)
    assert shape_faults(steps, TEAM, most) == []
    assert all(step["depends_on"] == [] and step["risk"] == "MEDIUM" for step in steps)
    assert all(question(name) in steps[0]["order"]["objective"] for name in NAMES[:size]), "any may answer any"


def test_the_orders_are_those_that_a_lead_writes_for_the_same_form() -> None:
    order = written(planner())[0]["order"]
    assert set(order_schema(Delegation())["required"]) <= set(order) <= set(order_schema(Delegation())["properties"])
    assert {"check": "names_source", "field": "clause_ref"} in order["acceptance_criteria"]


def test_no_order_asks_that_answers_be_quotations() -> None:
    """A right answer in other words would fail the review, however the form of orders offers the check."""
    kinds = {check["check"] for step in written(planner()) for check in step["order"]["acceptance_criteria"]}
    assert "quote_in_source" in json.dumps(SUBMIT) and kinds and "quote_in_source" not in kinds


def test_a_team_of_one_does_it_in_orders_of_a_handy_size() -> None:
    steps = written(planner(experts=("alice",)))
    assert [step["expert"] for step in steps] == ["alice"] * 3
    assert sorted(documents(steps)) == sorted(NAMES)


def trades(experts: Mapping[str, str] = TRADES, cases: Sequence[str] = CASES, **more: Any) -> Plans:
    """A planner of questions without documents, each the field of one expert or of nobody."""
    chat = planner("\n".join(cases), experts=[f"{name} ({does})" for name, does in experts.items()], **more)
    chat.model.consult(Book(*(_case(line, FIELDS[n % 4]) for n, line in enumerate(CASES))))  # type: ignore[attr-defined]
    return chat


def _case(line: str, field: str | None) -> Item:
    return Item(line, (line,), {"question": line, "answer": "1"}, ({"question": line, "answer": "2"},), field=field)


def whose(line: str) -> str | None:
    """The expert whose field a case is."""
    return (*TRADES, None)[CASES.index(line) % 4]


def test_questions_go_to_whose_field_they_are_and_those_of_nobody_are_divided() -> None:
    steps = written(trades())
    assert sorted(asked_by(steps)) == sorted(CASES)
    assert [step["expert"] for step in steps] == list(TRADES)
    for step in steps:
        own = asked_by([step])
        assert {whose(line) for line in own} == {step["expert"], None} and len(own) == 4


@pytest.mark.parametrize("most", [1, 2])
def test_with_fewer_steps_than_fields_an_expert_gets_another_field_too(most: int) -> None:
    steps = written(trades(steps=most))
    assert sorted(asked_by(steps)) == sorted(CASES) and len(steps) == most
    assert shape_faults(steps, list(TRADES), most) == []


def test_an_expert_without_a_question_has_no_step() -> None:
    steps = written(trades(cases=[CASES[0], CASES[2]]))
    assert [(step["expert"], asked_by([step])) for step in steps] == [("clerk", [CASES[0]]), ("smith", [CASES[2]])]


def test_questions_are_misassigned_at_their_rate() -> None:
    """Of nine questions that are somebody's field, to either of the two others alike."""
    lost = dict.fromkeys(TRADES, 0)
    for run in RUNS:
        for step in written(trades(run=run, behaviour=but(planning=Planning(misassign=0.2)))):
            for line in asked_by([step]):
                lost[step["expert"]] += whose(line) not in (step["expert"], None)
    drawn = 9 * len(RUNS)
    assert abs(sum(lost.values()) / drawn - 0.2) < BOUND * sqrt(0.2 * 0.8 / drawn)
    each = sum(lost.values()) / 3
    assert all(abs(n - each) < BOUND * sqrt(each) for n in lost.values())


@pytest.mark.parametrize("chain", [0.0, 1.0])
def test_steps_in_a_chain_depend_each_on_the_one_before(chain: float) -> None:
    steps = written(planner(behaviour=but(planning=Planning(chain=chain))))
    ids = [step["id"] for step in steps]
    assert [step["depends_on"] for step in steps] == ([[], [ids[0]], [ids[1]]] if chain else [[], [], []])


def test_chains_come_at_their_rate() -> None:
    behaviour = but(planning=Planning(chain=0.3))
    chained = sum(bool(written(planner(run=run, behaviour=behaviour))[1]["depends_on"]) for run in RUNS)
    assert abs(chained / len(RUNS) - 0.3) < BOUND * sqrt(0.3 * 0.7 / len(RUNS))


# -- writing it anew -----------------------------------------------------------------------------------------------


def test_a_refused_plan_is_written_anew() -> None:
    chat = planner()
    chat.refusals = ["The plan has 3 steps; at most 2 are allowed."]
    assert written(chat) == written(chat), "it has not been told anything that would change it"


def test_a_plan_cut_off_is_mended() -> None:
    chat = planner(behaviour=but(planning=Planning(misassign=0), malformed=Malformed(rate=1, length=1)))
    (broken,) = chat.step().tool_calls
    assert not broken.arguments.endswith("}")
    chat.model = opened(SURE)
    assert sorted(documents(written(chat))) == sorted(NAMES)


def again(chat: Plans, done: Sequence[str], why: str = "BLOCKED: I cannot open it.") -> Steps:
    chat.tell(REPLAN.format(why=why, done=", ".join(done) or "nothing"))
    return written(chat)


@pytest.mark.parametrize("done", [(), ("step_2",), ("step_1", "step_3")])
def test_what_is_done_is_not_planned_again(done: tuple[str, ...]) -> None:
    chat = planner()
    first = written(chat)
    rest = [name for step in first if step["id"] not in done for name in step["order"]["input_ref"]]
    second = again(chat, done)
    assert sorted(documents(second)) == sorted(rest)
    ids = [step["id"] for step in (*first, *second)]
    assert len(set(ids)) == len(ids), "also those of steps that failed, so that nobody takes one for the other"
    assert shape_faults(second, TEAM, 8, done) == []


def test_nor_are_questions_that_are_answered() -> None:
    chat = trades()
    (clerk, *others) = written(chat)
    second = again(chat, [clerk["id"]])
    assert sorted(asked_by(second)) == sorted(asked_by(others))


def test_a_refused_second_plan_still_leaves_out_what_is_done() -> None:
    chat = planner()
    first = written(chat)
    chat.refusals = ["Step 'step_4': The objective is empty."]
    refused = again(chat, [first[0]["id"]])
    assert written(chat) == refused and not set(documents(refused)) & set(documents(first[:1]))


# -- recognised by its words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("tools", [(), (LIST,), CORPUS])
def test_without_the_tool_nobody_plans(tools: Sequence[dict[str, Any]]) -> None:
    response = planner(tools=tools).steps()
    assert not response.tool_calls and [e["question"] for e in entries(response)] == list(map(question, NAMES))


def test_without_a_team_there_is_nobody_to_plan_for() -> None:
    chat = planner(prompt="You plan your own work. Hand in a plan with submit_plan.", tools=(*CORPUS, SUBMIT))
    assert [e["question"] for e in entries(chat.steps())] == list(map(question, NAMES))


def test_told_the_results_it_combines_them() -> None:
    chat = planner()
    steps = written(chat)
    chat.tools = ()
    chat.tell("".join(json.dumps([entry(n) for n in step["order"]["input_ref"]]) for step in steps))
    assert entries(chat.step()) == [entry(n) for n in NAMES]


@cache
def plain() -> list[Steps]:
    return [written(trades(run=run, behaviour=Behaviour(malformed=Malformed(rate=0)))) for run in range(40)]


@pytest.mark.parametrize(
    ("names", "tools"),
    [
        (("zoe", "the second one", "李雷"), (SUBMIT,)),
        (("smith", "clerk", "baker"), (SUBMIT,)),
        (tuple(TRADES), (*CORPUS, SUBMIT)),
        (tuple(TRADES), (SUBMIT, *reversed(CORPUS))),
    ],
)
def test_renaming_experts_and_shuffling_tools_changes_no_plan(names: tuple[str, ...], tools: Any) -> None:
    """But for the names that stand in it."""
    renamed = dict(zip(names, TRADES.values(), strict=True))
    behaviour = Behaviour(malformed=Malformed(rate=0))
    found = [written(trades(renamed, run=run, tools=tools, behaviour=behaviour)) for run in range(40)]
    back = dict(zip(names, TRADES, strict=True))
    assert [[{**s, "expert": back[s["expert"]]} for s in steps] for steps in found] == plain()
