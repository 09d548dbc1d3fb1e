"""Reading a store back: pandas frames, arrow tables, or a dataset that is read in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from harness.errors import StoreError, unknown
from results import layout, manifest
from results.parts import open_part
from results.schema import PARTITION_KEYS, SCHEMAS
from results.snapshot import FilePart, Snapshot, SpoolPart, take

if TYPE_CHECKING:  # both cost 0.2 s, and the summary at the end of a run needs neither
    import pandas as pd
    import pyarrow.dataset as ds


class Results:
    """The rows of a store at one moment, read from disk when first asked for.

    Each frame has the columns of its dataclass in ``harness.records`` plus ``topology`` and ``task``. Integers that may
    be unknown are ``Int64`` with ``<NA>``, so picodollars stay exact; floats that may be unknown are NaN.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what could not be read."""
        return self.snapshot.notes

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """One table as arrow, all rows; ``columns`` limits what is read from disk."""
        _known(name)
        return pa.concat_tables(self.snapshot.tables(name, columns))

    def frame(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """One table as pandas; ``columns`` limits what is read from disk."""
        return to_pandas(self.table(name, columns))

    @cached_property
    def runs(self) -> pd.DataFrame:
        return self.frame("runs")

    @cached_property
    def calls(self) -> pd.DataFrame:
        return self.frame("calls")

    @cached_property
    def shares(self) -> pd.DataFrame:
        return self.frame("shares")

    @cached_property
    def messages(self) -> pd.DataFrame:
        return self.frame("messages")

    @cached_property
    def delegations(self) -> pd.DataFrame:
        return self.frame("delegations")

    @cached_property
    def events(self) -> pd.DataFrame:
        return self.frame("events")

    @property
    def experiment_ids(self) -> tuple[str, ...]:
        """Every experiment with rows here, by name."""
        return tuple(sorted({p.experiment_id for p in self.snapshot.parts}))

    @property
    def manifests(self) -> list[dict[str, Any]]:
        """What these experiments were started with (``results.manifest``), oldest first."""
        present = set(self.experiment_ids)
        return [m for m in manifest.read_all(self.snapshot.root) if m["experiment_id"] in present]

    def of(self, experiment: str) -> Results:
        """One experiment's rows; ``last`` is the one opened last. Raises StoreError with the valid choices."""
        ids = self.experiment_ids
        if experiment == "last":
            experiment = next((m["experiment_id"] for m in reversed(self.manifests)), ids[-1])
        if experiment not in ids:
            raise StoreError(unknown("experiment", experiment, [*ids, "last"]), experiment=experiment)
        return self if len(ids) == 1 else Results(self.snapshot.of(experiment))


def load(dir: str | Path = "runs", experiment: str | None = None) -> Results:
    """The results in a store, of all experiments or of one (``last``: the newest).

    Raises StoreError when there is nothing to read, naming what to run.
    """
    snapshot = take(Path(dir))
    if not snapshot.parts:
        raise StoreError(f"the store in '{dir}' has rows but no runs: see `python -m results validate {dir}`.")
    results = Results(snapshot)
    return results if experiment is None else results.of(experiment)


def dataset(dir: str | Path, table: str, experiment: str | None = None) -> ds.Dataset:
    """One table of a store as a pyarrow dataset, for stores larger than memory: scan it with filters and columns.

    Columns as in ``SCHEMAS[table].full``. Raises StoreError as ``load`` does, and for a file of another schema.
    """
    import pyarrow.dataset as ds

    _known(table)
    parts = load(dir, experiment).snapshot.parts
    schema = SCHEMAS[table].full
    files = [p.files[table] for p in parts if isinstance(p, FilePart) and table in p.files]
    for path in files:
        open_part(path, table).close()
    keys = ds.partitioning(pa.schema([schema.field(k) for k in PARTITION_KEYS]), flavor="hive")
    folded = ds.dataset(
        [str(p) for p in files],
        format="parquet",
        schema=schema,
        partitioning=keys,
        partition_base_dir=str(layout.table_dir(Path(dir), table)),
    )
    waiting = pa.concat_tables([schema.empty_table(), *(p.table(table) for p in parts if isinstance(p, SpoolPart))])
    return ds.dataset([folded, ds.dataset(waiting)])


def to_pandas(rows: pa.Table) -> pd.DataFrame:
    """Arrow → pandas without losing an integer: nullable ``int64`` columns become ``Int64``."""
    import pandas as pd

    frame: pd.DataFrame = rows.to_pandas()
    exact = {pa.int64(): pd.Int64Dtype()}
    for field in rows.schema:
        if field.nullable and field.type in exact:
            frame[field.name] = rows.column(field.name).to_pandas(types_mapper=exact.get)
    return frame


def _known(table: str) -> None:
    if table not in SCHEMAS:
        raise StoreError(unknown("table", table, SCHEMAS), table=table)
