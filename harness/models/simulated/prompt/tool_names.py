"""The tools that the model knows by name: those for working with others, and others by a word in their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

SEND = "send_message"
DISPATCH = "dispatch_sub_agent"
POST = "post_task"
PLAN = "submit_plan"

READS = re.compile("read")
ASKS = re.compile(r"(?:^|_)ask(?:_|$)")


def taking_one(tools: Mapping[str, Mapping[str, Any]], wanted: Callable[[str], object]) -> tuple[str, str] | None:
    """The first tool whose name is one of those wanted and that requires one thing, and the parameter for it."""
    for name, parameters in tools.items():
        required = parameters.get("required")
        if wanted(name) and isinstance(required, list) and len(required) == 1:
            return name, str(required[0])
    return None
