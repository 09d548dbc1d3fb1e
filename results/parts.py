"""Rows held column by column, and how they become a parquet part."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import StoreError
from results.layout import part_file
from results.schema import SCHEMAS, Column, check_file

Columns = Mapping[str, Sequence[Sequence[Any]]]
"""Table name → one sequence of values a column; a table without rows is absent."""


class Pending:
    """Rows of all tables, column by column, on their way to a part file."""

    def __init__(self) -> None:
        self.runs = 0
        self.rows = 0
        self._held: dict[str, list[array[Any] | list[Any]]] = {}

    def add(self, columns: Columns) -> None:
        """Take over one run's rows."""
        for table, values in columns.items():
            held = self._held.get(table)
            if held is None:
                held = self._held[table] = [c.empty() for c in SCHEMAS[table].columns]
            for holder, more in zip(held, values, strict=True):
                holder.extend(more)
            self.rows += len(values[0])
        self.runs += 1

    def tables(self) -> dict[str, pa.Table]:
        """Table name → arrow table without partition keys, for the tables that have rows, in writing order."""
        made = {}
        for name, schema in SCHEMAS.items():
            if name in self._held:
                arrays = [arrow(c, held) for c, held in zip(schema.columns, self._held[name], strict=True)]
                made[name] = pa.Table.from_arrays(arrays, schema=schema.arrow)
        return made


def arrow(column: Column, held: array[Any] | list[Any]) -> pa.Array:
    """Values → arrow, by way of its buffers: ``pyarrow.array`` would import pandas (0.2 s) into every run."""
    validity = None
    if column.nullable and None in held:
        validity = _bits([v is not None for v in held])
        blank = column.kind()
        held = [blank if v is None else v for v in held]
    if column.kind is bool:
        data = [_bits(held)]
    elif column.typecode is None:
        text = "".join(held).encode()
        sizes = map(len, held) if text.isascii() else (len(v.encode()) for v in held)
        data = [pa.py_buffer(array("i", accumulate(sizes, initial=0))), pa.py_buffer(text)]
    else:
        data = [pa.py_buffer(held if isinstance(held, array) else array(column.typecode, held))]
    return pa.Array.from_buffers(column.field.type, len(held), [validity, *data])


def _bits(truths: Sequence[bool]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(np.array(truths, dtype=np.bool_), bitorder="little"))


def fold(root: Path, pending: Pending, *, topology: str, task: str, name: str, facts: Mapping[str, str]) -> None:
    """Write all tables of one part, durably; ``facts`` go to each file's metadata.

    ``runs`` comes last, so a part whose ``runs`` file exists is whole. Writing the same part again replaces it.
    Raises StoreError naming the path; a file that could not be written whole is removed.
    """
    write_part(root, pending.tables(), topology=topology, task=task, name=name, facts=facts)


def write_part(
    root: Path, tables: Mapping[str, pa.Table], *, topology: str, task: str, name: str, facts: Mapping[str, str]
) -> None:
    """As ``fold``, of arrow tables without partition keys."""
    for table in sorted(tables, key=lambda t: t == "runs"):
        rows = pa.Table.from_arrays(tables[table].columns, schema=SCHEMAS[table].arrow)
        _write(part_file(root, table, topology, task, name), table, rows, facts)


def _write(path: Path, table: str, rows: pa.Table, facts: Mapping[str, str]) -> None:
    try:
        write_whole(path, rows, facts, dictionary=SCHEMAS[table].dictionary_columns)
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error}. Free some space or fix the permissions; the runs are safe in the spool "
            f"and are folded when the store is next opened.",
            path=str(path),
        ) from error


def write_whole(path: Path, rows: pa.Table, facts: Mapping[str, str], *, dictionary: Sequence[str]) -> None:
    """A parquet file that is there whole or not at all, ``facts`` in its metadata. Replaces one of the same name.

    ``dictionary``: columns that get one. Raises OSError, and leaves nothing behind.
    """
    metadata = {**(rows.schema.metadata or {}), **{k.encode(): v.encode() for k, v in facts.items()}}
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(
            rows.replace_schema_metadata(metadata),
            str(temporary),
            compression="zstd",
            use_dictionary=list(dictionary),
        )
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def write_text_whole(path: Path, text: str) -> None:
    """A text file that is there whole or not at all. Raises OSError, and leaves nothing behind."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        sync(temporary)
        temporary.replace(path)
        sync(path.parent)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def open_part(path: Path, table: str) -> pq.ParquetFile:
    """A part file, checked to be of this schema version. Raises StoreError naming it."""
    try:
        opened = pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise StoreError(
            f"{path}: cannot be read as parquet ({error}). Restore the file, or move it away to do without its rows.",
            path=str(path),
        ) from error
    check_file(str(path), table, opened.schema_arrow)
    return opened


def sync(path: Path) -> None:
    """Make a file or folder durable."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
