"""What a gate knows of runs: one row a run, whether it comes from a store or from a baseline file.

A cell is a topology, what else its sweep set, and a task; names of experiments and cells are new in every sweep and
tell nothing. Every token and picodollar of a run is there by purpose.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.accounting.purposes import Purpose
from harness.errors import StoreError
from results.columns import Columns, Numbers
from results.frames import Results
from results.gate.declared import CONDITIONS, IDENTITY, KNOWN, MAYBE, PURPOSES, VIEWS
from results.gate.prints import places, prints
from results.labels import typed
from results.tally import tallied

OTHER = Purpose.UNKNOWN.value
_EMPTY_IF_UNKNOWN = ("rubric_hash", "ablate", "error_type", "limit", "bus")


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """What makes a cell the same one in two sweeps. ``setting``: JSON object, sorted keys."""

    topology: str
    setting: str
    task: str

    @property
    def label(self) -> str:
        """As it is shown: topology, settings, task."""
        chosen = (f"{k}={typed(v)}" for k, v in json.loads(self.setting).items())
        return f"{' '.join((self.topology, *chosen))} · {self.task}"


Run = tuple[str, int]
"""Sample and epoch: what makes a run the same one in two cells of the same key."""


@dataclass(frozen=True, eq=False)
class Cell:
    """The rows of one cell. ``at``: run → number of its row, in the order of samples and epochs."""

    key: CellKey
    rows: Columns
    at: dict[Run, int]

    @property
    def simulated(self) -> bool:
        return bool(self.rows.numbers("simulated")[0])

    @property
    def team(self) -> bool:
        return "team" in self.rows.texts("family").tolist()

    def choose(self, runs: Sequence[Run]) -> Columns:
        """The rows of these runs, in this order."""
        places = [self.at[r] for r in runs]
        return self.rows if places == list(range(len(self.rows))) else self.rows.take(places)


def gathered(results: Results) -> Columns:
    """One row a run, ordered by cell, sample and epoch.

    Raises StoreError for runs that are there twice and for sums that do not add up, so that no gate rests on them.
    """
    tally = tallied(results)
    runs = tally.runs.having(**Columns.of(results.table("runs", _EMPTY_IF_UNKNOWN)).columns)
    made = {name: column for name, column in runs.columns.items() if name in {*CONDITIONS, *KNOWN, *MAYBE}}
    made |= {name: runs.columns[name] for name in ("cost_pusd_unknown", "topology", "task", "sample_id", "epoch")}
    made["setting"] = runs.texts("params").renamed(_setting)
    ids = runs.texts("run_id").tolist()
    at = {run_id: i for i, run_id in enumerate(ids)}
    made |= _by_purpose("shares", tally.content, at, "purpose", {"tokens": "tokens", "pusd": "pusd"})
    made |= _by_purpose("calls", tally.activity, at, "activity", {"activity": "tokens"})
    made["fee_pusd"] = _summed(tally.activity, at, "fee")
    made["fee_pusd_unknown"] = (_summed(tally.activity, at, "fee_unknown") > 0).astype(np.int64)
    made |= prints(results, at, runs.numbers("simulated"))
    rows = Columns(made)
    _adds_up(rows, ids)
    found = rows.take(sorted(range(len(rows)), key=_order(rows).__getitem__))
    list(cells(found))
    return found


def cells(rows: Columns) -> Iterator[Cell]:
    """The cells of gathered rows, in order. Raises StoreError for one that has a sample twice in the same epoch."""
    for key, own in rows.groups("topology", "setting", "task"):
        runs = list(zip(own.texts("sample_id").tolist(), own.numbers("epoch").tolist(), strict=True))
        _object(key[1], "setting")
        cell = Cell(CellKey(*key), own, {run: i for i, run in enumerate(runs)})
        if len(cell.at) < len(runs):
            (sample, epoch), times = Counter(runs).most_common(1)[0]
            raise StoreError(
                f"sample '{sample}' (epoch {epoch}) of {cell.key.label} is there {times} times, so it cannot be "
                f"compared. Choose one experiment by --experiment ID, or give each sweep a store of its own."
            )
        yield cell


def _setting(params: str) -> str:
    """What a cell's sweep set, without topology and task, which have columns of their own."""
    rest = {k: v for k, v in _object(params, "params").items() if k not in ("topology", "task")}
    return json.dumps(rest, sort_keys=True, ensure_ascii=False)


def _object(text: str, column: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise StoreError(f"{column} of a cell is no JSON object: {text[:80]!r}. Restore the file, or make it again.")
    return found


def _order(rows: Columns) -> list[tuple[str | int, ...]]:
    return list(zip(*(_plain(rows, name) for name in IDENTITY), strict=True))


def _plain(rows: Columns, name: str) -> list[Any]:
    found: list[Any] = rows.columns[name].tolist()
    return found


def _by_purpose(table: str, rows: Columns, at: dict[str, int], key: str, views: dict[str, str]) -> dict[str, Numbers]:
    """``table``: that the rows come from. ``views``: prefix of the columns made → column added up."""
    index = places(table, rows, at)
    of, numbers = rows.texts(key), {name: i for i, name in enumerate(PURPOSES)}
    purpose = np.array([numbers.get(name, numbers[OTHER]) for name in of.names], np.int64)[of.codes]
    made: dict[str, Numbers] = {}
    for prefix, column in views.items():
        total = np.zeros((len(PURPOSES), len(at)), np.int64)
        np.add.at(total, (purpose, index), rows.numbers(column))
        made |= {f"{prefix}.{name}": total[i] for i, name in enumerate(PURPOSES)}
    return made


def _summed(rows: Columns, at: dict[str, int], column: str) -> npt.NDArray[np.int64]:
    index = places("calls", rows, at)
    total = np.zeros(len(at), np.int64)
    np.add.at(total, index, rows.numbers(column))
    return total


def _adds_up(rows: Columns, ids: Sequence[str]) -> None:
    """A run's purposes add up to its totals, or no comparison of purposes would mean anything."""
    tokens = rows.numbers("prompt_tokens") + rows.numbers("completion_tokens")
    sums = {view: sum(rows.numbers(f"{view}.{p}") for p in PURPOSES) for view in VIEWS}
    known = (rows.numbers("cost_pusd_unknown") == 0) & rows.numbers("cost_complete")
    paid = sums["pusd"] + rows.numbers("fee_pusd")
    for says, wrong in (
        ("content purposes do not add up to its tokens", sums["tokens"] != tokens),
        ("activities do not add up to its tokens", sums["activity"] != tokens),
        ("purposes and fees do not add up to its cost", known & (paid != rows.numbers("cost_pusd"))),
    ):
        if np.any(wrong):
            run = ids[int(np.flatnonzero(wrong)[0])]
            raise StoreError(
                f"run '{run}': its {says} ({int(np.sum(wrong)):,} such runs). Run `python -m results validate` on the "
                f"store to find the rows."
            )
