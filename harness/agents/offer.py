"""What tools a request offers, and what their schemas weigh."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from harness.accounting.parts import TASK, Part
from harness.accounting.purposes import Purpose
from harness.agents.fitting import surely_fits
from harness.agents.rendering import render_tool
from harness.agents.tools import Tool
from harness.models.protocol import Json

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_ENCODER = json.JSONEncoder(ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools offered in a request: their schemas on the wire and as parts, made once for all calls."""

    tools: tuple[Tool, ...]
    wire: tuple[Json, ...]
    parts: tuple[Part, ...]

    @staticmethod
    def of(tools: Sequence[Tool], coordination: Purpose, engine: str, known: Offer | None = None) -> Offer:
        """``coordination``: the purpose of coordination tools' schemas; ``engine``: their author's name; ``known``: an
        offer of which these tools may hold some, whose schemas then need not be rendered again."""
        ready = {}
        if known is not None:
            ready = {id(t): (w, p) for t, w, p in zip(known.tools, known.wire, known.parts, strict=True)}
        shown = [ready.get(id(t)) or _shown(t, coordination, engine) for t in tools]
        return Offer(tuple(tools), tuple(wire for wire, _ in shown), tuple(part for _, part in shown))

    def fault(self, tool: Tool, arguments: Mapping[str, Any] | None) -> str | None:
        """One sentence on what is wrong with a call's arguments, None if they fit the tool's schema."""
        if arguments is None:
            return f"The arguments of {tool.name} are not a JSON object. Call it again with valid JSON."
        if surely_fits(arguments, tool.parameters):
            return None
        wrong = _validator(json.dumps(tool.parameters, sort_keys=True)).iter_errors(arguments)
        messages = [f"{'.'.join(map(str, e.absolute_path)) or 'arguments'}: {e.message}" for e in wrong]
        return f"{tool.name}: {'; '.join(messages)}. Call it again." if messages else None


def _shown(tool: Tool, coordination: Purpose, engine: str) -> tuple[Json, Part]:
    """A tool's schema on the wire and as a part."""
    schema = tool.schema()
    text = _ENCODER.encode(schema)
    author, purpose = (engine, coordination) if tool.coordination else (TASK, Purpose.TASK)
    return schema, Part(text, author, purpose, rendered=_rendered(text))


@lru_cache(maxsize=256)
def _rendered(schema: str) -> str:
    return render_tool(json.loads(schema))


@lru_cache(maxsize=256)
def _validator(schema: str) -> Validator:
    from jsonschema import Draft202012Validator  # costs 50 ms to import: not before a call is in doubt

    return Draft202012Validator(json.loads(schema))
