"""``import``: rows of other people's harnesses as an ordinary store."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import CorpusError
from harness.version import VERSION
from results.exchange.agents import Agent, agents
from results.exchange.aside import aside, refuse_existing
from results.exchange.cells import Placed, placed
from results.exchange.column_map import ColumnMap
from results.exchange.epochs import epochs
from results.exchange.files import Foreign, read
from results.exchange.reading import PASSES, Told, told
from results.exchange.records import record
from results.store import ExperimentInfo, Store
from results.writing import counted


@dataclass(frozen=True, slots=True)
class Tallied:
    """One agent on one task: how many runs, of which with unknown tokens, USD and seconds."""

    agent: Agent
    task: str
    runs: int
    score_mean: float
    passed: int
    usd: float | None
    without_tokens: int
    without_usd: int
    without_seconds: int
    simulated: bool


@dataclass(frozen=True, slots=True)
class Imported:
    """What was imported. ``usd`` above: the sum over all runs, None where one is not known. ``notes``: sentences about
    what was taken for granted."""

    dir: str
    experiments: tuple[str, ...]
    runs: int
    rows: tuple[Tallied, ...]
    notes: tuple[str, ...]


def import_rows(files: Sequence[str | Path], chosen: ColumnMap, out: str | Path, command: str = "") -> Imported:
    """Read foreign files and write a new store. ``command``: for the manifest, which also keeps the map, and each
    file's sha256.

    Raises CorpusError or ConfigError for the first thing that cannot be used, StoreError where ``out`` is in use; then
    nothing has been written.
    """
    target = Path(out)
    refuse_existing(target)
    if not files:
        raise CorpusError("no file to import. Name one or more CSV or JSON lines files.")
    found = [read(Path(f)) for f in files]
    runs = [one for file in found for one in told(file, chosen, _stem(file.path))]
    known = agents(runs, chosen)
    where = placed(runs, known, epochs(runs))
    facts = _facts(found, chosen, known, command)
    origins = {file.path: _digest({"sha256": file.sha256, "map": chosen.facts}) for file in found}
    with aside(target) as made:
        _write(made, where, facts, origins)
    experiments = tuple(dict.fromkeys(one.experiment for one in runs))
    return Imported(str(target), experiments, len(runs), _tallied(where), tuple(_notes(runs, chosen)))


def _stem(path: str) -> str:
    """A file's name without what says how it is written."""
    name = Path(path).name.removesuffix(".gz")
    return name.rpartition(".")[0] or name


def _write(root: Path, runs: Sequence[Placed], facts: dict[str, Any], origins: dict[str, str]) -> None:
    store = Store(str(root))
    for experiment in dict.fromkeys(run.told.experiment for run in runs):
        mine = [run for run in runs if run.told.experiment == experiment]
        store.open(ExperimentInfo(experiment, {**facts, "planned_runs": len(mine)}))
        for run in mine:
            store.write(record(run, origins[run.told.row.file]))
        store.close()


def _facts(files: Sequence[Foreign], chosen: ColumnMap, known: Mapping[str, Agent], command: str) -> dict[str, Any]:
    return {
        "command": command,
        "imported": {
            "files": [{"path": f.path, "sha256": f.sha256, "rows": len(f.rows)} for f in files],
            "map": chosen.facts,
            "agents": {name: {"topology": a.topology, "family": a.family} for name, a in known.items()},
        },
        "versions": {"topology-harness": VERSION},
    }


def _digest(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _tallied(runs: Sequence[Placed]) -> tuple[Tallied, ...]:
    """By agent and task, in the order of the file."""
    groups: dict[tuple[str, str, bool], list[Placed]] = {}
    for run in runs:
        groups.setdefault((run.agent.name, run.told.task, run.told.simulated), []).append(run)
    return tuple(_sum(some, task, simulated) for (_, task, simulated), some in groups.items())


def _sum(runs: Sequence[Placed], task: str, simulated: bool) -> Tallied:
    all_told = [run.told for run in runs]
    costs = [t.paid.pusd for t in all_told if t.paid is not None]
    return Tallied(
        agent=runs[0].agent,
        task=task,
        runs=len(runs),
        score_mean=sum(t.score for t in all_told) / len(runs),
        passed=sum(t.passed for t in all_told),
        usd=sum(costs) / 10**12 if len(costs) == len(runs) else None,
        without_tokens=sum(t.used is None for t in all_told),
        without_usd=len(runs) - len(costs),
        without_seconds=sum(t.seconds is None for t in all_told),
        simulated=simulated,
    )


def _notes(runs: Sequence[Told], chosen: ColumnMap) -> list[str]:
    said = []
    if "sample" not in chosen.columns:
        said.append(
            "no column is mapped to 'sample': each task is one sample. If the tasks are items of one benchmark, map "
            "their column to sample, so that agents are compared over them."
        )
    fractional = any(0 < t.score < 1 for t in runs)
    if fractional and chosen.threshold is None and "threshold" not in chosen.columns:
        said.append(f"no threshold is named: a run has passed from a score of {PASSES:g} on (--threshold).")
    if "usd_uncached" not in chosen.columns and any(t.paid is not None for t in runs):
        said.append("nothing tells what was read from a cache: USD as if uncached are taken to be USD as billed.")
    silent = sum(t.used is None for t in runs)
    if silent and chosen.zero_tokens == "unknown":
        whole = counted(len(runs), "run")
        said.append(f"tokens of {silent:,} of {whole} are not known; 0 tokens count as not recorded.")
    if any(t.simulated for t in runs):
        said.append("rows that call themselves simulated stay simulated: they are no evidence about a real model.")
    if any(t.used is not None and t.used.together for t in runs):
        said.append("prompt and completion are not told apart in some rows: all their tokens stand as prompt.")
    return said
