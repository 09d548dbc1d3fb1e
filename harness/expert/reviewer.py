"""Agents made new to say one thing about a step, in a form that is read: a judgement, or a ruling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from harness.accounting.parts import ENGINE, Part
from harness.accounting.purposes import Purpose
from harness.agents.agent import Agent
from harness.delegation.order import TaskOrder
from harness.delegation.rendering import order_parts
from harness.errors import TopologyFailed
from harness.expert.prompts import FOUND_WRONG, ONCE_MORE, PRODUCT
from harness.expert.verdict import Unreadable
from harness.expert.work import Product
from harness.fence import fence

SIGN, LEAST = "=", 8
"""A fence is a line of so many of this sign, or more where the product holds as many."""
TRIES = 2
"""Answers in another form that are taken as a failure: one is asked for once more."""
_T = TypeVar("_T")


def shown(
    product: Product | None, order: TaskOrder, author: str, errors: Sequence[str] = (), by: str = ENGINE
) -> list[Part]:
    """What a reviewer reads: the product between fences that nothing in it can close, what was found wrong if that is
    to be told, and the order. ``author``: of the order."""
    parts = []
    if product is not None:
        line = fence(product.text, sign=SIGN, least=LEAST)
        parts.append(Part(f"{PRODUCT}\n{line}\n", ENGINE, Purpose.REVIEW))
        parts += [part.forwarded() for part in product.parts]
        parts.append(Part(f"\n{line}\n\n", ENGINE, Purpose.REVIEW))
    if errors:
        parts.append(Part(f"{FOUND_WRONG}\n- ", ENGINE, Purpose.REVIEW))
        parts.append(Part("\n- ".join(errors), by, Purpose.FEEDBACK))
        parts.append(Part("\n\n", ENGINE, Purpose.REVIEW))
    return [*parts, *order_parts(order, author)]


async def said(agent: Agent, told: Sequence[Part], max_steps: int, read: Callable[[str], _T]) -> _T:
    """What an agent says, as it is read. An answer that cannot be read is counted, and asked for once more. Raises what
    ends the agent, and TopologyFailed if it cannot be read again."""
    agent.product = Purpose.REVIEW
    agent.tell(*told)
    fault = ""
    for _ in range(TRIES):
        step = await agent.run(Purpose.REVIEW, max_steps)
        try:
            return read(step.text)
        except Unreadable as unreadable:
            fault = str(unreadable)
            agent.session.unparsable(agent.name, fault)
            agent.note(ONCE_MORE.format(fault=fault))
    raise TopologyFailed(f"its answer cannot be read: {fault}")
