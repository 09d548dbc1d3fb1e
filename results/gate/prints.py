"""Fingerprints of the many rows that a run has in the other tables: one 64-bit number a run and column.

Two runs whose rows say the same in the same order have the same fingerprint, on every machine; any other value, row or
order has another, but for one chance in 2⁶⁴. Ids that begin with the run's own are taken without it, since that is new
in every sweep. An unknown text counts as an empty one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from harness.errors import StoreError
from results.columns import Columns, Numbers, Texts
from results.frames import Results
from results.gate.declared import PRINTED, PRINTS

Bits: TypeAlias = npt.NDArray[np.uint64]
_WITH_RUN = frozenset({"session_id", "parent_session_id"})


def prints(results: Results, at: Mapping[str, int], simulated: npt.NDArray[np.bool_]) -> dict[str, Numbers]:
    """Column → a number a run; 0 for all runs that are not simulated: real ones never repeat, and nobody asks.

    ``at``: run id → its place. Raises StoreError for a row whose run is not there.
    """
    made = {name: np.zeros(len(at), np.uint64) for name in PRINTS}
    if simulated.any():
        for table, columns in PRINTED.items():
            for part in results.snapshot.tables(table, ["run_id", *columns]):
                if len(part):
                    rows = Columns.of(part)
                    index = places(table, rows, at)
                    chosen = simulated[index]
                    _add(made, table, rows.where(chosen), index[chosen])
    return {name: found.view(np.int64) for name, found in made.items()}


def places(table: str, rows: Columns, at: Mapping[str, int]) -> npt.NDArray[np.intp]:
    """The place of each row's run. Raises StoreError naming the run that is not there."""
    ids = rows.texts("run_id")
    used = np.zeros(len(ids.names), np.bool_)
    used[ids.codes] = True
    for name, seen in zip(ids.names, used.tolist(), strict=True):
        if seen and name not in at:
            raise StoreError(
                f"the store has rows of run '{name}' in {table} and none in runs: its row was removed or renamed. "
                f"Restore it, or run the sweep again."
            )
    return np.fromiter((at.get(name, -1) for name in ids.names), np.intp, len(ids.names))[ids.codes]


def _add(made: Mapping[str, Bits], table: str, rows: Columns, index: npt.NDArray[np.intp]) -> None:
    where = _mixed(_ranks(index).astype(np.uint64))
    for column in PRINTED[table]:
        np.add.at(made[f"{table}.{column}"], index, _mixed(_bits(rows, column) ^ where))


def _ranks(index: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Of each row, how many of its run stand before it."""
    order = np.argsort(index, kind="stable")
    inside = index[order]
    starts = np.flatnonzero(np.r_[True, inside[1:] != inside[:-1]]) if len(index) else order
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(index)) - np.repeat(starts, np.diff(np.r_[starts, len(index)]))
    return ranks


def _bits(rows: Columns, name: str) -> Bits:
    column = rows.columns[name]
    if isinstance(column, Texts):
        if name in _WITH_RUN:
            runs = rows.texts("run_id").tolist()
            own = [text.removeprefix(run) for text, run in zip(column.tolist(), runs, strict=True)]
            return np.array([_digest(text) for text in own], np.uint64)
        return np.array([_digest(text) for text in column.names], np.uint64)[column.codes]
    if column.dtype.kind == "f":
        plain = np.where(np.isnan(column), np.nan, column + 0.0)  # one bit pattern for unknown, one for zero
        return _mixed(plain.view(np.uint64))
    found = _mixed(column.astype(np.int64).view(np.uint64))
    unknown = rows.columns.get(f"{name}_unknown")
    return found if unknown is None or isinstance(unknown, Texts) else found ^ _mixed(unknown.astype(np.uint64))


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _mixed(bits: Bits) -> Bits:
    """Spread over all 64 bits: the finaliser of splitmix64 (Steele, Lea, Flood, 2014), of a number that is not 0."""
    z = bits + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Bits = z ^ (z >> np.uint64(31))
    return mixed
