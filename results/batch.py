"""Small parts of a store taken together, as if they were one: most of what a check costs does not grow with rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from results.snapshot import Part, repeated

RUN = "run_id"
_CUT = "|"


class Batch:
    """Parts whose rows stand one below the other.

    Each run id has its part's place before it, so rows of two parts never meet, even where both hold the same run.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = parts

    def table(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows of one table, as ``Part.table`` but for the run ids. ``columns``, where given, names ``run_id``."""
        return pa.concat_tables([_placed(n, p.table(table, columns)) for n, p in enumerate(self.parts)])

    def origin(self, placed: str) -> tuple[Part, str]:
        """A run id of this batch → the part that it stands in, and the run id as stored."""
        place, _, run_id = placed.partition(_CUT)
        return self.parts[int(place)], run_id


def batches(parts: Sequence[Part], most_rows: int) -> Iterator[Batch]:
    """All parts in order, together in one batch up to so many rows; a part with more is a batch of its own."""
    taken: list[Part] = []
    rows = 0
    for part in parts:
        more = part.rows()
        if taken and rows + more > most_rows:
            yield Batch(taken)
            taken, rows = [], 0
        taken.append(part)
        rows += more
    if taken:
        yield Batch(taken)


def _placed(place: int, rows: pa.Table) -> pa.Table:
    at, count = rows.schema.get_field_index(RUN), len(rows)
    ids = pc.binary_join_element_wise(repeated(f"{place:06}", count), rows[RUN], repeated(_CUT, count))
    return rows.set_column(at, rows.schema.field(at), ids)
