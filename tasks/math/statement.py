"""What a solver reads first: the brief, the statement, and the schema of the deliverable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.math.problems import Problem

BRIEF = """\
You solve word problems. Everything that a problem needs stands in it.
How to work: go through it step by step, and use every condition that it states. Mind units: a problem may tell one \
and ask for another.
How to answer: each answer is one number, exact and not rounded, in the unit that the problem asks for. Give the \
number alone."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "the problem's label, such as P0007"},
            "answer": {"type": ["string", "null"], "description": "the final number alone"},
        },
        "required": ["question", "answer"],
        "additionalProperties": False,
    },
}


def statement(problems: Sequence[Problem]) -> str:
    """The first user message: the problems one a line, and the form of the answer."""
    lines = "\n".join(problem.line for problem in problems)
    return f"""\
Solve {"this problem" if len(problems) == 1 else "these problems"}.

{lines}

Output format:
A JSON array and nothing else, with one object for each problem, in any order:
[{{"question": "the problem's label", "answer": "the final number alone"}}]"""
