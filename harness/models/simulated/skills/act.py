"""What the model does in one completion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from harness.models.simulated.prompt.tool_names import SEND

Asked = tuple[str, Mapping[str, Any]]
"""A tool call: name and arguments."""


class Act(NamedTuple):
    """Free text, tool calls, and orders to be written into the text as tags, before anything goes wrong with them."""

    text: str = ""
    calls: tuple[Asked, ...] = ()
    tags: tuple[str, ...] = ()


def message(to: str, type: str, content: str, in_reply_to: str = "") -> Asked:
    """The call that sends one message."""
    arguments = {"to": to, "type": type, "content": content}
    return SEND, {**arguments, "inReplyTo": in_reply_to} if in_reply_to else arguments
