"""What is compared: the cells of one scenario, a value for each sample.

A scenario is one experiment, one task and one setting of everything but the topology, all simulated or all real. Epochs
are averaged first, so that a sample is one observation however often it was run.

A run that is missing counts as a failure: score 0. Missing is a (sample, epoch) that another cell of the scenario has,
in an epoch in which this cell has runs at all. What it would have cost is unknown, so such a sample is left out of
comparisons of cost, tokens and time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.errors import StoreError
from results.bridge import BASELINE, by_pair, setting
from results.columns import Columns
from results.frames import Results
from results.labels import labels, place, read_params
from results.origin import imported
from results.tally import Tally

Values = npt.NDArray[np.float64]
Key = tuple[str, str]
"""Sample, material."""
SINGLE = "single"
"""The family of the fair baselines; its first member has the same name."""
_FAILED = ("failed", "error", "timeout")


@dataclass(frozen=True, eq=False)
class Cell:
    """One configuration. ``values``: metric → a number for each sample of the scenario (its order), NaN where there is
    none or where it is unknown.

    ``score``, ``passed``, ``escaped``: 0..1, mean over epochs; ``escaped``: answers that were delivered (the run did
    not fail) and did not pass. ``tokens``: unknown where any attempt has no usage; ``usd`` as billed and
    ``uncached_usd``: unknown where any attempt's is; ``wall_s``: seconds; ``missing``: share of the sample's runs.
    ``runs``: how many there are; ``missing``: how many are not, of those the scenario has; ``unpriced``: of how many
    the cost is not wholly known; ``statuses``: status → runs, without ``ok``. ``ablate``: what was left out of it,
    empty for nothing.
    """

    cell_id: str
    label: str
    topology: str
    family: str
    model: str
    ablate: str
    params: Mapping[str, Any]
    runs: int
    missing: int
    statuses: Mapping[str, int]
    values: Mapping[str, Values]
    unpriced: int = 0

    def scores(self, *, at_best: bool) -> Values:
        """The scores, with missing runs as failures, or (``at_best``) as if they had solved all."""
        return self.values["score"] + (self.values["missing"] if at_best else 0.0)

    @property
    def priced(self) -> bool:
        """Whether the cost of every run that is there is known."""
        there = self.has & (self.values["missing"] == 0)
        return not np.isnan(self.values["usd"][there]).any()

    @property
    def has(self) -> npt.NDArray[np.bool_]:
        """The samples that it has, or should have."""
        return ~np.isnan(self.values["score"])


@dataclass(frozen=True, eq=False)
class Scenario:
    """``cells``: the single family first, ``single`` before all, then in the order of the sweep. ``samples`` and
    ``clusters``: of every position of the cells' values. ``setting``: JSON. ``imported``: whether any of its rows come
    from elsewhere, so that nobody here can run its task."""

    experiment_id: str
    task: str
    simulated: bool
    setting: str
    samples: tuple[Key, ...]
    clusters: tuple[str, ...]
    cells: tuple[Cell, ...]
    imported: bool = False

    @cached_property
    def single(self) -> Cell | None:
        """The baseline: the first ``single``, None where there is none."""
        return next((c for c in self.cells if c.topology == BASELINE and not c.ablate), None)

    @cached_property
    def family(self) -> tuple[Cell, ...]:
        """The fair baselines that have a sample in common with ``single``."""
        return tuple(c for c in self.cells if c.family == SINGLE and not c.ablate and self._shares(c))

    @cached_property
    def teams(self) -> tuple[Cell, ...]:
        """Whole teams, with nothing left out, that have a sample in common with ``single``."""
        return tuple(c for c in self.cells if c.family != SINGLE and not c.ablate and self._shares(c))

    def cell(self, cell_id: str) -> Cell:
        return next(c for c in self.cells if c.cell_id == cell_id)

    def by_cluster(self, values: Values) -> Values:
        """The mean over samples for each cluster that has any, in the order of the clusters' names."""
        known = ~np.isnan(values)
        count = np.bincount(self._cluster[known])
        total = np.bincount(self._cluster[known], weights=values[known])
        return np.asarray(total[count > 0] / count[count > 0])

    @cached_property
    def _cluster(self) -> npt.NDArray[np.intp]:
        """The number of each sample's cluster, in the order of their names."""
        number = {name: i for i, name in enumerate(sorted(set(self.clusters)))}
        return np.array([number[name] for name in self.clusters], dtype=np.intp)

    def _shares(self, cell: Cell) -> bool:
        return self.single is not None and bool((cell.has & self.single.has).any())


def assumed(values: Values, has: npt.NDArray[np.bool_], *, dear: bool) -> Values | None:
    """Costs without gaps: a sample that has none takes as much as the dearest that has (``dear``), or nothing. So that
    a failure whose cost nobody knows is not left out, score and all. None where no cost is known."""
    known = values[has & ~np.isnan(values)]
    if not len(known):
        return None
    return np.where(has & np.isnan(values), known.max() if dear else 0.0, values)


def scenarios(results: Results, tally: Tally) -> tuple[Scenario, ...]:
    """Every scenario of these results; ``tally``: their own. Raises StoreError for a cell that holds a sample twice in
    the same epoch."""
    ablate = Columns.of(results.table("runs", ["ablate"])).texts("ablate")  # as the tally's runs: all, in one order
    runs = tally.runs.having(
        ablate=ablate,
        setting=tally.runs.texts("params").renamed(setting),
        measured=~tally.runs.texts("run_id").among(tally.unmeasured),
    )
    return tuple(_scenarios(runs))


def _scenarios(runs: Columns) -> Iterator[Scenario]:
    """By experiment and task, real before simulated, then in the order of the sweep."""
    for (experiment, task, simulated), group in runs.groups("experiment_id", "task", "simulated"):
        made = [
            _scenario(experiment, task, bool(simulated), chosen, rows) for (chosen,), rows in group.groups("setting")
        ]
        yield from sorted(made, key=lambda s: min(place(c.cell_id) for c in s.cells))


def _scenario(experiment: str, task: str, simulated: bool, chosen: str, runs: Columns) -> Scenario:
    keys = list(zip(runs.texts("sample_id").tolist(), runs.texts("material_hash").tolist(), strict=True))
    cluster_of = dict(zip(keys, runs.texts("cluster_id").tolist(), strict=True))
    samples = tuple(sorted(cluster_of))
    planned = set(zip(keys, runs.numbers("epoch").tolist(), strict=True))
    names = labels(runs)
    cells = [_cell(" ".join(names[cell_id]), samples, planned, rows) for (cell_id,), rows in runs.groups("cell_id")]
    cells.sort(key=lambda c: (c.family != SINGLE, c.topology != BASELINE, place(c.cell_id)))
    clusters = tuple(cluster_of[s] for s in samples)
    foreign = bool(imported(runs).any())
    return Scenario(experiment, task, simulated, chosen, samples, clusters, tuple(cells), foreign)


def _cell(label: str, samples: Sequence[Key], planned: set[tuple[Key, int]], rows: Columns) -> Cell:
    by_pair(rows)  # no sample twice in one epoch
    at = {key: i for i, key in enumerate(samples)}
    keys = zip(rows.texts("sample_id").tolist(), rows.texts("material_hash").tolist(), strict=True)
    index, epochs = np.array([at[k] for k in keys]), rows.numbers("epoch").tolist()
    here = set(zip(index.tolist(), epochs, strict=True))
    absent = [at[k] for k, e in planned if e in set(epochs) and (at[k], e) not in here]
    missing = np.bincount(np.array(absent, dtype=np.int64), minlength=len(samples))
    count = np.bincount(index, minlength=len(samples))
    statuses = rows.texts("status").tolist()
    known = rows.numbers("cost_complete")
    measured = {
        "score": rows.numbers("score"),
        "passed": rows.numbers("passed"),
        "escaped": ~rows.numbers("passed") & ~rows.texts("status").equal(*_FAILED),
        "tokens": np.where(
            rows.numbers("measured"), rows.numbers("prompt_tokens") + rows.numbers("completion_tokens"), np.nan
        ),
        "usd": np.where(known, rows.numbers("cost_pusd") / 10**12, np.nan),
        "uncached_usd": np.where(known, rows.numbers("cost_uncached_usd"), np.nan),
        "wall_s": rows.numbers("wall_s"),
    }
    _refuse_impossible(rows)
    values = {
        name: _averaged(index, numbers, count, missing, failure_is_zero=name in ("score", "passed", "escaped"))
        for name, numbers in measured.items()
    }
    with np.errstate(invalid="ignore", divide="ignore"):
        values["missing"] = np.where(count + missing > 0, missing / (count + missing), np.nan)
    return Cell(
        cell_id=rows.texts("cell_id").tolist()[0],
        label=label,
        topology=rows.texts("topology").tolist()[0],
        family=rows.texts("family").tolist()[0],
        model=rows.texts("model").tolist()[0],
        ablate=rows.texts("ablate").tolist()[0],
        params=read_params(rows.texts("params").tolist()[0]),
        runs=len(rows),
        missing=len(absent),
        statuses={s: statuses.count(s) for s in sorted(set(statuses)) if s != "ok"},
        values=values,
        unpriced=int((~known.astype(bool)).sum()),
    )


def _refuse_impossible(rows: Columns) -> None:
    """Scores are 0..1, times and costs finite and not negative; an unknown time or cost is NaN, an unknown score is not
    a score."""
    score = rows.numbers("score")
    wrong = {"score": ~((score >= 0) & (score <= 1))}
    for name in ("wall_s", "cost_uncached_usd", "cost_pusd"):
        values = rows.numbers(name)
        wrong[name] = np.isinf(values) | (values < 0)
    for name, rows_wrong in wrong.items():
        if rows_wrong.any():
            at = int(np.flatnonzero(rows_wrong)[0])
            run, value = rows.texts("run_id").tolist()[at], rows.numbers(name).tolist()[at]
            raise StoreError(
                f"run '{run}' has {name} = {value}, which cannot be. "
                "Run `python -m results validate` to see what else is wrong."
            )


def _averaged(index: Any, numbers: Any, count: Any, missing: Any, *, failure_is_zero: bool) -> Values:
    """The mean over the epochs of every sample; a missing run is a zero, or makes the sample unknown."""
    total = np.bincount(index, weights=np.asarray(numbers, dtype=np.float64), minlength=len(count))
    runs = count + missing if failure_is_zero else np.where(missing > 0, 0, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(runs > 0, total / runs, np.nan)
