"""Rows as numpy columns: what the summary needs of a table.

An experiment ends with its summary, and importing pandas, or the part of pyarrow that groups (it imports pandas), would
make the shortest experiment a quarter longer (docs/benchmarks.md). Sums are exact 64-bit integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

FEW = 10_000
"""Texts that are told apart in Python: pyarrow does it faster, but not without an import of 25 ms."""

Mask: TypeAlias = npt.NDArray[np.bool_]
Numbers: TypeAlias = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Texts:
    """A text column: row i says ``names[codes[i]]``. Names are distinct; a name may have no row."""

    names: tuple[str, ...]
    codes: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.codes)

    def equal(self, *wanted: str) -> Mask:
        """Where the text is one of these."""
        return self.among(frozenset(wanted))

    def among(self, wanted: frozenset[str]) -> Mask:
        chosen = np.fromiter((n in wanted for n in self.names), np.bool_, len(self.names))
        return chosen[self.codes] if len(chosen) else np.zeros(0, np.bool_)

    def tolist(self) -> list[str]:
        return [self.names[code] for code in self.codes.tolist()]

    def renamed(self, rename: Callable[[str], str]) -> Texts:
        """Every text replaced by what ``rename`` makes of it; it is asked once a name."""
        return _texts([rename(n) for n in self.names], self.codes)


Column: TypeAlias = Texts | Numbers


@dataclass(frozen=True)
class Columns:
    """Columns of equal length, by name: ``Texts``, or an array of truth values, integers or floats.

    An unknown float is NaN, an unknown text empty. A column of integers that may be unknown holds 0 there, and 1 in
    ``<column>_unknown``.
    """

    columns: Mapping[str, Column]

    @staticmethod
    def of(table: pa.Table) -> Columns:
        """The columns of an arrow table: truth values without nulls, texts and 64-bit numbers with or without."""
        made: dict[str, Column] = {}
        for field in table.schema:
            values = _whole(table[field.name])
            if field.type == pa.string():
                made[field.name] = _coded(values)
            elif field.type == pa.bool_():
                made[field.name] = _bits(values, 1)
            elif field.type == pa.float64():
                made[field.name] = np.where(_known(values), _buffer(values, np.float64), np.nan)
            else:
                made[field.name] = np.where(_known(values), _buffer(values, np.int64), 0)
                if field.nullable:
                    made[f"{field.name}_unknown"] = (~_known(values)).astype(np.int64)
        return Columns(made)

    @staticmethod
    def joined(parts: Sequence[Columns]) -> Columns:
        """The rows of all parts, which must have the same columns."""
        first, *_ = parts
        return Columns({name: _joined([p.columns[name] for p in parts]) for name in first.columns})

    def __len__(self) -> int:
        return next((len(c) for c in self.columns.values()), 0)

    def texts(self, name: str) -> Texts:
        """A text column. Raises TypeError for another kind."""
        column = self.columns[name]
        if not isinstance(column, Texts):
            raise TypeError(f"column '{name}' holds numbers, not text.")
        return column

    def numbers(self, name: str) -> Numbers:
        """A column of truth values or numbers. Raises TypeError for text."""
        column = self.columns[name]
        if isinstance(column, Texts):
            raise TypeError(f"column '{name}' holds text, not numbers.")
        return column

    def total(self, name: str) -> int:
        """The exact sum of a column of integers or truth values."""
        return int(self.numbers(name).sum())

    def where(self, mask: Mask) -> Columns:
        """The rows that a mask chooses, in their order."""
        return self.take(np.flatnonzero(mask))

    def take(self, rows: Sequence[int] | npt.NDArray[np.intp]) -> Columns:
        """These rows, by number, in this order."""
        index = np.asarray(rows, np.intp)
        return Columns({n: Texts(c.names, c.codes[index]) if isinstance(c, Texts) else c[index]
                        for n, c in self.columns.items()})  # fmt: skip

    def having(self, **columns: Column) -> Columns:
        """These columns added, or put in the place of those of the same name."""
        return Columns({**self.columns, **columns})

    def groups(self, *keys: str) -> Iterator[tuple[tuple[Any, ...], Columns]]:
        """(values of the keys, rows that have them), in the order of the values."""
        first, number = self._numbered(keys)
        values = list(zip(*(self._at(k, first) for k in keys), strict=True))
        for index in sorted(range(len(values)), key=values.__getitem__):
            yield values[index], self.where(number == index)

    def sums(self, keys: Sequence[str], adding: Sequence[str]) -> Columns:
        """One row for each combination of the keys: the keys, and the sums of integer columns under their names."""
        first, number = self._numbered(keys)
        made: dict[str, Column] = {}
        for key in keys:
            column = self.columns[key]
            made[key] = Texts(column.names, column.codes[first]) if isinstance(column, Texts) else column[first]
        for name in adding:
            total = np.zeros(len(first), np.int64)
            np.add.at(total, number, self.numbers(name))
            made[name] = total
        return Columns(made)

    def last(self, keys: Sequence[str], by: str) -> Mask:
        """For each combination of the keys, the one row with the greatest number in column ``by``."""
        _, number = self._numbered(keys)
        order = np.lexsort((self.numbers(by), number))
        ends = np.ones(len(self), np.bool_)
        ends[:-1] = number[order][1:] != number[order][:-1]
        mask = np.zeros(len(self), np.bool_)
        mask[order[ends]] = True
        return mask

    def _numbered(self, keys: Sequence[str]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """For each combination of the keys, its first row; for each row, the number of its combination."""
        code = np.zeros(len(self), np.int64)
        for key in keys:
            column = self.columns[key]
            if isinstance(column, Texts):
                code = code * (len(column.names) + 1) + column.codes
            else:
                distinct, index = np.unique(column, return_inverse=True)
                code = code * (len(distinct) + 1) + index
            _, code = np.unique(code, return_inverse=True)  # small again, so that no combination overflows
        _, first, number = np.unique(code, return_index=True, return_inverse=True)
        return first, number

    def _at(self, name: str, rows: npt.NDArray[np.intp]) -> list[Any]:
        column = self.columns[name]
        return (Texts(column.names, column.codes[rows]) if isinstance(column, Texts) else column[rows]).tolist()


def _whole(column: pa.ChunkedArray) -> pa.Array:
    """A column in one piece. Where it has none, one without values is made by hand: pyarrow would import pandas."""
    if column.num_chunks:
        return column.combine_chunks()
    nothing = pa.py_buffer(bytes(8))
    return pa.Array.from_buffers(column.type, 0, [None, *[nothing] * (column.type.num_buffers - 1)])


def _coded(values: pa.Array) -> Texts:
    """Unknown texts as empty ones. (``fill_null`` would import pandas.)"""
    if len(values) < FEW:
        return _texts(["" if v is None else v for v in values.to_pylist()], np.arange(len(values)))
    coded = values.dictionary_encode()
    names, codes = coded.dictionary.to_pylist(), _buffer(coded.indices, np.int32).astype(np.int64)
    if not values.null_count:
        return Texts(tuple(names), codes)
    return _texts([*names, ""], np.where(_known(values), codes, len(names)))


def _texts(names: Sequence[str], codes: npt.NDArray[np.int64]) -> Texts:
    """A text column whose names may repeat."""
    place: dict[str, int] = {}
    new = np.fromiter((place.setdefault(n, len(place)) for n in names), np.int64, len(names))
    return Texts(tuple(place), new[codes] if len(new) else codes)


def _joined(columns: Sequence[Column]) -> Column:
    names: list[str] = []
    codes: list[npt.NDArray[np.int64]] = []
    numbers: list[Numbers] = []
    for column in columns:
        if isinstance(column, Texts):
            codes.append(column.codes + len(names))
            names += column.names
        else:
            numbers.append(column)
    return np.concatenate(numbers) if numbers else _texts(names, np.concatenate(codes))


def _buffer(values: pa.Array, kind: type[np.generic]) -> Numbers:
    """The values of a fixed-width array, whatever stands where they are null."""
    data = values.buffers()[1]
    if data is None or not len(values):
        return np.zeros(len(values), kind)
    width = np.dtype(kind).itemsize
    return np.frombuffer(data, kind, len(values), values.offset * width)


def _known(values: pa.Array) -> Mask:
    return _bits(values, 0)


def _bits(values: pa.Array, buffer: int) -> Mask:
    """A bitmap of an array: 0 says what is known (absent: everything), 1 holds truth values."""
    data = values.buffers()[buffer]
    if data is None:
        return np.ones(len(values), np.bool_)
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return bits[values.offset : values.offset + len(values)].astype(np.bool_)
