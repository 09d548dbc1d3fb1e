"""``merge``: several stores as one new store. A run that several of them hold is written once, if it is the same."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from harness.errors import StoreError
from results import manifest
from results.exchange.aside import aside, refuse_existing
from results.exchange.same import differs
from results.layout import part_file, stem
from results.parts import write_part
from results.schema import SCHEMAS
from results.snapshot import FilePart, Part, Snapshot, take
from results.validate import check
from results.writing import counted


@dataclass(frozen=True, slots=True)
class Source:
    """One of the stores: its runs, and how many of them another one before it holds too."""

    dir: str
    runs: int
    duplicates: int


@dataclass(frozen=True, slots=True)
class Merged:
    """``runs``: in the new store. ``experiments``: ids. ``notes``: what could not be read of a source."""

    dir: str
    sources: tuple[Source, ...]
    experiments: tuple[str, ...]
    runs: int
    notes: tuple[str, ...]


@dataclass
class _Seen:
    """Run → the part it is written from. ``names``: (topology, task, first part of the name) → parts so far."""

    runs: dict[str, Part] = field(default_factory=dict)
    names: Counter[tuple[str, str, str]] = field(default_factory=Counter)


def merge_stores(dirs: Sequence[str | Path], out: str | Path) -> Merged:
    """Raises StoreError for the same run with different content, a store of another schema version, one that does not
    add up, or a target that is in use; then nothing has been written. The sources stay as they are."""
    target = Path(out)
    refuse_existing(target)
    roots = _distinct(dirs)
    snapshots = [take(root) for root in roots]
    for snapshot in snapshots:
        _whole(snapshot)
    with aside(target) as made:
        (made / "experiments").mkdir(parents=True)
        seen = _Seen()
        sources = tuple(_add(snapshot, made, seen) for snapshot in snapshots)
        experiments = _manifests(roots, made)
        report = check(made)
        if not report.clean:
            fault = report.faults[0]
            raise StoreError(
                f"the stores together do not add up: {fault.name} ({fault.says}), {counted(fault.count, 'row')}. Run "
                f"`python -m results validate` on each of them to find the rows."
            )
        runs = report.runs
    return Merged(str(target), sources, experiments, runs, tuple(n for s in snapshots for n in _notes(s)))


def _notes(snapshot: Snapshot) -> list[str]:
    waiting = sum(not isinstance(part, FilePart) for part in snapshot.parts)
    told = f"{snapshot.root}: {waiting} parts were not folded yet; later runs of a sweep still going on are missing"
    return [*snapshot.notes, *([told] if waiting else [])]


def _distinct(dirs: Sequence[str | Path]) -> list[Path]:
    if len(dirs) < 2:
        raise StoreError("merge needs two stores or more: python -m results merge DIR DIR --out DIR")
    seen: dict[Path, Path] = {}
    for root in map(Path, dirs):
        if seen.setdefault(root.resolve(), root) is not root:
            raise StoreError(f"the store in '{root}' is named twice.", path=str(root))
    return list(seen.values())


def _whole(snapshot: Snapshot) -> None:
    for part in snapshot.headless:
        raise StoreError(
            f"the store in '{snapshot.root}' has rows without their runs ({next(iter(part.files.values()))}): see "
            f"`python -m results validate {snapshot.root}`."
        )


def _add(snapshot: Snapshot, made: Path, seen: _Seen) -> Source:
    """Write what is new in a store."""
    runs = again = 0
    for part in snapshot.parts:
        ids = part.table("runs", ["run_id"])["run_id"].to_pylist()
        twice = [i for i in ids if i in seen.runs]
        _same(twice, part, seen)
        _copy(part, made, seen, frozenset(twice))
        seen.runs.update((i, part) for i in ids if i not in seen.runs)
        runs, again = runs + len(ids), again + len(twice)
    return Source(str(snapshot.root), runs, again)


def _same(ids: Sequence[str], part: Part, seen: _Seen) -> None:
    """Raises StoreError unless these runs are what was seen of them."""
    by_part: dict[int, tuple[Part, list[str]]] = {}
    for run_id in ids:
        before = seen.runs[run_id]
        by_part.setdefault(id(before), (before, []))[1].append(run_id)
    for before, mine in by_part.values():
        found = differs(mine, before, part)
        if found is not None:
            run_id, table = found
            raise StoreError(
                f"run '{run_id}' is in '{before.path('runs')}' and in '{part.path('runs')}' with different rows of "
                f"{table}. They are two runs of one name, or one was changed: leave one of the stores out.",
                run_id=run_id,
                table=table,
            )


def _copy(part: Part, made: Path, seen: _Seen, without: frozenset[str]) -> None:
    """One part under a free name, as it is, or without some runs, or, from a spool, as the part it would become."""
    facts = part.facts
    base = stem(part.experiment_id, facts["cell_id"], 0)
    key = (part.topology, part.task, base)
    name = stem(part.experiment_id, facts["cell_id"], seen.names[key])
    if isinstance(part, FilePart) and not without:
        for table, path in part.files.items():
            target = part_file(made, table, part.topology, part.task, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    else:
        tables = {table: _without(part.table(table, SCHEMAS[table].names), without) for table in SCHEMAS}
        if not len(tables["runs"]):
            return
        kept = {table: rows for table, rows in tables.items() if len(rows)}
        write_part(made, kept, topology=part.topology, task=part.task, name=name, facts=facts)
    seen.names[key] += 1


def _without(rows: pa.Table, ids: frozenset[str]) -> pa.Table:
    """The rows of other runs."""
    return rows.filter(pa.array([i not in ids for i in rows["run_id"].to_pylist()], pa.bool_())) if ids else rows


def _manifests(roots: Sequence[Path], made: Path) -> tuple[str, ...]:
    """Every manifest of every store: what one experiment was opened with in several of them stands in one."""
    found: dict[str, list[dict[str, Any]]] = {}
    for root in roots:
        for whole in manifest.read_all(root):
            found.setdefault(whole["experiment_id"], []).append(whole)
    for wholes in found.values():
        manifest.put(made, manifest.joined(wholes))
    return tuple(found)
