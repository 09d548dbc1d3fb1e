"""What the tree reads of the rows beside the comparison: what ``single`` and its suite declare, sample by sample."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from results.bridge import BASELINE, setting
from results.columns import Columns
from results.comparison.cells import Cell, Key, Scenario, Values
from results.frames import Results
from results.tally import JUDGE

_TEXTS = ["experiment_id", "cell_id", "task", "params", "run_id", "sample_id", "material_hash", "tags", "topology"]
_NUMBERS = ["simulated", "material_tokens", "window_tokens", "graph_work", "graph_critical_path"]

Pick = Callable[[Iterable[float]], float]


@dataclass(frozen=True, eq=False)
class Declared:
    """A number for each sample of the scenario (its order), NaN where ``single`` has no run or the row does not say.

    ``material``, ``window``: declared tokens; ``peak``: most tokens of one completion of ``single``, over its epochs;
    ``work``, ``path``: total and longest-path weight of the declared dependency graph. ``together``: whether any step
    of ``single`` called more than one tool; None where no run called two, so that there was nothing to call at once.
    """

    material: Values
    window: Values
    peak: Values
    work: Values
    path: Values
    together: bool | None


class Rows:
    """The rows of one analysis. Of the larger tables no more is read than what concerns ``single``, and once."""

    def __init__(self, results: Results) -> None:
        self.results = results
        runs = Columns.of(results.table("runs", [*_TEXTS, *_NUMBERS]))
        runs = runs.having(setting=runs.texts("params").renamed(setting))
        self._single = frozenset(runs.where(runs.texts("topology").equal(BASELINE)).texts("run_id").tolist())
        self._groups = dict(runs.groups("experiment_id", "task", "simulated", "setting", "cell_id"))

    def of(self, scenario: Scenario, cell: Cell) -> Columns:
        """The runs of one cell."""
        where = (scenario.experiment_id, scenario.task, scenario.simulated, scenario.setting)
        return self._groups[(*where, cell.cell_id)]

    def declared(self, scenario: Scenario, single: Cell) -> Declared:
        runs = self.of(scenario, single)
        ids = runs.texts("run_id").tolist()

        def numbers(name: str, pick: Pick) -> Values:
            known = [v if v > 0 else np.nan for v in runs.numbers(name).tolist()]
            return by_sample(scenario, runs, known, pick)

        return Declared(
            numbers("material_tokens", max),
            numbers("window_tokens", min),
            by_sample(scenario, runs, [self._peaks.get(r, np.nan) for r in ids], max),
            numbers("graph_work", max),
            numbers("graph_critical_path", max),
            self._together(ids),
        )

    def tags(self, scenario: Scenario) -> list[frozenset[str]]:
        """Of each sample of the scenario; a sample has the same in every cell."""
        found: dict[Key, frozenset[str]] = {}
        for cell in scenario.cells:
            runs = self.of(scenario, cell)
            found |= dict(zip(keys(runs), (frozenset(json.loads(t)) for t in runs.texts("tags").tolist()), strict=True))
        return [found[sample] for sample in scenario.samples]

    def graded(self, ids: Collection[str]) -> dict[str, dict[str, Any]]:
        """Run → what its suite's rule said of the answer (``Grade.detail``), of those that were graded."""
        wanted, found = frozenset(ids), {}
        for table in self.results.snapshot.tables("events", ["run_id", "type", "data"]):
            events = Columns.of(table)
            events = events.where(events.texts("run_id").among(wanted) & events.texts("type").equal("graded"))
            for run, data in zip(*_lists(events, "run_id", "data"), strict=True):
                detail = json.loads(data)
                found[run] = detail.get("rule", detail)  # a judge's detail has the rule's in it
        return found

    @cached_property
    def _calls(self) -> list[Columns]:
        """The attempts of ``single``, the judge's left out, a part each."""
        columns = ["run_id", "agent", "activity", "completion_tokens", "ended_s"]
        parts = (Columns.of(t) for t in self.results.snapshot.tables("calls", columns))
        return [c.where(c.texts("run_id").among(self._single) & ~c.texts("activity").equal(JUDGE)) for c in parts]

    @cached_property
    def _peaks(self) -> dict[str, float]:
        """Run → most tokens of one completion; runs without a call are absent."""
        found: dict[str, float] = {}
        for calls in self._calls:
            most = calls.where(calls.last(["run_id"], "completion_tokens"))
            found |= zip(most.texts("run_id").tolist(), most.numbers("completion_tokens").tolist(), strict=True)
        return found

    @cached_property
    def _tool_calls(self) -> dict[str, tuple[int, int]]:
        """Run → (tool calls, most of one step). A tool call belongs to the last attempt of its agent that had ended by
        then."""
        ended: dict[tuple[str, str], list[float]] = {}
        for calls in self._calls:
            whose = _lists(calls, "run_id", "agent")
            for run, agent, at in zip(*whose, calls.numbers("ended_s").tolist(), strict=True):
                ended.setdefault((run, agent), []).append(at)
        for times in ended.values():
            times.sort()
        steps: dict[str, Counter[tuple[str, int]]] = {}
        for table in self.results.snapshot.tables("events", ["run_id", "agent", "at_s", "type"]):
            rows = Columns.of(table)
            rows = rows.where(rows.texts("run_id").among(self._single) & rows.texts("type").equal("tool", "tool_error"))
            whose = _lists(rows, "run_id", "agent")
            for run, agent, at in zip(*whose, rows.numbers("at_s").tolist(), strict=True):
                step = (agent, bisect_right(ended.get((run, agent), []), at))
                steps.setdefault(run, Counter())[step] += 1
        return {run: (by_step.total(), max(by_step.values())) for run, by_step in steps.items()}

    def _together(self, ids: Iterable[str]) -> bool | None:
        found = [self._tool_calls[r] for r in ids if r in self._tool_calls]
        if all(calls < 2 for calls, _ in found):
            return None
        return any(most > 1 for _, most in found)


def keys(runs: Columns) -> list[Key]:
    """The sample of each run."""
    return list(zip(*_lists(runs, "sample_id", "material_hash"), strict=True))


def by_sample(scenario: Scenario, runs: Columns, numbers: Iterable[float], pick: Pick) -> Values:
    """``numbers``: one a run. For each sample of the scenario what ``pick`` makes of those that are known."""
    found: dict[Key, list[float]] = {}
    for key, number in zip(keys(runs), numbers, strict=True):
        if not np.isnan(number):
            found.setdefault(key, []).append(number)
    return np.array([pick(found[s]) if s in found else np.nan for s in scenario.samples], np.float64)


def _lists(rows: Columns, *names: str) -> list[list[str]]:
    return [rows.texts(name).tolist() for name in names]
