"""Tools: what an agent may call, with tags for whitelisting and a purpose for the ledger."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.accounting.parts import Part
from harness.accounting.purposes import Purpose

ASK = "ask"
"""The tag of tools that ask whoever set the task: for those who own it, who may be asked by the others."""
TAGS = frozenset({"read", "write", "exec", ASK, "message", "delegate"})


class Arguments(dict[str, Any]):
    """Parsed arguments of one call. ``payload``: the ``content`` of a message as parts, with its text's purposes."""

    payload: tuple[Part, ...] = ()


Handler = Callable[[Arguments], Awaitable["str | Sequence[Part]"]]


class ToolFailed(Exception):
    """Raised by a handler for a fault the model should read (wrong document name, bad range); text is the result.
    ``purpose``: of that text, where it is not the purpose of any failing call."""

    def __init__(self, text: str, purpose: Purpose | None = None) -> None:
        super().__init__(text)
        self.purpose = purpose


@dataclass(frozen=True, slots=True)
class Tool:
    """One callable tool.

    ``parameters``: JSON schema of an object. ``tags``: subset of ``TAGS``. ``run``: async handler of parsed arguments;
    a plain string result is the tool's own text (purpose ``task``), parts keep their authors and purposes.
    ``purpose_of``: purpose of the tokens of a call, None for a task tool (``answer``). A coordination tool's schema is
    in a prompt only because there is a team, so it is ``scaffold``; a task tool's is ``task``. ``reference``: of a tool
    that reads one piece of the task's material, the parameter that names it; orders refer to material by these names.
    ``material``: from such a name to the bare text of the piece, without what the tool writes around it (labels, a
    header), to compare results with; None: what the tool returns is bare.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    tags: frozenset[str]
    run: Handler
    purpose_of: Callable[[Mapping[str, Any]], Purpose] | None = None
    reference: str | None = None
    material: Callable[[str], str] | None = None

    @property
    def coordination(self) -> bool:
        return self.purpose_of is not None

    def schema(self) -> dict[str, Any]:
        """The tool as the chat protocol sends it."""
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.description, "parameters": dict(self.parameters)},
        }


def with_tags(tools: Sequence[Tool], allowed: frozenset[str]) -> tuple[Tool, ...]:
    """The tools all of whose tags are allowed: a whitelist, so an untagged tool always passes."""
    return tuple(t for t in tools if t.tags <= allowed)


def granted(tools: Sequence[Tool], tags: Sequence[str] | None) -> tuple[Tool, ...]:
    """What a member of a team may use of the task's tools: those with these tags; None: all but those that ask."""
    return not_asking(tools) if tags is None else with_tags(tools, frozenset(tags))


def asking(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """Those that ask whoever set the task."""
    return tuple(t for t in tools if ASK in t.tags)


def not_asking(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """The others: what whoever works on a part may have."""
    return tuple(t for t in tools if ASK not in t.tags)
