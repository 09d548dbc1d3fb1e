"""The baseline: one parquet file with a row a run, and in its metadata where the rows come from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import StoreError
from harness.records import SCHEMA_VERSION
from harness.version import VERSION
from results.columns import Columns, Texts
from results.gate.rows import COLUMNS
from results.parts import arrow, write_whole
from results.schema import VERSION_KEY, Column, check_version

_PROVENANCE = b"gate_provenance"
_REMAKE = "Make it again with `python -m results gate --baseline FILE --candidate DIR --update`."


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where rows come from. Nothing here is compared: that a commit is another one is no regression.

    ``experiments``: their ids; ``commands``: how they were started; ``git_commits``, ``harness_versions``: that their
    rows were made with; ``closed_at``: when the last of them ended, UTC, ISO 8601; ``rules``: SHA-256 of the rules that
    were in force when a baseline was made of them, empty for none.
    """

    experiments: tuple[str, ...]
    commands: tuple[str, ...]
    git_commits: tuple[str, ...]
    harness_versions: tuple[str, ...]
    closed_at: str
    rules: str = ""


@dataclass(frozen=True, eq=False)
class Baseline:
    """``rows``: as ``results.gate.rows.gathered`` makes them."""

    rows: Columns
    provenance: Provenance


def write(path: Path, made: Baseline) -> None:
    """Write a baseline, whole or not at all. Raises StoreError naming the file."""
    arrays = [arrow(c, _values(made.rows, c)) for c in COLUMNS]
    table = pa.Table.from_arrays(arrays, schema=pa.schema([c.field for c in COLUMNS]))
    facts = {
        VERSION_KEY.decode(): str(SCHEMA_VERSION),
        "written_by": VERSION,
        _PROVENANCE.decode(): json.dumps(asdict(made.provenance), ensure_ascii=False),
    }
    try:
        write_whole(path, table, facts, dictionary=[c.name for c in COLUMNS if c.kind in (str, int)])
    except OSError as error:
        raise StoreError(
            f"cannot write the baseline {path}: {error}. Free some space, fix the permissions or name another file; "
            f"what was there is unchanged.",
            path=str(path),
        ) from error


def read(path: Path) -> Baseline:
    """Read a baseline. Raises StoreError when it is none, damaged, empty or of another schema."""
    if not path.is_file():
        raise StoreError(f"there is no baseline '{path}'. {_REMAKE}", path=str(path))
    try:
        with pq.ParquetFile(path) as opened:
            found, metadata = opened.schema_arrow, opened.schema_arrow.metadata or {}
            if _PROVENANCE not in metadata:
                raise StoreError(f"{path} is not a baseline of a gate. {_REMAKE}", path=str(path))
            check_version(str(path), metadata.get(VERSION_KEY, b"none").decode())
            wanted = pa.schema([c.field for c in COLUMNS])
            if not found.equals(wanted):
                raise StoreError(
                    f"{path}: its columns are not those that this version compares. {_REMAKE}", path=str(path)
                )
            rows = Columns.of(opened.read())
            known: Mapping[str, Any] = json.loads(metadata[_PROVENANCE])
            facts: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in known.items()}
            provenance = Provenance(**facts)
    except (OSError, pa.ArrowException, ValueError, TypeError) as error:
        raise StoreError(f"{path}: cannot be read as a baseline ({error}). {_REMAKE}", path=str(path)) from error
    if not len(rows):
        raise StoreError(f"the baseline {path} holds no runs. {_REMAKE}", path=str(path))
    return Baseline(rows, provenance)


def _values(rows: Columns, column: Column) -> list[Any]:
    """The values of one column, None where they are unknown."""
    held = rows.columns[column.name]
    values: list[Any] = held.tolist()
    if isinstance(held, Texts) or not column.nullable:
        return values
    if column.kind is int:
        unknown = rows.numbers(f"{column.name}_unknown").tolist()
        return [None if u else v for u, v in zip(unknown, values, strict=True)]
    return [None if v != v else v for v in values]  # NaN
