"""The baseline: one parquet file with a row a run, and in its metadata where the rows come from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import StoreError
from harness.records import SCHEMA_VERSION
from harness.version import VERSION
from results.columns import Columns, Texts
from results.gate.declared import COLUMNS, PRINTS
from results.parts import arrow, write_whole
from results.schema import VERSION_KEY, Column, check_version

VERSION_OF_BASELINES = "2"
"""Of what a baseline file holds, apart from the version of stores. 2: every column that is not text or provenance, and
how many rows there are with what digest."""
_PROVENANCE = b"gate_provenance"
_VERSION = b"gate_baseline_version"
_ROWS = b"gate_rows"
_DIGEST = b"gate_digest"
_REMAKE = "Make it again with `python -m results gate --baseline FILE --candidate DIR --update`."


_DICTIONARY = [c.name for c in COLUMNS if c.kind in (str, int) and c.name not in PRINTS]


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
        _VERSION.decode(): VERSION_OF_BASELINES,
        _ROWS.decode(): str(len(made.rows)),
        _DIGEST.decode(): digest(made.rows),
        _PROVENANCE.decode(): json.dumps(asdict(made.provenance), ensure_ascii=False),
    }
    try:
        write_whole(path, table, facts, dictionary=_DICTIONARY)
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
            if metadata.get(_VERSION) != VERSION_OF_BASELINES.encode():
                raise StoreError(
                    f"{path}: a baseline of version {metadata.get(_VERSION, b'1').decode()}, this version reads "
                    f"{VERSION_OF_BASELINES}. {_REMAKE}",
                    path=str(path),
                )
            wanted = pa.schema([c.field for c in COLUMNS])
            if not found.equals(wanted):
                raise StoreError(
                    f"{path}: its columns are not those that this version compares. {_REMAKE}", path=str(path)
                )
            rows = Columns.of(opened.read())
            provenance = _provenance(json.loads(metadata[_PROVENANCE]))
    except (OSError, pa.ArrowException, ValueError, RecursionError) as error:
        raise StoreError(f"{path}: cannot be read as a baseline ({error}). {_REMAKE}", path=str(path)) from error
    if not len(rows):
        raise StoreError(f"the baseline {path} holds no runs. {_REMAKE}", path=str(path))
    noted = (metadata.get(_ROWS, b"none").decode(), metadata.get(_DIGEST, b"none").decode())
    if noted != (str(len(rows)), digest(rows)):
        raise StoreError(
            f"{path}: the baseline is not as it was written: {len(rows):,} rows, {noted[0]} noted, and "
            f"{'another digest' if noted[1] != digest(rows) else 'the same digest'}. {_REMAKE}",
            path=str(path),
        )
    return Baseline(rows, provenance)


def is_baseline(path: Path) -> bool:
    """Whether a file is one, of whatever version."""
    try:
        return _PROVENANCE in (pq.read_schema(path).metadata or {})
    except (OSError, pa.ArrowException, ValueError):
        return False


def digest(rows: Columns) -> str:
    """SHA-256 of the values, the same before they are written and after they are read."""
    hashed = hashlib.sha256()
    for column in COLUMNS:
        held = rows.columns[column.name]
        hashed.update(column.name.encode())
        if isinstance(held, Texts):
            hashed.update(json.dumps(held.tolist(), ensure_ascii=False).encode())
        elif column.kind is float:
            hashed.update(np.where(np.isnan(held), np.nan, held).astype("<f8").tobytes())
        elif column.nullable:
            unknown = rows.numbers(f"{column.name}_unknown").astype("<i8")
            hashed.update(np.where(unknown, 0, held).astype("<i8").tobytes() + unknown.tobytes())
        else:
            hashed.update(held.astype("<i8").tobytes())
    return hashed.hexdigest()


def _provenance(known: Any) -> Provenance:
    """Raises ValueError for what has not its fields and types."""
    if not isinstance(known, dict) or set(known) != {f.name for f in fields(Provenance)}:
        raise ValueError("its provenance has other fields")
    made: dict[str, Any] = {}
    for name in ("experiments", "commands", "git_commits", "harness_versions"):
        if not isinstance(known[name], list) or not all(isinstance(v, str) for v in known[name]):
            raise ValueError(f"its provenance has no texts in '{name}'")
        made[name] = tuple(known[name])
    for name in ("closed_at", "rules"):
        if not isinstance(known[name], str):
            raise ValueError(f"its provenance has no text in '{name}'")
        made[name] = known[name]
    return Provenance(**made)


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
