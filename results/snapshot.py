"""One consistent look at a store, parquet parts and spools together, while others may be writing to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from harness.errors import StoreError
from results import layout
from results.parts import open_part
from results.schema import PARTITION_KEYS, SCHEMAS
from results.spool import SpoolContent, parse


@dataclass(frozen=True)
class FilePart:
    """A part that has been folded. ``files``: table name → path, absent for a table without rows."""

    topology: str
    task: str
    name: str
    files: Mapping[str, Path]

    @cached_property
    def facts(self) -> dict[str, str]:
        """``experiment_id``, ``cell_id`` and ``writer``, from the metadata of its files; empty where they lack them."""
        table, path = next((t, p) for t, p in self.files.items())
        with open_part(path, table) as opened:
            found = opened.schema_arrow.metadata
        return {name: found.get(name.encode(), b"").decode() for name in ("experiment_id", "cell_id", "writer")}

    @property
    def experiment_id(self) -> str:
        return self.facts["experiment_id"]

    def path(self, table: str) -> Path:
        """The file that a row of ``table`` stands in."""
        return self.files[table]

    def rows(self) -> int:
        """How many there are in all tables."""
        found = 0
        for table, path in self.files.items():
            with open_part(path, table) as opened:
                found += opened.metadata.num_rows
        return found

    def table(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows of one table, partition keys added, in the schema ``SCHEMAS[table].full``."""
        if table not in self.files:
            return _select(_empty(table), columns)
        wanted = None if columns is None else [c for c in columns if c not in PARTITION_KEYS]
        with open_part(self.files[table], table) as opened:
            try:
                rows = opened.read(columns=wanted)
            except (OSError, pa.ArrowException) as damage:
                path = self.files[table]
                raise StoreError(
                    f"{path} is damaged and cannot be read: {damage}. Remove it or restore it."
                ) from damage
        return _select(_with_keys(rows, self.topology, self.task), columns)


@dataclass(frozen=True)
class SpoolPart:
    """A part that is still a spool, as it was when the snapshot was taken."""

    content: SpoolContent
    topology: str
    task: str
    experiment_id: str

    @property
    def name(self) -> str:
        return self.content.path.stem

    @property
    def facts(self) -> dict[str, str]:
        """As ``FilePart.facts``."""
        return {} if self.content.header is None else self.content.header.facts()

    def path(self, table: str) -> Path:
        """The spool file, whatever the table."""
        return self.content.path

    def rows(self) -> int:
        """As ``FilePart.rows``."""
        return self.content.pending.rows

    @cached_property
    def _tables(self) -> dict[str, pa.Table]:
        return self.content.pending.tables()

    def table(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """As ``FilePart.table``."""
        if table not in self._tables:
            return _select(_empty(table), columns)
        return _select(_with_keys(self._tables[table], self.topology, self.task), columns)


HINT = "Run `python -m harness topology=single task=qa_corpus` first, or name the folder that store.dir pointed to."

Part = FilePart | SpoolPart


@dataclass(frozen=True)
class Snapshot:
    """Every part that held finished runs at one moment. ``notes``: sentences about what was left out.

    ``headless``: part files of other tables whose ``runs`` file is missing (somebody removed it).
    """

    root: Path
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    headless: tuple[FilePart, ...] = ()

    def of(self, experiment: str) -> Snapshot:
        """The same moment, one experiment only."""
        start = layout.prefix(experiment)
        parts = tuple(p for p in self.parts if p.name.startswith(start) and p.experiment_id == experiment)
        return Snapshot(self.root, parts, self.notes)

    def tables(self, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """One table of rows a part; a run's rows are all in one part."""
        for part in self.parts:
            yield part.table(table, columns)


def take(root: Path) -> Snapshot:
    """Look at a store. Raises StoreError when there is none, when it is empty, or when its schema is another.

    Spools come first, and a part whose spool is among them is not read: the spool wins. ``runs`` is listed before the
    other tables because it is written last: a part listed there is whole, and one that appears later belongs to a later
    moment.
    """
    if not root.is_dir():
        raise StoreError(f"there is no store in '{root}'. {HINT}", path=str(root))
    spools = list(_spools(root))
    spooled = {s.path.stem for s in spools}
    files: dict[tuple[str, str, str], dict[str, Path]] = {}
    for table in SCHEMAS:
        for path in layout.part_files(root, table):
            if path.stem not in spooled:
                files.setdefault((*layout.partition_of(path), path.stem), {})[table] = path
    found = [FilePart(*key, files=by_table) for key, by_table in files.items()]
    parts: list[Part] = [p for p in found if "runs" in p.files]
    notes = []
    for content in spools:
        if content.torn_bytes:
            notes.append(f"{content.path}: an incomplete last line of {content.torn_bytes} bytes is not read")
        if content.header is not None and content.pending.runs:
            head = content.header
            parts.append(SpoolPart(content, head.topology, head.task, head.experiment_id))
    late = {p.stem for p in (*layout.spool_files(root), *layout.part_files(root, "runs"))}
    headless = tuple(p for p in found if "runs" not in p.files and p.name not in late)
    if not parts and not headless:
        raise StoreError(f"the store in '{root}' holds no finished run. {HINT}", path=str(root))
    return Snapshot(root, tuple(parts), tuple(notes), headless)


def _empty(table: str) -> pa.Table:
    """No rows. (``Schema.empty_table`` would import pandas.)"""
    return pa.Table.from_batches([], SCHEMAS[table].full)


def _spools(root: Path) -> Iterator[SpoolContent]:
    for path in layout.spool_files(root):
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            continue  # folded a moment ago: its part is there
        yield parse(path, text)


def _with_keys(rows: pa.Table, topology: str, task: str) -> pa.Table:
    for key, value in zip(PARTITION_KEYS, (topology, task), strict=True):
        rows = rows.append_column(pa.field(key, pa.string(), nullable=False), repeated(value, len(rows)))
    return rows.replace_schema_metadata(None)


def repeated(value: str, count: int) -> pa.Array:
    """One text so often, by way of its buffers: ``pyarrow.scalar`` would import pandas (0.2 s)."""
    text = value.encode()
    ends = np.arange(count + 1, dtype=np.int32) * np.int32(len(text))
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(ends), pa.py_buffer(text * count)])


def _select(rows: pa.Table, columns: Sequence[str] | None) -> pa.Table:
    return rows if columns is None else rows.select(list(columns))
