"""The store: where finished runs go, one call a run, none lost once ``write`` has returned."""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from harness.errors import StoreError
from harness.records import SCHEMA_VERSION, RunRecord
from results import manifest
from results.layout import part_file, part_files, spool_dir, spool_files, stem
from results.manifest import Status
from results.parts import Pending, fold, open_part
from results.schema import SCHEMAS
from results.spool import Header, SpoolWriter, adopt, encode, parse, spool_lock

log = logging.getLogger(__name__)


class Experiment(Protocol):
    """What the store must know of an experiment; any object with these two members will do."""

    @property
    def experiment_id(self) -> str: ...

    @property
    def manifest(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class ExperimentInfo:
    """An experiment for the store. ``manifest`` is made of JSON values: command line, full configuration of every cell,
    versions, git commit, planned runs.
    """

    experiment_id: str
    manifest: Mapping[str, Any]


@dataclass(slots=True)
class _Slot:
    """The part that one cell is writing: its spool on disk and the same rows in memory."""

    spool: SpoolWriter
    name: str
    pending: Pending = field(default_factory=Pending)


@dataclass
class Store:
    """A folder of parquet parts; one object writes one experiment at a time.

    ``part_rows`` and ``part_bytes`` bound what waits in memory and in the spool, all cells together (rows of all
    tables; bytes of JSON), ``open_cells`` how many spools are open at once: beyond any of them, the cell with most
    waiting is folded into parquet. Several processes may write to one folder, also to one experiment. Not for use by
    several threads at once.
    """

    dir: str = "runs"
    part_rows: int = 50_000
    part_bytes: int = 32 * 2**20
    open_cells: int = 100
    _experiment: Experiment | None = field(default=None, init=False, repr=False)
    _writer: str = field(default="", init=False, repr=False)
    _slots: dict[tuple[str, str, str], _Slot] = field(default_factory=dict, init=False, repr=False)
    _runs: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.dir.strip():
            raise StoreError("store.dir is empty: name a folder, such as runs.")
        for name in ("part_rows", "part_bytes", "open_cells"):
            if getattr(self, name) < 1:
                raise StoreError(f"store.{name} must be at least 1, got {getattr(self, name)}.")

    @property
    def root(self) -> Path:
        return Path(self.dir)

    def open(self, experiment: Experiment) -> None:
        """Get ready for one experiment: fold what crashed writers left behind, then note the manifest.

        Raises StoreError when the folder cannot be written or holds another schema version.
        """
        if self._experiment is not None:
            raise StoreError(f"the store in '{self.dir}' is open already: close it before opening it again.")
        if not experiment.experiment_id:
            raise StoreError("an experiment needs an id that is not empty.")
        try:
            for folder in (spool_dir(self.root), self.root / "experiments"):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot use store.dir '{self.dir}': {error}. Choose a writable folder.") from error
        self._check()
        self._recover()
        self._writer = uuid.uuid4().hex
        with spool_lock(self.root):
            manifest.begin(self.root, experiment.experiment_id, self._writer, experiment.manifest)
        self._runs = 0
        self._experiment = experiment

    def write(self, record: RunRecord) -> None:
        """Store one finished run whole. When this returns, the run survives the death of this process.

        Raises StoreError for a row of the wrong shape (nothing is stored) and when the disk cannot take it.
        """
        experiment, run = self._opened(), record.run
        if run.experiment_id != experiment.experiment_id or run.schema_version != SCHEMA_VERSION:
            raise StoreError(
                f"run '{run.run_id}' is of experiment '{run.experiment_id}', schema_version {run.schema_version}; the "
                f"store was opened for '{experiment.experiment_id}', version {SCHEMA_VERSION}."
            )
        rows = {"runs": [run], **{name: getattr(record, name) for name in SCHEMAS if name != "runs"}}
        line, columns = encode({name: SCHEMAS[name].transpose(some) for name, some in rows.items() if some})
        slot = self._slot(run.cell_id, run.topology, run.task)
        slot.spool.append(line)
        slot.pending.add(columns)
        self._runs += 1
        self._fold_beyond()

    def _fold_beyond(self) -> None:
        slots = self._slots.values()
        rows, size = sum(s.pending.rows for s in slots), sum(s.spool.size for s in slots)
        if rows >= self.part_rows or size >= self.part_bytes or len(slots) > self.open_cells:
            self._fold(max(self._slots, key=lambda key: self._slots[key].pending.rows))

    def close(self, status: Status = "complete") -> None:
        """Fold everything and note in the manifest how the experiment ended. Closing twice is closing once.

        Raises StoreError when a part cannot be written; its runs then stay readable in the spool.
        """
        if self._experiment is None:
            return
        errors = []
        for key in list(self._slots):
            try:
                self._fold(key)
            except StoreError as error:
                errors.append(error)
        experiment, self._experiment = self._experiment, None
        try:
            with spool_lock(self.root):
                manifest.end(self.root, experiment.experiment_id, self._writer, status, self._runs)
        except StoreError as error:
            errors.append(error)
        if errors:
            raise errors[0]

    def _opened(self) -> Experiment:
        if self._experiment is None:
            raise StoreError(f"the store in '{self.dir}' is not open: call open(experiment) first.")
        return self._experiment

    def _check(self) -> None:
        """One file a table is enough: no store of another version has ever been opened for writing."""
        for table in SCHEMAS:
            for path in part_files(self.root, table):
                open_part(path, table).close()
                break

    def _recover(self) -> None:
        """Fold the spools of writers that are gone."""
        with spool_lock(self.root):
            orphans = [(p, fd) for p in spool_files(self.root) if (fd := adopt(p)) is not None]
        try:
            for path, _ in orphans:
                self._fold_orphan(path)
        finally:
            for _, fd in orphans:
                os.close(fd)

    def _fold_orphan(self, path: Path) -> None:
        found = parse(path, path.read_bytes())
        if found.torn_bytes:
            log.warning("%s: ignored an incomplete last line of %d bytes", path, found.torn_bytes)
        if found.header is not None:
            head = found.header
            if found.pending.runs:
                fold(
                    self.root,
                    found.pending,
                    topology=head.topology,
                    task=head.task,
                    name=path.stem,
                    facts=head.facts(),
                )
                log.info("%s: recovered %d runs", path, found.pending.runs)
            with spool_lock(self.root):
                manifest.end(self.root, head.experiment_id, head.writer, "interrupted", None)
        path.unlink()

    def _slot(self, cell: str, topology: str, task: str) -> _Slot:
        key = (cell, topology, task)
        if key not in self._slots:
            header = Header(self._opened().experiment_id, cell, topology, task, self._writer)
            with spool_lock(self.root):
                name = self._free_name(header)
                self._slots[key] = _Slot(SpoolWriter(spool_dir(self.root) / f"{name}.jsonl", header), name)
        return self._slots[key]

    def _free_name(self, header: Header) -> str:
        """The next part: above every spool and every part of this cell. Spools are listed first, since a spool only
        disappears when its part is there."""
        first = stem(header.experiment_id, header.cell_id, 0)
        start = first[:-5]
        folder = part_file(self.root, "runs", header.topology, header.task, first).parent
        taken = [p.stem for p in spool_files(self.root)]
        taken += [p.stem for p in folder.glob("*.parquet")]
        numbers = [int(n) for t in taken if t.startswith(start) and (n := t[len(start) :]).isdigit()]
        return stem(header.experiment_id, header.cell_id, max(numbers, default=-1) + 1)

    def _fold(self, key: tuple[str, str, str]) -> None:
        """Turn a cell's spool into a part. If that fails, the spool stays behind as an orphan, and memory is freed."""
        slot = self._slots.pop(key)
        head = slot.spool.header
        if slot.spool.runs != slot.pending.runs:  # an interrupt struck inside ``write``: the spool knows better
            slot.spool.release()
            return
        try:
            fold(
                self.root,
                slot.pending,
                topology=head.topology,
                task=head.task,
                name=slot.name,
                facts=head.facts(),
            )
        except StoreError:
            slot.spool.release()
            raise
        slot.spool.discard()
