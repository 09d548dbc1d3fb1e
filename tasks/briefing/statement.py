"""What a solver reads first: the brief, the statement, and the schema of the deliverable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasks.briefing.fields import Field
from tasks.common.documents import Document

BRIEF = """\
You put together the figures of short reports from notes, for readers who act on them.
How to read: notes come in sections, and other things stand between the figures. After each figure stands in brackets \
how it is to be read, which is called its reading here. A figure that has been withdrawn does not count.
A term can stand in the notes in several readings. The reader has one of them in mind, and it need not be the one that \
seems natural; a figure in another reading is of no use, however exact.
How to answer: give each figure as it stands in the notes, with its unit, and its reading in the words in brackets. If \
the notes have no figure for a line, give null for its value."""

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "the label of the line"},
            "value": {"type": ["string", "null"], "description": "number and unit, or null if there is none"},
            "reading": {"type": ["string", "null"], "description": "the reading that was used, in the notes' words"},
        },
        "required": ["field", "value", "reading"],
        "additionalProperties": False,
    },
}


def statement(documents: Sequence[Document], fields: Sequence[Field]) -> str:
    """The first user message: the notes one a line, the lines of the report, and the form of the answer."""
    listed = "\n".join(document.line for document in documents)
    lines = "\n".join(field.line for field in fields)
    return f"""\
Fill in every line of this report from the notes.

Notes:
{listed}

Report:
{lines}

Output format:
A JSON array and nothing else, with one object for each line, in any order:
[{{"field": "the label at the start of the line", "value": "number and unit", "reading": "the words in brackets"}}]"""
