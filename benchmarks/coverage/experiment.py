"""Many experiments on one population, and how many intervals held the truth."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from benchmarks.coverage.populations import Population
from results.stats import Interval, Mean, Ratio, mean, ratio, skewed

EXPERIMENTS = 2000
SIZES = (6, 10, 30, 200)
SEED = 7


@dataclass(slots=True)
class Counts:
    """Of ``experiments``: ``below`` and ``above``: the truth was below or above the interval. ``check``: the bootstrap
    held it, None where it was not asked or there is none. ``labelled``: ``skewed`` says so; of these ``labelled_held``
    held the truth. ``unbounded``: a ratio without an upper bound. ``wins``: the interval lies above 0 (of a ratio:
    above 1)."""

    experiments: int = 0
    below: int = 0
    above: int = 0
    check: int | None = None
    labelled: int = 0
    labelled_held: int = 0
    unbounded: int = 0
    wins: int = 0

    @property
    def held(self) -> int:
        return self.experiments - self.below - self.above

    def add(self, interval: Interval, truth: float, is_skewed: bool, zero: float) -> None:
        self.experiments += 1
        self.below += interval.above(truth)
        self.above += interval.below(truth)
        self.labelled += is_skewed
        self.labelled_held += is_skewed and truth in interval
        self.wins += interval.above(zero)


def measured(population: Population, n: int, experiments: int = EXPERIMENTS, check: bool = True) -> Counts:
    """The same figures for the same population, size and number of experiments."""
    random = np.random.default_rng([SEED, zlib.crc32(population.name.encode()), n])
    counts = Counts()
    for _ in range(experiments):
        drawn = population.draw(random, n)
        if len(drawn) == 2:
            _ratio(counts, ratio(*drawn), population.truth, drawn)
        else:
            _mean(counts, mean(drawn[0], scores=population.scores), population.truth, check)
    return counts


def _mean(counts: Counts, found: Mean, truth: float, check: bool) -> None:
    if found.interval is None:
        raise ValueError(f"{found.n} clusters have no interval.")
    counts.add(found.interval, truth, not found.scores and skewed(found.values), 0.0)
    if check and found.check is not None:
        counts.check = (counts.check or 0) + (truth in found.check)


def _ratio(counts: Counts, found: Ratio, truth: float, drawn: tuple[np.ndarray, np.ndarray]) -> None:
    if found.interval is None or found.value is None:
        raise ValueError(f"{found.n} clusters have no interval.")
    counts.add(found.interval, truth, skewed(drawn[0] - found.value * drawn[1]), 1.0)
    counts.unbounded += not found.bounded
