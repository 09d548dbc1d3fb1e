"""The person who wants the report, as a tool that whoever owns the task may call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.agents.tools import ASK, Tool
from tasks.briefing.fields import Field

NAME_IT = "I cannot tell which term you mean. Name the term of the report that you ask about, or its line."


def ask_requester(fields: Sequence[Field]) -> Tool:
    """``ask_requester``, tag ``ask``: says what the terms mean that a question names, in the order of the report, and
    otherwise asks for them. By rule, so the same question gets the same answer."""

    async def run(arguments: Mapping[str, Any]) -> str:
        asked = " ".join(str(arguments.get("question", "")).split())
        said = dict.fromkeys(field.answer for field in fields if _names(asked, field))
        return "\n".join(said) or NAME_IT

    return Tool(
        "ask_requester",
        "Ask the person who wants the report what a term in it means. Name the term.",
        {
            "type": "object",
            "properties": {"question": {"type": "string", "description": "the question, with the term or its line"}},
            "required": ["question"],
            "additionalProperties": False,
        },
        frozenset({ASK}),
        run,
    )


def _names(question: str, field: Field) -> bool:
    """Whether a question names the line by its label, or the term by one of its names, as words by themselves."""
    words = (field.label, field.term.name, *field.term.called)
    return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", question, re.I) for word in words)
