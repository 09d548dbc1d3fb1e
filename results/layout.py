"""Where things are in a store: names and paths, nothing else.

``DIR/<table>/topology=T/task=K/<experiment>-<cell>-<part>.parquet``, ``DIR/spool/<experiment>-<cell>-<part>.jsonl``
and ``DIR/experiments/<experiment>.json``. Names are percent-encoded (RFC 3986), which readers of hive partitions undo.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

from harness.errors import StoreError

_LONGEST_KEY = 200
_LONGEST_NAME = 90


def short_name(name: str) -> str:
    """A name as part of a file name: percent-encoded, and cut with a digest where the file system would refuse it."""
    text = quote(name, safe="")
    if text[:1] in ("_", "."):  # readers of parquet folders skip files that begin so
        text = f"%{ord(text[0]):02X}{text[1:]}"
    if len(text) <= _LONGEST_NAME:
        return text
    return f"{text[:60]}~{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def prefix(experiment: str) -> str:
    """How the file names of an experiment begin; other experiments' may begin so too ('a' and 'a-b')."""
    return f"{short_name(experiment)}-"


def stem(experiment: str, cell: str, part: int) -> str:
    """File name, without its suffix, of one part of one cell."""
    return f"{prefix(experiment)}{short_name(cell)}-{part:05d}"


def partition(topology: str, task: str) -> Path:
    """The hive folder of one topology and task, relative to a table's folder."""
    keys = {"topology": topology, "task": task}
    for key, name in keys.items():
        if not 0 < len(quote(name, safe="")) <= _LONGEST_KEY:
            raise StoreError(
                f"{key} name {name!r:.60} cannot name a folder: it needs 1 to {_LONGEST_KEY} characters after "
                f"percent-encoding. Choose a shorter name.",
                name=name,
            )
    return Path(*(f"{key}={quote(name, safe='')}" for key, name in keys.items()))


def partition_of(path: Path) -> tuple[str, str]:
    """(topology, task) of a part file."""
    topology, task = (unquote(folder.partition("=")[2]) for folder in path.parts[-3:-1])
    return topology, task


def table_dir(root: Path, table: str) -> Path:
    return root / table


def part_file(root: Path, table: str, topology: str, task: str, name: str) -> Path:
    return table_dir(root, table) / partition(topology, task) / f"{name}.parquet"


def part_files(root: Path, table: str) -> Iterator[Path]:
    """All finished part files of a table, in order; temporary ones have another suffix."""
    yield from sorted(table_dir(root, table).glob("topology=*/task=*/*.parquet"))


def spool_dir(root: Path) -> Path:
    return root / "spool"


def spool_files(root: Path) -> list[Path]:
    return sorted(spool_dir(root).glob("*.jsonl"))


def manifest_file(root: Path, experiment: str) -> Path:
    return root / "experiments" / f"{short_name(experiment)}.json"
