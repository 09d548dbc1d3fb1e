"""Orders: what a lead writes for one part of the work, in the form that its tool asks for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.models.simulated.prompt.findings import example_in
from harness.models.simulated.prompt.handing import Payload
from harness.models.simulated.prompt.tool_names import POST, SEND
from harness.models.simulated.prompt.view import View
from harness.models.simulated.skills.act import Act, Asked
from harness.models.simulated.skills.criteria import criteria
from harness.models.simulated.skills.deciding import fixed

FACTS_FROM = 1000
"""Tokens from which a document's size is worth a fact."""
MOST_FACTS = 8
_ONE_SENTENCE = "one sentence"
_TEXT = {"type": ["string", "null"]}
_LIST = {"type": ["array", "null"], "items": {"type": "string"}}


def payload(view: View, part: Mapping[str, int], number: int, parts: int) -> Payload:
    """The order for one part. ``part``: documents with their sizes, or the questions of a task without documents;
    ``number``: its place among ``parts``, from 1."""
    form = view.team.order_form
    if form is not None:
        return _structured(view, part, number, parts, form)
    if _ONE_SENTENCE in view.team.order_hint:
        return _sentence(view, part)
    return _letter(view, part)


def _structured(view: View, part: Mapping[str, int], number: int, parts: int, form: Mapping[str, Any]) -> Payload:
    """Every field that the tool's schema knows."""
    documents = list(part) if view.documents else []
    entry = _example_entry(view)
    asked = view.team.questions_of(part)
    partly = bool(documents) and not view.team.owes_every_entry
    order: dict[str, Any] = {
        "objective": "\n".join(
            [
                "Answer those of these questions that the documents answer:" if partly else "Answer:",
                *(item.question for item in asked),
            ]
        ),
        "input_ref": documents,
        "context_card": {
            "background": f"Part {number} of {parts} of one list of questions; others read the other documents.",
            "local_facts": [f"{n} has {size:,} tokens" for n, size in part.items() if size >= FACTS_FROM][:MOST_FACTS],
            "excluded": ["documents that are not named here"] if documents else [],
        },
        "constraints": _constraints(view, partly, "output_schema" in form),
        "output_schema": _schema(entry),
        "acceptance_criteria": criteria(view, entry, _checks(form), bool(documents), asked),
    }
    return {name: value for name, value in order.items() if name in form}


def _constraints(view: View, partly: bool, schema: bool) -> list[str]:
    """``partly``: the documents may not answer all that is asked."""
    told = ["Give entries only for questions that these documents answer."] if partly else []
    if not schema and (example := example_in(view.statement)):
        told.append(f"Send back a JSON array in this form: {example}")
    return told + fixed(view)


def _schema(entry: Mapping[str, Any]) -> dict[str, Any]:
    fields = {n: _LIST if isinstance(e, list) else _TEXT if isinstance(e, str) else {} for n, e in entry.items()}
    items = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    return {"type": "array", "items": items}


def _checks(form: Mapping[str, Any]) -> Sequence[str]:
    """The checks that the tool's schema lists."""
    try:
        return list(form["acceptance_criteria"]["items"]["properties"]["check"]["enum"])
    except (KeyError, TypeError):
        return ()


def _example_entry(view: View) -> Mapping[str, Any]:
    """The entry that the statement shows as the form of the answer, or that an order's schema asks for; of an answer in
    blocks, a file and its content."""
    if view.in_blocks and view.questions:
        return {view.questions[0].naming: "", view.questions[0].telling: ""}
    try:
        shown = json.loads(example_in(view.statement))
    except ValueError:
        shown = None
    entry = shown[0] if isinstance(shown, list) and shown else shown
    items = entry.get("items") if isinstance(entry, Mapping) else None
    if isinstance(items, Mapping) and isinstance(items.get("properties"), Mapping):
        entry = {n: [] if "array" in str(f) else "" if f else {} for n, f in items["properties"].items()}
    return entry if isinstance(entry, Mapping) and entry else {"question": "", "answer": ""}


def _sentence(view: View, part: Mapping[str, int]) -> Payload:
    """The way one sends off a colleague: what to look at and what for, and nothing about what is wanted back."""
    if not view.documents:
        return "\n".join(["Please answer", *part, *fixed(view)])
    asked = (item.question for item in view.questions)
    return "\n".join([f"Please go through {', '.join(part)} for", *asked, *fixed(view)])


def _letter(view: View, part: Mapping[str, int]) -> Payload:
    """Plain text with everything that matters, for a tool that asks for no form."""
    lines = []
    if view.documents:
        lines.append("Read these documents:")
        lines += [f"- {name} ({size:,} tokens)" if size else f"- {name}" for name, size in part.items()]
        lines += ["", "Questions, word for word:", *(item.question for item in view.questions)]
        which = "only for questions that these documents answer"
    else:
        lines += ["Answer these questions, word for word:", *part]
        which = "one for each question"
    lines += fixed(view)
    example = example_in(view.statement)
    shown = f", in this form: {example}" if example else "."
    return "\n".join([*lines, "", f"Send back a JSON array of entries and nothing else, {which}{shown}"])


def handed_out(view: View, text: str, orders: Iterable[tuple[str, Payload]], beside: Sequence[Asked] = ()) -> Act:
    """The completion by which orders go out, each to its recipient, with other calls ``beside``."""
    if view.team.by_tags:
        return Act(text, tuple(beside), tuple(str(order) for _, order in orders))
    return Act(text, (*(_order_call(view, to, order) for to, order in orders), *beside))


def _order_call(view: View, to: str, order: Payload) -> Asked:
    """A dispatch or a post if there is a tool for it, else a message."""
    tool = view.team.tool
    structured = not isinstance(order, str)
    if tool == SEND:
        return SEND, {"to": to, "type": "task", "order" if structured else "content": order}
    if tool == POST:
        return POST, {"task": order}
    return tool, {"type": _type(view), "order" if structured else "task": order}


def _type(view: View) -> str:
    """The type of sub-agent that says it reads, or the first."""
    types = view.team.types
    return next((name for name, does in types.items() if "reads" in does), next(iter(types), ""))
