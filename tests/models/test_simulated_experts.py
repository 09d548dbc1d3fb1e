"""The simulated model as an expert at work on one step: what it reads, sends explorers for, and tells its peers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import sqrt
from typing import Any

import pytest

from harness.accounting.parts import joined
from harness.delegation.order import TaskOrder
from harness.delegation.reading import order_schema
from harness.delegation.rendering import order_parts
from harness.delegation.rules import Delegation
from harness.dispatch.definition import BUILT_IN
from harness.dispatch.dispatcher import RESULTS
from harness.expert.prompts import EXPLORERS, GENERATOR, GOAL, PEERS, UPSTREAM
from harness.models.protocol import ToolCall
from harness.models.simulated.behaviour import Agreement, Behaviour, Exploring

from .chat import (
    BRIEF,
    CORPUS,
    NAMES,
    SEND,
    Book,
    Chat,
    arguments,
    but,
    entries,
    entry,
    inbox,
    opened,
    question,
    reads,
    seed,
    statement,
    system,
    tool_schema,
    user,
)
from .test_simulated_agreement import BACK, FRONT, READ_FILE, STORE, WORDS, file_of

RUNS = range(100)
BOUND = 3.29
"""Standard errors: two-sided one in a thousand; the seeds are fixed."""
THREE = NAMES[:3]
_KIND = {"type": "string", "enum": ["explore"], "description": f"explore: {BUILT_IN['explore'].does}"}
DISPATCH = tool_schema("dispatch_sub_agent", {"type": _KIND, "order": order_schema(Delegation())}, ["type", "order"])
TALKS = but(agreement=Agreement(announce=1))


class Sends(Chat):
    """An expert whose explorers answer what their orders name, or fail. ``fails``: that they do."""

    fails = False

    def _result(self, call: ToolCall) -> str:
        if call.name != "dispatch_sub_agent":
            return super()._result(call)
        self.sent.append(arguments(call))
        found = json.dumps([entry(n) for n in self.sent[-1]["order"]["input_ref"]])
        return "[FAILED] subtask_2 by explore_1\nworker_steps: over" if self.fails else f"[SUCCESS] subtask_2\n{found}"


def expert(
    order: TaskOrder, *, whole: str = "", upstream: str = "", behaviour: Behaviour, run: int = 7, agent: int = 3,
    tools: Sequence[dict[str, Any]] = CORPUS, peers: str = "", explorers: bool = False,
) -> Sends:  # fmt: skip
    """Who reads the task as a whole, what others have found, and an order, as the engine shows them."""
    scaffold = GENERATOR.format(
        name="alice",
        field="",
        peers=PEERS.format(others=peers) if peers else "",
        explorers=EXPLORERS.format(results=RESULTS) if explorers else "",
    )
    told = f"{GOAL}{whole or statement()}\n\n{upstream}{joined(order_parts(order, 'planner'))}"
    return Sends(opened(behaviour), [system(f"{BRIEF}\n\n{scaffold}"), user(told)], tuple(tools), seed(run, agent))


def reading(names: Sequence[str] = THREE, forbidden: tuple[str, ...] = ("delegate",)) -> TaskOrder:
    objective = "\n".join(["Answer:", *map(question, names)])
    return TaskOrder("subtask_1", objective, tuple(names), forbidden_actions=forbidden)


# -- its order, and no more ----------------------------------------------------------------------------------------


def test_it_reads_and_answers_what_its_order_names_and_not_the_whole_task() -> None:
    chat = expert(reading(), behaviour=but())
    assert reads(chat.step()) == list(THREE)
    assert entries(chat.step()) == [entry(n) for n in THREE]


def test_what_others_have_found_before_it_is_taken_as_told() -> None:
    found = UPSTREAM.format(step="step_1", expert="bob") + json.dumps([entry(NAMES[0], "Nobody")]) + "\n\n"
    order = TaskOrder("subtask_2", f"Answer:\n{question(NAMES[0])}", ())
    assert entries(expert(order, upstream=found, behaviour=but(), tools=()).steps())[0]["answer"] == "Nobody"
    order = reading(NAMES[:1])
    right = expert(order, upstream=found, behaviour=but()).steps()
    assert entries(right) == [entry(NAMES[0])], "what it has read itself counts for more"


# -- explorers -----------------------------------------------------------------------------------------------------


def exploring(rate: float, **more: Any) -> Sends:
    told = {"explorers": True, "tools": (*CORPUS, DISPATCH), **more}
    return expert(reading(), behaviour=but(exploring=Exploring(rate=rate)), **told)


def test_an_explorer_reads_for_it_and_nothing_is_read_twice() -> None:
    chat = exploring(1.0)
    assert [c.name for c in chat.step().tool_calls] == ["dispatch_sub_agent"]
    (sent,) = chat.sent
    assert sent["type"] == "explore" and sent["order"]["input_ref"] == list(THREE)
    assert all(question(n) in sent["order"]["objective"] for n in THREE)
    response = chat.step()
    assert not response.tool_calls and entries(response) == [entry(n) for n in THREE]
    assert len(chat.sent) == 1


def test_when_its_explorer_fails_it_reads_itself() -> None:
    chat = exploring(1.0)
    chat.fails = True
    chat.step()
    assert reads(chat.step()) == list(THREE)
    assert entries(chat.steps()) == [entry(n) for n in THREE] and len(chat.sent) == 1


@pytest.mark.parametrize(
    "more", [{"rate": 0.0}, {"rate": 1.0, "explorers": False}, {"rate": 1.0, "tools": CORPUS}],
    ids=["not inclined", "not told", "no tool"],
)  # fmt: skip
def test_otherwise_it_reads_at_once(more: dict[str, Any]) -> None:
    chat = exploring(**more)
    assert reads(chat.step()) == list(THREE) and not chat.sent


def test_explorers_go_out_at_their_rate() -> None:
    sent = sum(bool(exploring(0.3, run=run).step().tool_calls[0].name == "dispatch_sub_agent") for run in RUNS)
    assert abs(sent / len(RUNS) - 0.3) < BOUND * sqrt(0.3 * 0.7 / len(RUNS))


@pytest.mark.parametrize("tools", [(DISPATCH, *CORPUS), (*reversed(CORPUS), DISPATCH)])
def test_the_order_of_tools_changes_nothing(tools: tuple[dict[str, Any], ...]) -> None:
    plain = [exploring(0.5, run=run).step().tool_calls for run in range(20)]
    assert [exploring(0.5, run=run, tools=tools).step().tool_calls for run in range(20)] == plain


# -- what it decides, and what others say --------------------------------------------------------------------------


def writing(line: str = BACK, *, peers: str = "bob, carol", behaviour: Behaviour = TALKS, **more: Any) -> Sends:
    """Who has to write one of three files that must agree."""
    order = TaskOrder("subtask_1", f"Write:\n{line}")
    tools = (READ_FILE, SEND)
    chat = expert(order, whole="\n".join((FRONT, BACK, STORE)), behaviour=behaviour, peers=peers, tools=tools, **more)
    chat.model.consult(Book(*map(file_of, (FRONT, BACK, STORE))))  # type: ignore[attr-defined]
    return chat


def written(chat: Chat) -> str:
    (given,) = entries(chat.steps())
    return str(given["content"]).removeprefix("# ")


def test_it_tells_each_of_its_peers_what_it_takes_and_looks_at_its_own_file() -> None:
    chat = writing()
    looked = chat.step()
    assert [(m["to"], m["type"]) for m in chat.sent] == [("bob", "progress"), ("carol", "progress")]
    (word,) = (w for w in WORDS if w in chat.sent[0]["content"])
    assert [arguments(c) for c in looked.tool_calls if c.name == "read_file"] == [{"file": "back.py"}]
    assert written(chat) == word and len(chat.sent) == 2, "said once"


@pytest.mark.parametrize("word", WORDS)
def test_it_follows_who_has_said_so_before(word: str) -> None:
    for run in range(5):
        late = writing(run=run)
        late.tell(inbox("progress", "bob", f"I go by {word}", "msg_2"))
        assert written(late) == word and not late.sent
        heard = writing(run=run)
        heard.step()
        heard.tell(inbox("progress", "bob", f"I go by {word}", "msg_2"))
        assert written(heard) == word


def test_word_from_a_peer_is_no_end_of_its_work() -> None:
    """Whoever has an order goes on with it; it does not only take note."""
    chat = writing(behaviour=but(agreement=Agreement(announce=0)))
    chat.tell(inbox("progress", "bob", "I have read my part.", "msg_2"))
    assert written(chat) in WORDS


def test_alone_or_not_inclined_it_announces_nothing() -> None:
    for chat in (writing(peers=""), writing(behaviour=but(agreement=Agreement(announce=0)))):
        assert written(chat) in WORDS and not chat.sent


def test_names_of_peers_change_nothing_of_what_is_said() -> None:
    for run in range(20):
        one, other = writing(run=run), writing(run=run, peers="the second one, 李雷")
        one.step()
        other.step()
        assert [m["content"] for m in one.sent] == [m["content"] for m in other.sent]
