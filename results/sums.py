"""Group and add, exactly, with the unknown counted and not added as zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def sums(rows: pa.Table, keys: Sequence[str], known: Sequence[str], maybe: Sequence[str] = ()) -> pa.Table:
    """One row a key: the sums of all columns named, under their names, and ``rows``, the number of rows added.

    A column of ``maybe`` may hold nulls: its sum is of what is known, and ``<column>_unknown`` counts the rest.
    """
    wanted: list[tuple[Any, ...]] = [(c, "sum") for c in (*known, *maybe)]
    wanted += [(c, "count", pc.CountOptions(mode="only_null")) for c in maybe]
    wanted.append(([], "count_all"))
    grouped = rows.group_by(list(keys)).aggregate(wanted)
    names = {f"{c}_sum": c for c in (*known, *maybe)} | {f"{c}_count": f"{c}_unknown" for c in maybe}
    grouped = grouped.rename_columns([{**names, "count_all": "rows"}.get(n, n) for n in grouped.column_names])
    for column in maybe:  # the sum of nothing known is 0 here; how much is unknown stands beside it
        at = grouped.column_names.index(column)
        grouped = grouped.set_column(at, column, pc.fill_null(grouped[column], 0))
    return grouped.replace_schema_metadata(None)
