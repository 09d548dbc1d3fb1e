"""Source files as text, and as syntax trees."""

from __future__ import annotations

import ast
import warnings
from importlib.util import decode_source
from pathlib import Path

FAULTS = (OSError, SyntaxError, ValueError, RecursionError, MemoryError)
"""What reading or parsing a file may raise."""


def read(path: Path) -> str:
    """A file as Python itself decodes it (byte order mark, coding line, else UTF-8), lines ended by ``\\n``."""
    return decode_source(path.read_bytes())


def parsed(text: str) -> ast.Module:
    """Its syntax tree, without warnings about a style that newer Pythons do not like."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
