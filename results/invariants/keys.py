"""Rows that belong together: counted and added up, exactly, in one table or across several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from results.columns import Column, Columns, Mask, Numbers, Texts

Number: TypeAlias = npt.NDArray[np.intp]
"""For each row the number of its group, from 0."""


def alike(columns: Sequence[Texts]) -> list[Texts]:
    """The same texts, all with the same names, in order: so their codes can be compared."""
    joined = Columns.joined([Columns({"text": c}) for c in columns]).texts("text").ordered()
    return [Texts(joined.names, codes) for codes in _split(joined.codes, columns)]


def together(*tables: Columns) -> tuple[int, list[Number]]:
    """How many different rows there are in tables with the same columns, and for each table its rows' numbers: rows
    that are the same have the same number, whatever their table."""
    joined = Columns.joined(tables)
    first, number = joined.numbered(list(joined.columns))
    return len(first), _split(number, tables)


def among(rows: Columns, others: Columns) -> Mask:
    """Which rows stand in another table with the same columns too."""
    count, (number, there) = together(rows, others)
    found: Mask = (np.bincount(there, minlength=count) > 0)[number]
    return found


def folded(how: np.ufunc, number: Number, values: Numbers, count: int) -> Numbers:
    """The values of each group made one with ``np.add``, ``np.minimum`` or ``np.maximum``; 0 for a group without rows.
    Truth values are counted."""
    if values.dtype == np.bool_:
        values = values.astype(np.int64)
    found = np.zeros(count, values.dtype)
    if len(number):
        order = np.argsort(number, kind="stable")
        ordered = number[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        found[ordered[starts]] = how.reduceat(values[order], starts)
    return found


def distinct(number: Number, column: Column, count: int) -> Numbers:
    """How many different values a column has in each group."""
    first, _ = Columns({"group": number, "value": column}).numbered(["group", "value"])
    return np.bincount(number[first], minlength=count)


def _split(values: Numbers, like: Sequence[Columns] | Sequence[Texts]) -> list[Numbers]:
    return np.split(values, np.cumsum([len(c) for c in like])[:-1])
