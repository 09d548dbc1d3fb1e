"""The task's own tools: list and read the files of one program. Same call, same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.accounting.tokens import count_tokens
from harness.agents.tools import Tool, ToolFailed
from harness.errors import unknown

READ = frozenset({"read"})


def file_tools(files: Mapping[str, str]) -> tuple[Tool, ...]:
    """``list_files`` and ``read_file`` over so many files, tag ``read``."""

    async def list_files(_: Mapping[str, Any]) -> str:
        return "\n".join(f"- {name} ({count_tokens(text):,} tokens)" for name, text in files.items())

    async def read_file(arguments: Mapping[str, Any]) -> str:
        name = arguments.get("file")
        text = files.get(name.strip().removeprefix("./")) if isinstance(name, str) else None
        if text is None:
            raise ToolFailed(unknown("file", name, files, "Names are listed by list_files."))
        return text

    return (
        Tool(
            "list_files",
            "List the files of this program: name and size in tokens.",
            {"type": "object", "properties": {}, "additionalProperties": False},
            READ,
            list_files,
        ),
        Tool(
            "read_file",
            "Read a file as it is before the change.",
            {
                "type": "object",
                "properties": {"file": {"type": "string", "description": "name, as listed"}},
                "required": ["file"],
                "additionalProperties": False,
            },
            READ,
            read_file,
            reference="file",
        ),
    )
