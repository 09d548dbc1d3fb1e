"""What a worker reads of an order: every field that says something, whose words they are, and what they are for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from harness.accounting.parts import ENGINE, TASK, TOOL, Part, joined
from harness.accounting.purposes import Purpose
from harness.delegation.checks.criterion import Criterion
from harness.delegation.order import IF_BLOCKED, ContextCard, TaskOrder
from harness.delegation.rendering import VAGUE, feedback_part, history_parts, order_parts

from .test_order import WHOLE


def test_every_field_is_told() -> None:
    assert joined(order_parts(WHOLE, "lead")) == (
        "[order subtask_004]\n"
        "Objective: 根据 docs/contract_2023.md 生成 5 条问答条目\n"
        "Input, to be read with your tools: docs/contract_2023.md\n"
        "Background: Entries for a knowledge base.\n"
        "Facts:\n- Section 3: payment.\n"
        "Excluded:\n- Contracts of 2022.\n"
        "Constraints:\n- At most 120 characters an answer.\n"
        'Output schema: {"type": "array"}\n'
        "Acceptance criteria:\n- the result: must have at least 5 entries\n- Friendly in tone.\n"
        "Forbidden: handing the task on, write\n"
        f"{IF_BLOCKED}"
    )


def test_what_says_nothing_is_left_out() -> None:
    assert joined(order_parts(TaskOrder("s1", "Look.", forbidden_actions=()), "lead")) == (
        f"[order s1]\nObjective: Look.\n{IF_BLOCKED}"
    )


def test_the_lead_s_words_are_the_lead_s_and_all_of_it_is_dispatch() -> None:
    parts = order_parts(WHOLE, "lead")
    assert {p.purpose for p in parts} == {Purpose.DISPATCH}
    assert {p.author for p in parts} == {"lead", ENGINE}
    by_lead = "".join(p.text for p in parts if p.author == "lead")
    by_engine = "".join(p.text for p in parts if p.author == ENGINE)
    for own in (
        "问答条目",
        "knowledge base",
        "Section 3",
        "2022",
        "120 characters",
        '"array"',
        "at least 5 entries",
        "Friendly",
    ):
        assert own in by_lead and own not in by_engine
    assert IF_BLOCKED in by_engine


def test_the_next_order_says_which_try_it_is_and_every_error() -> None:
    order = WHOLE.again(("entry 3: clause_ref is missing", "entry 5: 金额 has 1 decimal, 2 are asked for"))
    part = feedback_part(order, 2, vague=False)
    assert (part.author, part.purpose) == (ENGINE, Purpose.FEEDBACK)
    assert part.text == (
        "[order subtask_004, try 2 of 3]\nNot accepted:\n- entry 3: clause_ref is missing\n"
        "- entry 5: 金额 has 1 decimal, 2 are asked for\nSend the whole result again with these errors corrected."
    )


def test_vague_feedback_says_nothing_that_could_be_mended() -> None:
    part = feedback_part(WHOLE.again(("entry 3: clause_ref is missing",)), 3, vague=True)
    assert part.text == f"[order subtask_004, try 3 of 3]\n{VAGUE}"
    assert part.purpose == Purpose.FEEDBACK


def test_history_keeps_every_author_and_purpose() -> None:
    said = [
        Part("statement", TASK, Purpose.TASK),
        Part('"c\\u0061ll"', "lead", Purpose.DISPATCH, "call"),
        Part("document", TOOL, Purpose.TASK),
        Part("result", "research_1", Purpose.ANSWER),
    ]
    parts = history_parts(said)
    kept = [(p.key, p.author, p.purpose) for p in parts if p.text not in ("\n", "[conversation so far]\n")]
    assert kept == [(p.key, p.author, p.purpose) for p in said]
    frame = [p for p in parts if p.text in ("\n", "[conversation so far]\n")]
    assert {(p.author, p.purpose) for p in frame} == {(ENGINE, Purpose.DISPATCH)}
    assert parts[1].text == "statement"


texts = st.text(min_size=1, max_size=20)
lists = st.lists(texts, max_size=3).map(tuple)


@given(objective=texts, refs=lists, background=texts, facts=lists, excluded=lists, constraints=lists, actions=lists)
def test_no_word_of_the_order_is_lost(
    objective: str, refs: tuple[str, ...], background: str, facts: tuple[str, ...], excluded: tuple[str, ...],
    constraints: tuple[str, ...], actions: tuple[str, ...],
) -> None:  # fmt: skip
    order = TaskOrder(
        "s", objective, refs, ContextCard(background, facts, excluded), constraints, {"type": "array"},
        (Criterion("count", {"min": 1}),), (), 0, actions,
    )  # fmt: skip
    text = joined(order_parts(order, "lead"))
    for said in (objective, *refs, background, *facts, *excluded, *constraints, *actions):
        assert said in text
