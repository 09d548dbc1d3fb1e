"""What goes into the sandbox: tests that must be right, and files that may be anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from harness.errors import CorpusError
from harness.sandbox.limits import SandboxLimits

SUFFIXES = (".py", ".txt", ".json", ".jsonl", ".csv", ".md", ".toml", ".yaml", ".yml", ".ini", ".cfg", ".sql", ".html")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}")
_DEEPEST = 8


def names_of_tests(tests: str) -> tuple[str, ...]:
    """The top-level functions ``test_…``, in order. CorpusError if there are none, one is there twice, or the source
    does not parse: a suite checks its tests with this when it loads."""
    try:
        body = ast.parse(tests).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        raise CorpusError(f"the tests do not parse: {fault}") from None
    late = [n.name for n in body if isinstance(n, ast.AsyncFunctionDef) and n.name.startswith("test_")]
    names = [n.name for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    twice = {n for n in names if names.count(n) > 1}
    if late or twice:
        raise CorpusError(
            f"tests that would never run: {', '.join(sorted(twice.union(late)))} (async, or there twice)."
        )
    if not names:
        raise CorpusError("the tests hold no top-level function test_…(program).")
    return tuple(names)


def refusal(files: Mapping[str, str], limits: SandboxLimits) -> str | None:
    """Why these files cannot be laid out, in one sentence; None if they can."""
    if not files:
        return "no files"
    if len(files) > limits.files:
        return f"{len(files)} files; at most {limits.files}"
    total = 0
    for name, text in files.items():
        if not isinstance(name, str) or not isinstance(text, str):
            return "a file's path and content must be text"
        parts = name.split("/")
        if len(parts) > _DEEPEST or not all(map(_PART.fullmatch, parts)):
            return f"path {name!r:.120}: must be relative, of letters, digits and _ . - between slashes"
        if not name.endswith(SUFFIXES):
            return f"path {name!r:.120}: must end with one of {' '.join(SUFFIXES)}"
        if any(str(parent) in files for parent in PurePosixPath(name).parents):
            return f"path {name!r:.120}: lies below another file"
        try:
            total += len(text.encode())
        except UnicodeEncodeError:
            return f"file {name!r:.120}: holds characters that are no Unicode text"
        if total > limits.files_bytes:
            return f"more than {limits.files_bytes:,} bytes of files"
    return None


def lay_out(files: Mapping[str, str], folder: Path) -> None:
    """Write files that were not refused."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
