"""What a solver reads of the task itself, and the schema of the deliverable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.specialists.rules import Question

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "the label of the case"},
            "answer": {"type": ["string", "number", "null"], "description": "one number or word, or null"},
        },
        "required": ["question", "answer"],
        "additionalProperties": False,
    },
}


def statement(questions: Sequence[Question]) -> str:
    """The first user message: the cases one a line, and the form of the answer."""
    cases = "\n".join(question.line for question in questions)
    return f"""\
Answer every case below.

Cases:
{cases}

Output format:
A JSON array and nothing else, with one object for each case, in any order:
[{{"question": "the label at the start of the case's line", "answer": "one number or word"}}]"""
