"""A user's own code: every ``.py`` file below a folder."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path

from harness.errors import CorpusError
from tasks.code_search.code.reading import FAULTS, parsed, read
from tasks.code_search.code.source import SourceFile
from tasks.code_search.code.units import Units

_PLAIN = re.compile(r"[\w./+@~-]+\.py")
_ASIDE = frozenset({"__pycache__", "node_modules", "site-packages"})
_LOG = logging.getLogger(__name__)


def load(root: Path) -> Units:
    """By the folder or file directly below ``root`` that they are in. Files that do not parse, or have names that no
    list can hold, are named in the log and left out. Raises CorpusError for no such folder and for one without code."""
    if not root.is_dir():
        raise CorpusError(f"task.root={root}: there is no such folder. Name the folder that holds your code.")
    units: dict[str, list[SourceFile]] = {}
    left_out: list[str] = []
    for path in _below(root):
        name = path.relative_to(root).as_posix()
        try:
            file = _checked(path, name)
        except FAULTS as fault:
            left_out.append(f"{name} ({type(fault).__name__}: {fault})")
            continue
        if file.text.strip():
            units.setdefault(name.partition("/")[0], []).append(file)
    if left_out:
        _LOG.warning("task.root=%s: left out %d files: %s", root, len(left_out), "; ".join(left_out))
    if not units:
        raise CorpusError(
            f"task.root={root}: there is no .py file in it that Python can read ({len(left_out)} cannot be). Name the "
            "folder that holds your code."
        )
    return units


def _below(root: Path) -> Iterator[Path]:
    """Its ``.py`` files in order, without hidden folders, virtual environments, caches and links to folders."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(n for n in inner if not n.startswith(".") and n not in _ASIDE)
        if "pyvenv.cfg" in names and Path(folder) != root:
            inner.clear()
            continue
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".py"))


def _checked(path: Path, name: str) -> SourceFile:
    if not _PLAIN.fullmatch(name):
        raise ValueError("its name has characters that a list of files does not keep apart")
    text = read(path)
    parsed(text)
    return SourceFile(name, text)
