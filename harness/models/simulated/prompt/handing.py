"""Orders as a lead finds them in its own history, whichever way they went out: by a tool, by message, in tags."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.models.simulated.prompt.inbox import Block
from harness.models.simulated.prompt.tool_names import DISPATCH, POST, SEND

if TYPE_CHECKING:
    from harness.models.simulated.prompt.calls import Call
    from harness.models.simulated.prompt.view import View

Payload = str | Mapping[str, Any]
"""What stands in the field of an order: a text, or a structured order."""
_NO_RESULT = ("[FAILED]", "[PARTIAL_SUCCESS]")
_BLOCKED = "[blocked]"
_TAG = re.compile(r"<delegate>(.*?)(</delegate>|(?=<delegate>)|\Z)", re.S)
_REPORT = re.compile(r"^(?:\[[A-Z_]+\] (?P<id>subtask_\d+) by |REFUSED: |Refused: )", re.M)
_REFUSED = "REFUSED:"


@dataclass(frozen=True, slots=True)
class Order:
    """One order. ``at``: in which message; ``recipient``: empty for a sub-agent; ``text``: all that it says of what to
    do and to read; ``sent``: whether it left; ``final``: no further order will be taken; ``answered``: whether there is
    a result for it; ``failed``: that result is none."""

    at: int
    recipient: str
    payload: Payload
    text: str
    sent: bool
    final: bool
    answered: bool
    failed: bool

    @property
    def key(self) -> str:
        """The same for the same order sent again."""
        return json.dumps(self.payload, ensure_ascii=False, sort_keys=True)

    @property
    def lost(self) -> bool:
        """Whether it never left, or led to nothing."""
        return not self.sent or self.failed


def hands_on(name: str, arguments: Mapping[str, Any] | None) -> bool:
    """Whether a call gives work to another agent."""
    return name == DISPATCH or (name == SEND and (arguments or {}).get("type") == "task")


def sent_orders(view: View) -> tuple[Order, ...]:
    """Every order in the conversation, oldest first. One whose arguments do not parse says nothing and is none."""
    found = []
    for call in view.calls:
        if call.name == SEND and call.argument("type") == "task":
            found.append(_by_message(view, call))
        elif call.name == DISPATCH and call.arguments is not None:
            found.append(_by_dispatch(view, call))
        elif call.name == POST and call.arguments is not None:
            found.append(_by_board(view, call))
    if view.team.by_tags:
        found += _by_tags(view)
    return tuple(found)


def _by_message(view: View, call: Call) -> Order:
    payload = (call.arguments or {}).get("order", call.argument("content"))
    recipient = call.argument("to")
    results = [b for b in view.inbox if b.type == "result" and b.sender == recipient and b.at > call.at]
    answer = next((b for b in reversed(results) if not _is_none(b)), results[-1] if results else None)
    failed = answer is not None and _is_none(answer)
    return Order(
        call.at, recipient, payload, order_text(payload), call.sent is not None, False, answer is not None, failed
    )


def _is_none(block: Block) -> bool:
    """An error, or word that the member is blocked: no result."""
    return block.failed or block.content.startswith(_BLOCKED)


def _by_dispatch(view: View, call: Call) -> Order:
    arguments = call.arguments or {}
    payload = arguments.get("order", arguments.get("task", ""))
    said = call.result or ""
    failed = _led_to_nothing(view, said)
    return Order(call.at, "", payload, order_text(payload), not call.failed, said.startswith(_REFUSED), True, failed)


def _by_board(view: View, call: Call) -> Order:
    """A post is answered at once with the task's id; its result comes in a message with those of the others."""
    task, said = call.argument("task"), call.result or ""
    mine = next((r for r in _reports(view, call.at) if r.id and r.id in said.split()), None)
    failed = mine is not None and _led_to_nothing(view, mine.text)
    return Order(call.at, "", task, task, not call.failed, said.startswith(_REFUSED), True, failed)


def _by_tags(view: View) -> Iterator[Order]:
    """The next message holds a result or a refusal for each well-formed tag, in their order; an unclosed one never
    left."""
    for at, message in enumerate(view.messages):
        reports = iter(_reports(view, at) if message.role == "assistant" and "<delegate>" in message.text else ())
        for order, end in _TAG.findall(message.text) if message.role == "assistant" else ():
            said = next((r.text for r in reports), "") if end else ""
            sent = bool(said) and not said.startswith((_REFUSED, "Refused:"))
            task = order.strip()
            yield Order(at, "", task, task, sent, said.startswith(_REFUSED), True, _led_to_nothing(view, said))


class Report(NamedTuple):
    """What a lead reads of one order. ``id``: the subtask, empty for a refusal; ``text``: all of it."""

    id: str
    text: str


def _reports(view: View, at: int) -> list[Report]:
    """Those that came in between what this agent said in message ``at`` and what it said next."""
    later = view.messages[at + 1 :]
    end = next((i for i, m in enumerate(later) if m.role == "assistant"), len(later))
    text = "\n".join(m.text for m in later[:end] if m.role == "user")
    heads = list(_REPORT.finditer(text))
    ends = [h.start() for h in heads[1:]] + [len(text)]
    return [Report(h["id"] or "", text[h.start() : e]) for h, e in zip(heads, ends, strict=False)]


def _led_to_nothing(view: View, said: str) -> bool:
    return said.startswith(_NO_RESULT) and not view.entries_in([said])


def order_text(payload: Payload) -> str:
    """All that an order says of what to do and to read."""
    if isinstance(payload, str):
        return payload
    named = payload.get("input_ref")
    names = ", ".join(map(str, named)) if isinstance(named, list) else ""
    return f"{payload.get('objective', '')}\n{names}"
