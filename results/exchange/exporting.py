"""``export``: the rows of a store as files that anything reads.

Integers stay exact; what is not known is an empty value (CSV), null (JSON lines, parquet) — also seconds that are NaN
in the store. A CSV has one empty value for both unknown and empty texts. ``runs`` get a column of their own,
``without_usage``: how many of a run's attempts have no usage, so that its tokens are not known.
"""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import ConfigError, StoreError, unknown
from harness.records import SCHEMA_VERSION
from results.exchange.aside import aside, refuse_existing
from results.frames import Results, load
from results.labels import place
from results.schema import SCHEMAS, VERSION_KEY
from results.snapshot import Part
from results.tally import tallied

FORMATS = ("csv", "jsonl", "parquet")
WITHOUT_USAGE = "without_usage"
_FOLDER_FORMAT = "csv"


@dataclass(frozen=True, slots=True)
class Exported:
    """``files``: (path, table, rows)."""

    files: tuple[tuple[str, str, int], ...]
    notes: tuple[str, ...]


def export_rows(
    dir: str | Path,
    out: str | Path,
    *,
    format: str | None = None,
    table: str | None = None,
    experiment: str | None = None,
) -> Exported:
    """Write one table to a file, or one or all to a folder, one file each.

    ``out``: a file if it ends like one (``.csv``), else a folder. ``experiment``: an id or ``last``, None for all.
    Raises StoreError or ConfigError before anything is written; nothing is overwritten.
    """
    target = Path(out)
    if format is not None and format not in FORMATS:
        raise ConfigError(unknown("format", format, FORMATS))
    if table is not None and table not in SCHEMAS:
        raise StoreError(unknown("table", table, SCHEMAS))
    suffix = target.suffix.removeprefix(".").lower()
    if suffix in FORMATS and format not in (None, suffix):
        raise ConfigError(f"--out '{target}' is {suffix} by its name, --format says {format}. Change one of them.")
    if suffix.isalpha() and suffix not in FORMATS:
        raise ConfigError(f"--out '{target}': {unknown('kind of file', f'.{suffix}', (f'.{f}' for f in FORMATS))}")
    refuse_existing(target)
    results = load(dir, experiment)
    with aside(target) as made:
        if suffix in FORMATS:
            chosen = table or "runs"
            files = [(str(target), chosen, _write(results, chosen, made, suffix))]
        else:
            made.mkdir()
            kind = format or _FOLDER_FORMAT
            files = []
            for name in SCHEMAS if table is None else (table,):
                path = f"{name}.{kind}"
                files.append((str(target / path), name, _write(results, name, made / path, kind)))
    return Exported(tuple(files), results.notes)


def _write(results: Results, table: str, path: Path, kind: str) -> int:
    """The number of rows written."""
    schema = _schema(table)
    batches = _batches(results, table, schema)
    if kind == "parquet":
        return _parquet(path, schema, batches)
    with path.open("w", encoding="utf-8", newline="") as file:
        return (_csv if kind == "csv" else _jsonl)(file, schema, batches)


def _schema(table: str) -> pa.Schema:
    """Every column may be empty: what is NaN in the store is not known."""
    fields = [pa.field(f.name, f.type, nullable=f.nullable or f.type == pa.float64()) for f in SCHEMAS[table].full]
    if table == "runs":
        fields.append(pa.field(WITHOUT_USAGE, pa.int64(), nullable=False))
    return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})


def _batches(results: Results, table: str, schema: pa.Schema) -> Iterator[list[dict[str, Any]]]:
    """The rows of a part each: by experiment in the order in which they were opened, then in the order of the sweep."""
    order = {m["experiment_id"]: i for i, m in enumerate(results.manifests)}
    without = _without_usage(results) if table == "runs" else {}

    def key(numbered: tuple[int, Part]) -> tuple[Any, ...]:
        index, part = numbered
        cells = part.table("runs", ["cell_id"])["cell_id"].to_pylist()
        return order.get(part.experiment_id, len(order)), part.experiment_id, place(cells[0]), index

    for _, part in sorted(enumerate(results.snapshot.parts), key=key):
        rows = part.table(table).to_pylist()
        for row in rows:
            if table == "runs":
                row[WITHOUT_USAGE] = without[row["run_id"]]
            for name, value in row.items():
                if isinstance(value, float) and math.isnan(value):
                    row[name] = None
        yield [{name: row[name] for name in schema.names} for row in rows]


def _without_usage(results: Results) -> Counter[str]:
    """Run → attempts without usage, the judge's left out."""
    activity = tallied(results).activity
    found: Counter[str] = Counter()
    for run, n in zip(activity.texts("run_id").tolist(), activity.numbers("unmeasured").tolist(), strict=True):
        found[run] += n
    return found


def _parquet(path: Path, schema: pa.Schema, batches: Iterator[list[dict[str, Any]]]) -> int:
    count = 0
    with pq.ParquetWriter(str(path), schema, compression="zstd") as writer:
        for rows in batches:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def _csv(file: TextIO, schema: pa.Schema, batches: Iterator[list[dict[str, Any]]]) -> int:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(schema.names)
    count = 0
    for rows in batches:
        writer.writerows([_plain(v) for v in row.values()] for row in rows)
        count += len(rows)
    return count


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _jsonl(file: TextIO, schema: pa.Schema, batches: Iterator[Sequence[dict[str, Any]]]) -> int:
    count = 0
    for rows in batches:
        file.writelines(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
        count += len(rows)
    return count
