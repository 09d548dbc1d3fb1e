"""Files of independent steps, merged by code: what is right does not depend on who is asked first."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import given, settings
from hypothesis import strategies as st
from support.experts import PASS, data, plan, step, team
from support.models import Say, heard

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose
from harness.agents.tools import Arguments, Tool
from harness.blocks import block
from harness.delegation.materials import Materials
from harness.delegation.order import TaskOrder
from harness.expert.plan import Risk, Step
from harness.expert.work import Product, Work
from harness.expert.workspace import Merged, merged, written

NAMES = st.sampled_from(["a.py", "b.py", "src/c.py", "d.txt"])
WORDS = st.sampled_from(["", "x = 1", "x = 2", "one\n\ntwo", "```\nfenced\n```", "  indented"])
FILES = st.dictionaries(NAMES, WORDS, min_size=1, max_size=4)


def text(files: Mapping[str, str]) -> str:
    return "\n\n".join(block(name, content) for name, content in files.items())


def work(id: str, files: Mapping[str, str], *needs: str) -> Work:
    """A step that has written these files; nothing else of a work is looked at."""
    made = Step(id, "alice", needs, Risk.LOW, TaskOrder(id, "Write."), {})
    return cast(Work, SimpleNamespace(step=made, product=Product((Part(text(files), "alice", Purpose.ANSWER),))))


def merge(works: Sequence[Work], own: Mapping[str, str] | None = None) -> Merged:
    """``own``: the task's files."""
    found = asyncio.run(merged(works, materials(own or {})))
    assert found is not None
    return found


def materials(own: Mapping[str, str]) -> Materials:
    async def read(arguments: Arguments) -> str:
        return own[arguments["name"]]

    shape: dict[str, Any] = {
        "type": "object",
        "properties": {"name": {"enum": list(own)}},
        "required": ["name"],
        "additionalProperties": False,
    }
    return Materials([Tool("read", "", shape, frozenset({"read"}), read, reference="name")] if own else [])


@given(FILES)
def test_what_is_written_is_read_again(files: dict[str, str]) -> None:
    assert written(text(files)) == files


@given(FILES, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_disjoint_writers_are_merged_whatever_their_order(files: dict[str, str], chance: Any) -> None:
    """Each file has one writer, so that the right merge is simply all of them."""
    works = [work(f"s{n}", {name: content}) for n, (name, content) in enumerate(files.items())]
    chance.shuffle(works)
    found = merge(works)
    assert dict(found.files) == files and not found.conflicts


@given(FILES, FILES, FILES)
@settings(max_examples=150)
def test_two_writers_merge_three_ways(own: dict[str, str], left: dict[str, str], right: dict[str, str]) -> None:
    """The rule of every three-way merge, for whole files: one change wins, equal changes agree, two are a conflict."""
    conflicts, right_one = set(), {}
    for name in left.keys() | right.keys():
        base = own.get(name)
        changes = {side[name] for side in (left, right) if name in side and side[name] != base}
        if len(changes) > 1:
            conflicts.add(name)
        else:
            right_one[name] = changes.pop() if changes else str(base)
    for first, second in ((left, right), (right, left)):
        found = merge([work("l", first), work("r", second)], own)
        assert found.conflicts.keys() == conflicts and found.files.keys() == left.keys() | right.keys()
        assert {n: c for n, c in found.files.items() if n not in conflicts} == right_one


@given(FILES, FILES)
def test_a_step_that_builds_upon_another_never_conflicts_with_it(
    earlier: dict[str, str], later: dict[str, str]
) -> None:
    found = merge([work("early", earlier), work("between", {"z.py": "z"}, "early"), work("late", later, "between")])
    assert dict(found.files) == {**earlier, "z.py": "z", **later} and not found.conflicts


def test_what_both_build_upon_is_what_they_have_read() -> None:
    """Not the task's own file, which nobody has read any more."""
    first = work("first", {"a.py": "1"})
    left, right = work("left", {"a.py": "1"}, "first"), work("right", {"a.py": "0"}, "first")
    assert dict(merge([first, left, right], {"a.py": "0"}).files) == {"a.py": "0"}


def test_prose_beside_nameless_blocks_is_no_workspace() -> None:
    assert written("see below\n```\nx\n```") is None and written("words only") is None
    assert asyncio.run(merged([work("a", {"a.py": ""}), work("b", {})], materials({}))) is None


def test_a_conflict_is_settled_by_the_planner_who_is_told_who_wrote_what() -> None:
    acts = {"planner": [plan(step("a"), step("b", "bob")), Say("settled")], "evaluator": [PASS], "evaluator_2": [PASS]}
    record, model = team(acts | {"alice": [Say(block("x.py", "1"))], "bob": [Say(block("x.py", "2"))]})
    assert data(record, "WORKSPACE_CONFLICT") == [{"conflicts": {"x.py": ["a", "b"]}}]
    assert "x.py (steps a, b)" in heard(model.of("planner")[1]) and record.run.answer == "settled"
    assert not model.of("planner")[1].tools, "nothing to look up: only to settle"


def test_without_a_conflict_there_is_no_such_event_and_no_call() -> None:
    acts = {"planner": [plan(step("a"), step("b", "bob"))], "evaluator": [PASS], "evaluator_2": [PASS]}
    record, _ = team(acts | {"alice": [Say(block("x.py", "1"))], "bob": [Say(block("x.py", "1"))]})
    assert not data(record, "WORKSPACE_CONFLICT") and record.run.answer == block("x.py", "1")
    assert [c.agent for c in record.calls].count("planner") == 1
