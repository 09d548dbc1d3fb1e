"""Real rows: how much worse the candidate is on the same samples, one number a cluster.

Epochs of a sample are averaged, then samples of a cluster. Of each cluster, what is allowed is taken from how much it
is worse; a rule then asks on which side of zero the interval of the mean lies. A relative allowance is taken cluster by
cluster from the baseline's own figure, so that what is uncertain in the baseline is in the interval too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from results.bridge import BASELINE, setting
from results.gate.clusters import Clusters
from results.gate.metrics import LARGEST, Metric, Values
from results.gate.pairing import Pair
from results.gate.report import Figures
from results.gate.rows import Cell, Run
from results.gate.rules import Rule
from results.stats import LEVEL, MIN_CLUSTERS, Mean, mean, skewed

Cells = Sequence[Cell]


class CannotJudge(Exception):
    """Says why, in one sentence."""


@dataclass(frozen=True)
class Contrast:
    """``beyond``: how much worse than allowed, a number a cluster; ``figures``: without an interval so far."""

    beyond: tuple[float, ...]
    pseudo: tuple[float, ...]
    figures: Figures

    @cached_property
    def found(self) -> Mean:
        return mean(self.beyond, pseudo=self.pseudo)

    @cached_property
    def p(self) -> float:
        """Two-sided p-value of the claim that it lies on one side of what is allowed; what is exactly as much as is
        allowed, without any spread, lies within."""
        found = self.found
        if not found.se:
            return 0.0
        sides = (found.p_above(0.0), found.p_below(0.0))
        return min(1.0, 2 * min(1.0 if p is None else p for p in sides))

    def at(self, level: float) -> Figures:
        """The figures with the interval of how much worse it is, at a level."""
        interval = self.found.at(level)
        allowed = self.figures.allowed
        moved = (
            None if interval is None else replace(interval, low=interval.low + allowed, high=interval.high + allowed)
        )
        return replace(self.figures, interval=moved, level=level, skewed=skewed(self.beyond))


def contrast(rule: Rule, pair: Pair, baseline: Cells, candidate: Cells) -> Contrast:
    """``baseline``, ``candidate``: all their cells, among which ``single`` is looked for. Raises CannotJudge."""
    if pair.candidate is None:
        raise CannotJudge("; ".join(pair.problems))
    metric = rule.judged
    clusters = pair.clusters
    if clusters.count < MIN_CLUSTERS:
        raise CannotJudge(f"{clusters.count} clusters of samples; an interval needs at least {MIN_CLUSTERS}")
    before = _by_cluster("baseline", metric, pair.base, pair.runs, clusters, baseline)
    after = _by_cluster("candidate", metric, pair.candidate, pair.runs, clusters, candidate)
    was, now = float(before.mean()), float(after.mean())
    worse = after - before if rule.better == "lower" else before - after
    relative = rule.relative * was > rule.absolute
    allowed = rule.relative * before if relative else np.full(len(before), rule.absolute)
    mid = float(allowed.mean())
    return Contrast(
        beyond=tuple((worse - allowed).tolist()),
        pseudo=(1.0 - mid, -1.0 - mid) if metric.scores else (),
        figures=Figures(metric, was, now, float(worse.mean()), mid, len(before), level=LEVEL),
    )


def _by_cluster(side: str, metric: Metric, cell: Cell, runs: Sequence[Run], clusters: Clusters, cells: Cells) -> Values:
    values = _known(side, metric, metric.values(cell.choose(runs)))
    own = clusters.averaged(values)
    if not metric.ratio:
        return own
    single = _single(side, cell, cells)
    missing = [run for run in runs if run not in single.at]
    if missing:
        raise CannotJudge(f"the {side}'s `{BASELINE}` lacks {len(missing):,} of the {len(runs):,} runs to compare with")
    rows = single.choose(runs)
    whole = clusters.averaged((rows.numbers("prompt_tokens") + rows.numbers("completion_tokens")).astype(float))
    if not whole.mean():
        raise CannotJudge(f"the {side}'s `{BASELINE}` has spent no tokens")
    ratio = own.mean() / whole.mean()
    spread: Values = ratio + (own - ratio * whole) / whole.mean()  # its mean is the ratio, its spread that of the ratio
    return spread


def _known(side: str, metric: Metric, values: Values) -> Values:
    unknown = int(np.isnan(values).sum())
    if unknown:
        raise CannotJudge(
            f"{metric.name} of {unknown:,} of the {side}'s {len(values):,} runs is incomplete or unknown: give every "
            f"model a price, or judge by rules (--rules) without money"
        )
    most = 1.0 if metric.scores else LARGEST
    impossible = int(((values < 0) | (values > most + 1e-9)).sum())
    if impossible:
        raise CannotJudge(
            f"{metric.name} of {impossible:,} of the {side}'s {len(values):,} runs is not between 0 and {most:,g}: its "
            f"rows are damaged or not ours"
        )
    return values


def _single(side: str, cell: Cell, cells: Cells) -> Cell:
    """The baseline of the same task, set as this cell apart from the topology."""
    wanted = (cell.key.task, setting(cell.key.setting), cell.simulated)
    found = [
        c for c in cells if c.key.topology == BASELINE and (c.key.task, setting(c.key.setting), c.simulated) == wanted
    ]
    if len(found) != 1:
        raise CannotJudge(
            f"the {side} has {len(found) or 'no'} cells of `{BASELINE}` to compare with; exactly one is needed"
        )
    return found[0]
