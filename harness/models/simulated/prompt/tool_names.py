"""The coordination tools that the model knows by name."""

from __future__ import annotations

SEND = "send_message"
DISPATCH = "dispatch_sub_agent"
POST = "post_task"
