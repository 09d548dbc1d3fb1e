"""Types of sub-agent: what each may use, and that it is never more than its parent has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.models import Call, Say

from harness.accounting.purposes import Purpose, Stance
from harness.agents.tools import TAGS, Tool
from harness.dispatch.definition import BUILT_IN, SubAgent, chosen
from harness.errors import ConfigError
from topologies.sync import Sync

from .stage import DONE, ReferenceSuite, dispatch, ran, results, tool

SHELF = [
    tool("grep", "read"),
    tool("edit", "write"),
    tool("bash", "exec"),
    tool("patch", "read", "write"),
    tool("note"),
]
"""Read, write and run, one that does two of them, and one without a tag."""


def names(tools: Sequence[Tool]) -> list[str]:
    return [t.name for t in tools]


def test_the_types_of_the_sources() -> None:
    """001: research. 004: explore, plan and reviewer look and run but change nothing; coder and general_purpose have
    all."""
    reading, all_of_them = ["grep", "bash", "note"], ["grep", "edit", "bash", "patch", "note"]
    assert {name: names(s.tools(SHELF)) for name, s in BUILT_IN.items()} == {
        "research": ["grep", "note"],
        "explore": reading,
        "plan": reading,
        "coder": all_of_them,
        "reviewer": reading,
        "general_purpose": all_of_them,
    }


def test_what_each_makes() -> None:
    assert {n: (s.intent, s.stance) for n, s in BUILT_IN.items() if s.makes != "answer"} == {
        "plan": (Purpose.PLAN, Stance.WORKER),
        "reviewer": (Purpose.REVIEW, Stance.REVIEWER),
    }
    assert (BUILT_IN["coder"].intent, BUILT_IN["coder"].product) == (Purpose.ANSWER, None)


@given(
    tags=st.lists(st.sampled_from(sorted(TAGS)), unique=True),
    shelf=st.lists(st.frozensets(st.sampled_from(sorted(TAGS))), max_size=6),
)
def test_never_more_than_its_parent_s(tags: list[str], shelf: list[frozenset[str]]) -> None:
    parents = [tool(f"t{n}", *some) for n, some in enumerate(shelf)]
    own = SubAgent("own", tags=tags).tools(parents)
    assert set(names(own)) <= set(names(parents))
    assert all(t.tags <= set(tags) for t in own)
    assert [t.name for t in parents if t.tags <= set(tags)] == names(own)


def test_a_definition_of_one_s_own() -> None:
    own = SubAgent("editor", "edits", "Edit only what is named.", ["write"])
    suite = ReferenceSuite(more_tools=SHELF)
    lead = [Say("", [dispatch(type="editor")]), DONE]
    workers = [Say("", [Call("grep"), Call("edit")]), Say("R.")]
    record, model = ran(lead, workers, suite=suite, definitions=[own], types=["editor"])
    (request,) = model.worked()[:1]
    assert [t["function"]["name"] for t in request.tools] == ["edit", "note"]
    assert "Edit only what is named." in str(request.messages[0]["content"])
    assert results(model.worked()[-1]) == ["There is no tool 'grep'. Your tools: edit, note.", "ok"]
    assert record.run.refused == 1
    offered = model.led()[0].tools[-1]["function"]["parameters"]["properties"]["type"]
    assert (offered["enum"], offered["description"]) == (["editor"], "editor: edits")


@pytest.mark.parametrize(
    ("types", "own", "said"),
    [
        (["reserch"], [], "Did you mean 'research'?"),
        ([], [], "at least one"),
        (["research", "research"], [], "name each type once"),
        (["research"], [SubAgent("")], "is empty, taken or no plain word"),
        (["research"], [SubAgent("coder")], "taken"),
        (["research"], [SubAgent("my type")], "no plain word"),
        (["research"], [SubAgent("auditor", does="audits")], "needs `does`"),
    ],
)
def test_types_that_cannot_be(types: list[str], own: list[SubAgent], said: str) -> None:
    with pytest.raises(ConfigError, match="topology") as fault:
        Sync(types=types, definitions=own)
    assert said in str(fault.value)


def test_an_unknown_tag() -> None:
    with pytest.raises(ConfigError, match="tag of sub-agent type 'x' 'raed'") as fault:
        SubAgent("x", tags=["raed"])
    assert "Did you mean 'read'?" in str(fault.value)


def test_any_choice_of_types_is_on_offer_in_its_order() -> None:
    for some in combinations(BUILT_IN, 2):
        assert list(chosen(some, ())) == list(some)


@pytest.mark.parametrize("name", ["max_dispatches", "lead_steps", "worker_steps", "worker_timeout_s"])
def test_bounds_are_above_nought(name: str) -> None:
    make: Callable[..., Sync] = Sync
    with pytest.raises(ConfigError, match=f"topology.{name}=0: must be above 0"):
        make(**{name: 0})
