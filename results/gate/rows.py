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
from results import schema
from results.columns import Columns, Numbers, Texts
from results.frames import Results
from results.labels import typed
from results.tally import JUDGE, class_of, tallied

PURPOSES = tuple(p.value for p in Purpose if p.value != JUDGE)
"""The judge's tokens are never part of a topology's; they stand in ``judge_tokens``."""
OTHER = Purpose.UNKNOWN.value
VIEWS = ("tokens", "activity", "pusd")
"""Columns of each purpose, ``tokens.sync`` and so on: content in tokens, activity in tokens, content in pUSD."""

_IDENTITY: dict[str, type] = {
    "topology": str,
    "setting": str,  # JSON: what else the sweep set for this cell
    "task": str,
    "sample_id": str,
    "epoch": int,
}
_CONDITIONS: dict[str, type] = {
    "simulated": bool,
    "cluster_id": str,
    "material_hash": str,
    "grader": str,
    "rubric_hash": str,  # empty: none
    "pass_threshold": float,
    "seed": int,
}
"""Where these differ, two runs are not the same experiment."""
_COUNTS = (
    "prompt_tokens",
    "cached_tokens",
    "cache_write_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "work_tokens",
    "coordination_tokens",
    "verification_tokens",
    "judge_tokens",
    "calls",
    "attempts",
    "retries_transport",
    "retries_validation",
    "revisions",
    "escalations",
    "depth_violations",
    "refused",
    "left_out",
    "parse_failures",
    "messages",
    "redelivery_tokens",
    "peak_prompt_tokens",
)
_KNOWN: dict[str, type] = {
    "status": str,
    "family": str,
    "model": str,
    "score": float,
    "passed": bool,
    "wall_s": float,
    "working_s": float,
    "cost_complete": bool,
    **dict.fromkeys(_COUNTS, int),
    **{f"{view}.{purpose}": int for purpose in PURPOSES for view in VIEWS},
}
_MAYBE: dict[str, type] = {"cost_pusd": int, "fee_pusd": int, "cost_uncached_usd": float, "judge_cost_usd": float}

COMPARED = (*_KNOWN, *_MAYBE)
"""Columns in which a simulated run must be as before, to the last bit."""
COLUMNS = (
    *(schema.column(name, kind) for name, kind in {**_IDENTITY, **_CONDITIONS, **_KNOWN}.items()),
    *(schema.column(name, kind, nullable=True) for name, kind in _MAYBE.items()),
)
"""Columns of a baseline file."""


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
        return self.rows.take([self.at[r] for r in runs])


def gathered(results: Results) -> Columns:
    """One row a run, ordered by cell, sample and epoch.

    Raises StoreError for runs that are there twice and for sums that do not add up, so that no gate rests on them.
    """
    tally = tallied(results)
    runs = tally.runs
    rubrics = ["" if v is None else v for v in results.table("runs", ["rubric_hash"])["rubric_hash"].to_pylist()]
    made = {name: column for name, column in runs.columns.items() if name in {*_CONDITIONS, *_KNOWN, *_MAYBE}}
    made |= {f"{name}_unknown": runs.numbers(f"{name}_unknown") for name in ("cost_pusd",)}
    made |= {name: runs.columns[name] for name in ("topology", "task", "sample_id", "epoch")}
    made["setting"] = runs.texts("params").renamed(_setting)
    made["rubric_hash"] = Texts(names := tuple(dict.fromkeys(rubrics)), _codes(rubrics, names))
    ids = runs.texts("run_id").tolist()
    at = {run_id: i for i, run_id in enumerate(ids)}
    made |= _by_purpose(tally.content, at, "purpose", {"tokens": "tokens", "pusd": "pusd"})
    made |= _by_purpose(tally.activity, at, "activity", {"activity": "tokens"})
    made["fee_pusd"] = _summed(tally.activity, at, "fee")
    made["fee_pusd_unknown"] = (_summed(tally.activity, at, "fee_unknown") > 0).astype(np.int64)
    rows = Columns(made)
    _adds_up(rows, ids)
    found = rows.take(sorted(range(len(rows)), key=_order(rows).__getitem__))
    list(cells(found))
    return found


def cells(rows: Columns) -> Iterator[Cell]:
    """The cells of gathered rows, in order. Raises StoreError for one that has a sample twice in the same epoch."""
    for key, own in rows.groups("topology", "setting", "task"):
        runs = list(zip(own.texts("sample_id").tolist(), own.numbers("epoch").tolist(), strict=True))
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
    rest = {k: v for k, v in json.loads(params).items() if k not in ("topology", "task")}
    return json.dumps(rest, sort_keys=True, ensure_ascii=False)


def _codes(values: Sequence[str], names: Sequence[str]) -> npt.NDArray[np.int64]:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[v] for v in values], np.int64)


def _order(rows: Columns) -> list[tuple[str | int, ...]]:
    return list(zip(*(_plain(rows, name) for name in _IDENTITY), strict=True))


def _plain(rows: Columns, name: str) -> list[Any]:
    found: list[Any] = rows.columns[name].tolist()
    return found


def _by_purpose(rows: Columns, at: dict[str, int], key: str, views: dict[str, str]) -> dict[str, Numbers]:
    """``views``: prefix of the columns made → column added up."""
    index = np.array([at[run] for run in rows.texts("run_id").tolist()], np.int64)
    names = [name if class_of(name) != "unknown" else OTHER for name in rows.texts(key).tolist()]
    purpose = _codes(names, PURPOSES)
    made: dict[str, Numbers] = {}
    for prefix, column in views.items():
        total = np.zeros((len(PURPOSES), len(at)), np.int64)
        np.add.at(total, (purpose, index), rows.numbers(column))
        made |= {f"{prefix}.{name}": total[i] for i, name in enumerate(PURPOSES)}
    return made


def _summed(rows: Columns, at: dict[str, int], column: str) -> npt.NDArray[np.int64]:
    index = np.array([at[run] for run in rows.texts("run_id").tolist()], np.int64)
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
