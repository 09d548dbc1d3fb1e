"""Parquet schemas, derived once from the row dataclasses in ``harness.records``.

A field becomes a column of the same name (field metadata ``column`` renames it); ``X | None`` is nullable, everything
else is not. The partition keys ``topology`` and ``task`` stand in a part's path and never inside its file, so that any
reader of hive-partitioned parquet gets each of them exactly once.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from harness.errors import StoreError, unknown
from harness.records import SCHEMA_VERSION, TABLES

PARTITION_KEYS = ("topology", "task")
VERSION_KEY = b"schema_version"
LONG_TEXT = frozenset({"answer", "content", "context", "data", "error", "order", "raw_output", "validation_errors"})
"""Columns whose values hardly ever repeat: a dictionary would only cost time and space."""

_ARROW: Mapping[type, pa.DataType] = MappingProxyType(
    {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
)
_ACCEPTED: Mapping[type, tuple[type, ...]] = MappingProxyType(
    {int: (int,), float: (float, int), bool: (bool,), str: (str,)}
)
_TYPECODE: Mapping[type, str] = MappingProxyType({int: "q", float: "d"})


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``kind``: int, float, bool or str; ``exact``: the types its values usually have; ``typecode``: of
    the ``array`` that can hold its known values, None for text and truth values."""

    name: str
    attribute: str
    kind: type
    nullable: bool
    exact: frozenset[type]
    typecode: str | None

    @property
    def field(self) -> pa.Field:
        return pa.field(self.name, _ARROW[self.kind], nullable=self.nullable)

    def empty(self) -> array[Any] | list[Any]:
        """An empty holder for this column's values."""
        return [] if self.typecode is None or self.nullable else array(self.typecode)

    def check(self, table: str, values: Sequence[Any]) -> None:
        """Raises StoreError naming the first value that this column cannot hold."""
        types = set(map(type, values))
        fits = types <= self.exact or all(map(self._takes, types))  # a StrEnum is a str
        if fits and (self.kind is not int or _fits(values)):
            return
        for value in values:
            if not self._takes(type(value)) or (self.kind is int and not _fits((value,))):
                wanted = self.kind.__name__ + (" or None" if self.nullable else "")
                raise StoreError(
                    f"table '{table}', column '{self.name}': expected {wanted} (64 bits), "
                    f"got {type(value).__name__} {value!r:.80}. Fix the row before writing it.",
                    table=table,
                    column=self.name,
                )

    def _takes(self, kind: type) -> bool:
        if kind is type(None):
            return self.nullable
        return issubclass(kind, _ACCEPTED[self.kind]) and (self.kind is bool or not issubclass(kind, bool))


def _fits(values: Sequence[Any]) -> bool:
    """Whether all known values are 64-bit integers."""
    try:
        array("q", values if None not in values else [v for v in values if v is not None])
    except OverflowError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class TableSchema:
    """One table: its columns in order, the arrow schema of a part file, and how to get at a row's values."""

    name: str
    columns: tuple[Column, ...]
    arrow: pa.Schema
    values: Callable[[Any], tuple[Any, ...]]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)

    @property
    def full(self) -> pa.Schema:
        """The arrow schema that readers see: the file's columns, then the partition keys."""
        keys = [pa.field(k, pa.string(), nullable=False) for k in PARTITION_KEYS]
        return pa.schema([*self.arrow, *keys])

    @property
    def dictionary_columns(self) -> list[str]:
        """Columns worth a dictionary in the parquet file."""
        return [c.name for c in self.columns if c.kind in (str, int) and c.name not in LONG_TEXT]

    def transpose(self, rows: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Row objects → one tuple of values a column, checked; [] for no rows."""
        columns = list(zip(*map(self.values, rows), strict=True))
        for column, values in zip(self.columns, columns, strict=False):
            column.check(self.name, values)
        return columns


def _column(table: str, field: dataclasses.Field[Any], hint: Any) -> Column:
    options = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    nullable = type(None) in options
    (kind,) = (o for o in options if o is not type(None))
    if kind not in _ARROW:
        raise StoreError(unknown(f"column type of {table}.{field.name}", kind, (t.__name__ for t in _ARROW)))
    return column(field.metadata.get("column", field.name), kind, nullable=nullable, attribute=field.name)


def column(name: str, kind: type, *, nullable: bool = False, attribute: str | None = None) -> Column:
    """A column of one of the four kinds; ``attribute``: what its values are called where not ``name``."""
    exact = frozenset({kind, type(None)} if nullable else {kind})
    return Column(name, attribute or name, kind, nullable, exact, _TYPECODE.get(kind))


def _table(name: str, row: type) -> TableSchema:
    hints = typing.get_type_hints(row)
    columns = tuple(_column(name, f, hints[f.name]) for f in dataclasses.fields(row) if f.name not in PARTITION_KEYS)
    arrow = pa.schema([c.field for c in columns], metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})
    return TableSchema(name, columns, arrow, attrgetter(*(c.attribute for c in columns)))


SCHEMAS: Mapping[str, TableSchema] = MappingProxyType({name: _table(name, row) for name, row in TABLES.items()})
"""Table name → schema, in writing order."""


def check_file(path: str, table: str, found: pa.Schema) -> None:
    """Raises StoreError unless a part file has this version's columns and types; extra metadata is allowed."""
    version = (found.metadata or {}).get(VERSION_KEY, b"none").decode()
    check_version(path, version)
    expected = SCHEMAS[table].arrow
    for name in dict.fromkeys([*expected.names, *found.names]):
        want, have = (_describe(s, name) for s in (expected, found))
        if want != have:
            raise StoreError(
                f"{path}: column '{name}' of table '{table}': expected {want}, found {have}. The file was not written "
                f"by this version's store: use another store.dir, or move the file away.",
                path=path,
                column=name,
                expected=want,
                found=have,
            )


def check_version(path: str, found: object) -> None:
    """Raises StoreError unless ``found`` is the schema version of this code."""
    if str(found) != str(SCHEMA_VERSION):
        raise StoreError(
            f"{path}: schema_version is {found}, this version reads and writes {SCHEMA_VERSION}. "
            f"Use another store.dir, or the version of the harness that wrote it.",
            path=path,
            expected=SCHEMA_VERSION,
            found=found,
        )


def _describe(schema: pa.Schema, name: str) -> str:
    if name not in schema.names:
        return "no such column"
    field = schema.field(name)
    return f"{field.type}{'' if field.nullable else ' not null'}"
