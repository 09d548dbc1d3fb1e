"""From what a lead wrote to a task order, or to all that is wrong with it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.agents.tools import ToolFailed
from harness.delegation.checks.criterion import Criterion
from harness.delegation.checks.registry import CHECKS, CriterionRefused, contradictions, criteria_schema, parse
from harness.delegation.materials import Materials
from harness.delegation.order import DELEGATE, ContextCard, TaskOrder
from harness.delegation.ring import check_schema, normalised
from harness.delegation.rules import Delegation

_TEXTS = {"type": "array", "items": {"type": "string"}}


class OrderRefused(ToolFailed):
    """An order that cannot be sent. ``faults``: all that is wrong with it, a sentence each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("Order refused. " + " ".join(faults) + " Correct it and send it again.")
        self.faults = tuple(faults)


def order_schema(rules: Delegation, forbids: Sequence[str] = (DELEGATE,)) -> dict[str, Any]:
    """The JSON schema of an order in a tool's parameters. It is paid for in every call of a lead: short. ``forbids``:
    what an order forbids that does not say."""
    card = {
        "type": "object",
        "description": f"at most {rules.card_tokens} tokens in all; name material in input_ref, do not copy it",
        "properties": {
            "background": {"type": "string", "description": "where this part stands in the whole, in a few sentences"},
            "local_facts": {**_TEXTS, "description": "what matters for this part"},
            "excluded": {**_TEXTS, "description": "what is not to be looked at"},
        },
        "required": ["background"],
        "additionalProperties": False,
    }
    criteria = "checked by code where a check is named" if rules.validate else "told to the worker"
    properties: dict[str, Any] = {
        "objective": {"type": "string", "description": "what to do, with any questions word for word"},
        "input_ref": {**_TEXTS, "description": "names of the material to read"},
        "context_card": card,
        "constraints": _TEXTS,
        "output_schema": {"type": "object", "description": "JSON schema of the result: needed fields only"},
        "acceptance_criteria": {"type": "array", "description": criteria, "items": criteria_schema()},
        "max_retries": {
            "type": "integer",
            "description": f"how often a result that fails the checks may be sent back, 0 to {rules.max_retries}",
        },
        "forbidden_actions": {**_TEXTS, "description": _forbidden(forbids)},
    }
    if not rules.validate:
        del properties["max_retries"]
    if rules.context == "history":
        del properties["context_card"]
    if not rules.output_gate:
        del properties["output_schema"]
    asked = ("objective", "input_ref", "context_card", "output_schema", "acceptance_criteria")
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in asked if name in properties],
        "additionalProperties": False,
    }


def _forbidden(forbids: Sequence[str]) -> str:
    default = f"{', '.join(forbids)}; [] forbids nothing" if forbids else "none"
    return f"tool names or tags; default: {default}"


async def read_order(
    written: Mapping[str, Any],
    number: Callable[[], str],
    rules: Delegation,
    materials: Materials,
    forbids: Sequence[str] = (DELEGATE,),
) -> TaskOrder:
    """The order that a lead wrote, which fits ``order_schema``; ``number`` gives it its id, and ``forbids`` is what it
    forbids if it does not say.

    Raises OrderRefused with every fault, for the lead to read: an empty objective, an oversize card, material that
    cannot be read, an unknown check or one with wrong parameters, criteria that contradict each other, a schema that is
    none, retries beyond what the rules allow.
    """
    faults: list[str] = []
    objective = str(written.get("objective") or "").strip()
    if not objective:
        faults.append("objective is empty: say what to do.")
    card = _card(written.get("context_card") or {})
    if card.tokens > rules.card_tokens:
        faults.append(
            f"context_card has {card.tokens:,} tokens, the most is {rules.card_tokens:,}: shorten it; name material in "
            "input_ref instead of copying it."
        )
    references = tuple(dict.fromkeys(_texts(written.get("input_ref"))))
    if materials.known:
        faults += await materials.missing(references)
    schema = written.get("output_schema") if rules.output_gate else None
    if schema is not None:
        schema = normalised(schema)
        fault = check_schema(schema)
        if fault is not None:
            faults.append(f"output_schema: {fault}")
            schema = None
    criteria, unchecked = _criteria(written.get("acceptance_criteria") or (), faults)
    faults += contradictions(criteria, schema, references)
    if not materials.known and (blind := [c.check for c in criteria if CHECKS[c.check].step == "source"]):
        faults.append(f"{', '.join(blind)}: this task has no material to compare with; leave it out.")
    retries = int(written.get("max_retries", rules.max_retries))  # 2.0 is an integer to JSON schema
    if not 0 <= retries <= rules.max_retries:
        faults.append(f"max_retries is {retries}: 0 to {rules.max_retries} are allowed.")
    forbidden = _texts(written.get("forbidden_actions", forbids))
    for action in forbidden:
        known = materials.actions | {DELEGATE}
        if action not in known and (close := difflib.get_close_matches(action, known, n=1, cutoff=0.8)):
            faults.append(f"forbidden action '{action}' is no tool and no tag. Did you mean '{close[0]}'?")
    if faults:
        raise OrderRefused(faults)
    return TaskOrder(
        subtask_id=number(),
        objective=objective,
        input_ref=references,
        context_card=card,
        constraints=_texts(written.get("constraints")),
        output_schema=schema,
        acceptance_criteria=criteria,
        unchecked=unchecked,
        max_retries=retries,
        forbidden_actions=forbidden,
    )


def _card(written: Mapping[str, Any]) -> ContextCard:
    return ContextCard(
        str(written.get("background") or ""), _texts(written.get("local_facts")), _texts(written.get("excluded"))
    )


def _texts(written: Any) -> tuple[str, ...]:
    return tuple(str(text) for text in written or () if str(text).strip())


def _criteria(written: Sequence[Any], faults: list[str]) -> tuple[tuple[Criterion, ...], tuple[str, ...]]:
    """(criteria with a check, criteria in free text); what is wrong goes to ``faults``."""
    checked, free = [], []
    for number, raw in enumerate(written, 1):
        try:
            criterion = parse(raw)
        except CriterionRefused as refused:
            faults.append(f"acceptance criterion {number}: {refused}")
            continue
        if isinstance(criterion, Criterion):
            checked.append(criterion)
        else:
            free.append(criterion)
    return tuple(checked), tuple(free)
