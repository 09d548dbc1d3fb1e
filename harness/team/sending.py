"""The parameters of ``send_message``: what a model reads of the protocol's fields."""

from __future__ import annotations

from typing import Any

from harness.bus.protocol import MESSAGE_TYPES
from harness.delegation.desk import Desk


def send_schema(desk: Desk, *, leads: bool) -> dict[str, Any]:
    """JSON schema of an object. A lead that writes structured orders has a field for them; any other message, and a
    task in one sentence, is ``content``."""
    content = "the message" if desk.structured or not leads else "the message; a task in one sentence"
    properties: dict[str, Any] = {
        "to": {"type": "string", "description": "name of the recipient"},
        "type": {"type": "string", "enum": list(MESSAGE_TYPES)},
        "content": {"type": "string", "description": content},
        "context": {"type": "string", "description": "what the recipient must know beside it (optional)"},
        "inReplyTo": {"type": "string", "description": "id of the message that this one answers (optional)"},
    }
    required = ["to", "type", "content"]
    if leads and desk.structured:
        properties["content"]["description"] = "the message (every type but task)"
        properties["order"] = {**desk.schema(), "description": "what to do (type task only)"}
        required.remove("content")
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
