"""A task order as its worker reads it, in parts: the lead's words are the lead's, everything around is the engine's."""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.accounting.parts import ENGINE, Part, joined
from harness.accounting.purposes import Purpose
from harness.delegation.checks.registry import CHECKS
from harness.delegation.order import DELEGATE, IF_BLOCKED, TaskOrder

VAGUE = "The result is not right. Please try again."
HISTORY = Part("[conversation so far]\n", ENGINE, Purpose.DISPATCH)
"""What stands before another agent's conversation."""


def order_parts(order: TaskOrder, author: str) -> list[Part]:
    """The first order for a subtask. Fields that say nothing are left out."""
    card = order.context_card
    criteria = [CHECKS[c.check].words(c.parameters) for c in order.acceptance_criteria]
    forbidden = ["handing the task on" if action == DELEGATE else action for action in order.forbidden_actions]
    schema = "" if order.output_schema is None else json.dumps(order.output_schema, ensure_ascii=False)
    fields = (
        ("Objective: ", order.objective),
        ("Input, to be read with your tools: ", ", ".join(order.input_ref)),
        ("Background: ", card.background),
        ("Facts:\n- ", "\n- ".join(card.local_facts)),
        ("Excluded:\n- ", "\n- ".join(card.excluded)),
        ("Constraints:\n- ", "\n- ".join(order.constraints)),
        ("Output schema: ", schema),
        ("Acceptance criteria:\n- ", "\n- ".join((*criteria, *order.unchecked))),
        ("Forbidden: ", ", ".join(forbidden)),
    )
    parts = []
    before = f"[order {order.subtask_id}]\n"
    for label, text in fields:
        if text:
            parts += [Part(before + label, ENGINE, Purpose.DISPATCH), Part(text, author, Purpose.DISPATCH)]
            before = "\n"
    parts.append(Part(f"{before}{IF_BLOCKED}", ENGINE, Purpose.DISPATCH))
    return parts


def feedback_part(order: TaskOrder, number: int, vague: bool) -> Part:
    """The next order for a subtask whose result was not accepted. ``number``: which try this is."""
    if vague:
        return Part(_again(order, number) + VAGUE, ENGINE, Purpose.FEEDBACK)
    return Part(joined(feedback_parts(order, number, ENGINE)), ENGINE, Purpose.FEEDBACK)


def feedback_parts(order: TaskOrder, number: int, author: str) -> list[Part]:
    """The same where an agent has said what is wrong: these words are its own."""
    return [
        Part(f"{_again(order, number)}Not accepted:\n- ", ENGINE, Purpose.FEEDBACK),
        Part("\n- ".join(order.feedback), author, Purpose.FEEDBACK),
        Part("\nSend the whole result again with these errors corrected.", ENGINE, Purpose.FEEDBACK),
    ]


def _again(order: TaskOrder, number: int) -> str:
    return f"[order {order.subtask_id}, try {number} of {order.max_retries + 1}]\n"


def history_parts(parts: Sequence[Part], before: Sequence[Part] = ()) -> list[Part]:
    """Another agent's conversation in front of an order, each piece with its author and purpose. ``before``: the
    conversation that this agent was itself given to read first, as it was laid out for it."""
    told = [HISTORY, *(p.forwarded() for p in before)]
    if before:
        told.append(Part("\n", ENGINE, Purpose.DISPATCH))
    for part in parts:
        told += [part.forwarded(), Part("\n", ENGINE, Purpose.DISPATCH)]
    return told
