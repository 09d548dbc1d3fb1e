"""The task order itself: its fields, its card's size, and the word by which a worker says that it is blocked."""

from __future__ import annotations

import json

import pytest
from support.texts import text_of_tokens

from harness.delegation.checks.criterion import Criterion
from harness.delegation.order import BLOCKED, IF_BLOCKED, ContextCard, TaskOrder, blocker

WHOLE = TaskOrder(
    subtask_id="subtask_004",
    objective="根据 docs/contract_2023.md 生成 5 条问答条目",
    input_ref=("docs/contract_2023.md",),
    context_card=ContextCard("Entries for a knowledge base.", ("Section 3: payment.",), ("Contracts of 2022.",)),
    constraints=("At most 120 characters an answer.",),
    output_schema={"type": "array"},
    acceptance_criteria=(Criterion("count", {"min": 5}),),
    unchecked=("Friendly in tone.",),
    max_retries=2,
    forbidden_actions=("delegate", "write"),
    feedback=("entry 3: clause_ref is missing",),
)


def test_the_row_has_every_field_of_the_order() -> None:
    """The fields of 003, sections 2.1, 4.2, 4.3 (feedback) and 5.4 (what to do when blocked)."""
    assert WHOLE.as_json() == {
        "subtask_id": "subtask_004",
        "objective": "根据 docs/contract_2023.md 生成 5 条问答条目",
        "input_ref": ["docs/contract_2023.md"],
        "context_card": {
            "background": "Entries for a knowledge base.",
            "local_facts": ["Section 3: payment."],
            "excluded": ["Contracts of 2022."],
        },
        "constraints": ["At most 120 characters an answer."],
        "output_schema": {"type": "array"},
        "acceptance_criteria": [{"check": "count", "min": 5}, "Friendly in tone."],
        "max_retries": 2,
        "forbidden_actions": ["delegate", "write"],
        "if_blocked": IF_BLOCKED,
        "feedback": ["entry 3: clause_ref is missing"],
    }
    assert json.loads(json.dumps(WHOLE.as_json())) == WHOLE.as_json()


def test_the_next_order_differs_in_its_feedback_only() -> None:
    again = WHOLE.again(("entry 1: too long",))
    assert {**again.as_json(), "feedback": None} == {**WHOLE.as_json(), "feedback": None}
    assert again.feedback == ("entry 1: too long",)


def test_a_card_weighs_what_its_three_fields_weigh() -> None:
    card = ContextCard(text_of_tokens(100), (text_of_tokens(20), text_of_tokens(30)), (text_of_tokens(7),))
    assert card.tokens == 157
    assert ContextCard().tokens == 0


def test_what_nothing_checks() -> None:
    """003's own forbidden action is a sentence; names of tools and tags are checked, however they are spelt."""
    order = TaskOrder(
        "s",
        "o",
        unchecked=("Friendly in tone.",),
        forbidden_actions=("delegate", "mcp.read-file_2", "禁止创建任何新的子代理来处理本任务", "do not guess"),
    )
    assert order.in_words == ("Friendly in tone.", "禁止创建任何新的子代理来处理本任务", "do not guess")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("BLOCKED: the table cannot be read.", "the table cannot be read."),
        ("\n  BLOCKED:无法识别表格 \n", "无法识别表格"),
        ("BLOCKED:", ""),
        ("**Blocked:** the scan is illegible", "the scan is illegible"),
        ("```\nBLOCKED: no access\n```", "no access"),
        ("[]", None),
        ("", None),
        ("I am not BLOCKED: here it is.", None),
        ('["BLOCKED: no"]', None),
    ],
)
def test_a_worker_says_what_blocks_it(text: str, why: str | None) -> None:
    assert blocker(text) == why


def test_the_worker_is_told_the_very_word() -> None:
    assert BLOCKED in IF_BLOCKED
    assert "Do not widen the task." in IF_BLOCKED
