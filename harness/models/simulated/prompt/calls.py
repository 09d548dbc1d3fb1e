"""Tool calls in a conversation, each with what it came back with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from harness.models.simulated.prompt.wire import WireMessage

LEFT_OUT = "Left out:"
"""How a result begins that did not fit the context."""
_FAULTS = ("error:", "Refused:", "REFUSED:", LEFT_OUT, "There is no tool ", "The arguments of ")
_SENT = re.compile(r"\bmsg_\w+")


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call this agent has made. ``arguments``: None if they do not parse; ``result``: None if there is none."""

    at: int
    name: str
    arguments: Mapping[str, Any] | None
    result: str | None

    @property
    def failed(self) -> bool:
        """Whether the result is no result: a refusal, a fault in the arguments, or an error of the tool."""
        text = self.result
        return self.arguments is None or text is None or text.startswith(_FAULTS) or text.endswith("Call it again.")

    @property
    def sent(self) -> str | None:
        """The id of the message that this call sent."""
        found = None if self.failed or self.result is None else _SENT.search(self.result)
        return found[0] if found else None

    def argument(self, key: str) -> str:
        return str((self.arguments or {}).get(key, ""))


def calls_in(messages: Sequence[WireMessage]) -> tuple[Call, ...]:
    """Every tool call of these messages with its result, oldest first."""
    found = []
    for i, message in enumerate(messages):
        if not message.calls:
            continue
        results: dict[str, str] = {}
        for later in messages[i + 1 :]:
            if later.role != "tool":
                break
            results.setdefault(later.answers, later.text)
        found += [Call(i, c.name, _object(c.arguments), results.get(c.id)) for c in message.calls]
    return tuple(found)


@lru_cache(maxsize=4096)
def _object(raw: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
