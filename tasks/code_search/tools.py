"""The task's own tools: list, read and search the files of one sample. Same call, same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.agents.tools import Tool, ToolFailed
from harness.errors import unknown
from tasks.code_search.code.source import SourceFile
from tasks.code_search.searching import MOST_HITS, matching

MOST_LINES = 5_000
"""Lines that one call of ``read_file`` returns."""
READ = frozenset({"read"})
_RANGE = re.compile(r"\s*L?(\d{1,9})(?:\s*(?:-|–|to|\.\.|:)\s*L?(\d{1,9}))?\s*")


def code_tools(files: Sequence[SourceFile]) -> tuple[Tool, ...]:
    """``list_files``, ``read_file`` and ``grep`` over one sample's files, tag ``read``."""
    by_name = {file.name: file for file in files}

    def named(value: object) -> SourceFile:
        file = by_name.get(value.strip()) if isinstance(value, str) else None
        if file is None:
            raise ToolFailed(unknown("file", value, by_name, "Names are listed by list_files."))
        return file

    async def list_files(_: Mapping[str, Any]) -> str:
        return "\n".join(file.line for file in files)

    async def read_file(arguments: Mapping[str, Any]) -> str:
        file = named(arguments.get("file"))
        first, last = _lines(arguments.get("lines"), file)
        until = min(last, first + MOST_LINES - 1)
        text = file.render(first, until)
        return text if until == last else f"{text}\n({last - until:,} lines more: read from line {until + 1} on)"

    async def grep(arguments: Mapping[str, Any]) -> str:
        wanted = arguments.get("file")
        searched = files if wanted is None or wanted == "" else [named(wanted)]
        return matching(searched, arguments.get("pattern"))

    return (
        Tool(
            "list_files",
            "List the files of this task: name, lines, and size in tokens.",
            {"type": "object", "properties": {}, "additionalProperties": False},
            READ,
            list_files,
        ),
        Tool(
            "read_file",
            f"Read a file, at most {MOST_LINES:,} lines a call. Every line comes with its number, as in 'L12: return "
            "found'.",
            {
                "type": "object",
                "properties": {
                    "file": {"type": "string", "description": "file name, as listed"},
                    "lines": {
                        "type": "string",
                        "description": "only these lines, such as '12' or '12-80'; without it, all",
                    },
                },
                "required": ["file"],
                "additionalProperties": False,
            },
            READ,
            read_file,
            reference="file",
            material=lambda name: by_name[name.strip()].text,
        ),
        Tool(
            "grep",
            "Search the lines of all files of this task, or of one, for a regular expression. Each line that matches "
            f"comes with its file and number, at most {MOST_HITS} a call.",
            {
                "type": "object",
                "properties": {
                    "pattern": {"type": "string", "description": r"regular expression, such as '\bopen_gate\b'"},
                    "file": {"type": "string", "description": "only this file; without it, all"},
                },
                "required": ["pattern"],
                "additionalProperties": False,
            },
            READ,
            grep,
        ),
    )


def _lines(wanted: object, file: SourceFile) -> tuple[int, int]:
    count = len(file.lines)
    if wanted is None or wanted == "":
        return 1, count
    found = _RANGE.fullmatch(str(wanted))
    first = int(found[1]) if found else 0
    last = int(found[2] or found[1]) if found else 0
    if not 1 <= first <= last or first > count:
        raise ToolFailed(
            f"lines '{wanted}' cannot be read: {file.name} has the lines 1 to {count:,}; ask for one, such as '1', or "
            f"for a range, such as '1-{min(count, MOST_LINES)}'."
        )
    return first, min(last, count)
