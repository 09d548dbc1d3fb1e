"""Files of one JSON object a line, plain or packed with gzip."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import CorpusError


def rows(path: Path, option: str, problems: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """(``FILE:LINE``, object) of every line that is one, blank lines aside; what is wrong with any other goes to
    ``problems``. ``option``: that names the file, for the error. Raises CorpusError where there is no such file."""
    if not path.is_file():
        raise CorpusError(f"{option}={path} is no file: give the path of a .jsonl or .jsonl.gz file.", path=str(path))
    number = 0
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        try:
            for number, line in enumerate(file, 1):
                where = f"{path.name}:{number}"
                text = _text(line, where, problems)
                row = _row(text, where, problems) if text.strip() else None
                if row is not None:
                    yield where, row
        except (OSError, EOFError, zlib.error) as fault:
            problems.append(f"{path.name}:{number + 1}: cannot be read ({fault})")


def _text(line: bytes, where: str, problems: list[str]) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        problems.append(f"{where}: byte {fault.start} of the line is not UTF-8; save the file as UTF-8")
        return ""


def _row(text: str, where: str, problems: list[str]) -> dict[str, Any] | None:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as fault:
        problems.append(f"{where}: not JSON ({fault})")
        return None
    if not isinstance(row, dict):
        problems.append(f"{where}: not a JSON object")
        return None
    return row
