"""Populations whose mean, or ratio of means, is known exactly, and what a sample of clusters of them looks like."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
CLUSTERS = 8
ICC = 0.3
FACTOR, NOISE = 2.0, 0.5
"""What a team costs for each USD of one agent: log-normal, of this median and this standard deviation of the log."""
ALIKE = "8 clusters, ICC 0.3"


@dataclass(frozen=True, slots=True)
class Population:
    """``draw(random, n)``: one number a cluster; of ratios, the numerators and the denominators. ``n``: the number of
    clusters, or of samples in each of the 8 clusters where the name says so. ``scores``: the values are differences of
    scores. ``required``: the interval is to hold the truth in 93 % of experiments."""

    name: str
    truth: float
    draw: Callable[[np.random.Generator, int], Sequence[Numbers]]
    scores: bool = False
    required: bool = True


def populations() -> Iterator[Population]:
    """All that the page tells of, in its order."""
    for win, lose in ((0.05, 0.02), (0.10, 0.0), (0.30, 0.10)):
        yield Population(f"scores, win {win:.2f}, lose {lose:.2f}", win - lose, _right_or_wrong(win, lose), scores=True)
    for name, shape, power in (("", 2.0, 0.8), (", near the top", 18.0, 0.5)):
        truth = shape / (shape + power) - shape / (shape + 1)  # E p^k = a / (a + k) of a beta distribution (a, 1)
        yield Population(f"scores in quarters{name}", truth, _quarters(shape, power), scores=True)
    yield Population("normal", 0.2, lambda random, n: (random.normal(0.2, 1.0, n),))
    yield Population(f"normal, {ALIKE}", 0.2, _clustered)
    yield Population(f"scores, win 0.30, lose 0.10, {ALIKE}", 0.2, _clustered_scores(0.30, 0.10), scores=True)
    for sd in (0.5, 1.0):
        more, one = FACTOR * math.exp(NOISE**2 / 2), math.exp(sd**2 / 2)
        name = f"log-normal cost, sd {sd} of the log"
        yield Population(f"{name}: difference", (more - 1) * one, _difference(sd), required=False)
        yield Population(f"{name}: ratio", more, _costs(sd), required=False)


def _right_or_wrong(win: float, lose: float) -> Callable[[np.random.Generator, int], Sequence[Numbers]]:
    return lambda random, n: (random.choice([1.0, -1.0, 0.0], n, p=[win, lose, 1 - win - lose]),)


def _quarters(shape: float, power: float) -> Callable[[np.random.Generator, int], Sequence[Numbers]]:
    """Four criteria a sample. One agent meets each with a probability p that is the sample's own, a team with p^power,
    which is more."""

    def draw(random: np.random.Generator, n: int) -> Sequence[Numbers]:
        p = random.beta(shape, 1.0, n)
        return ((random.binomial(4, p**power) - random.binomial(4, p)) / 4,)

    return draw


def _clustered(random: np.random.Generator, n: int) -> Sequence[Numbers]:
    own = random.normal(0.2, math.sqrt(ICC), CLUSTERS)
    return (own + random.normal(0.0, math.sqrt(1 - ICC), (n, CLUSTERS)).mean(axis=0),)


def _clustered_scores(win: float, lose: float) -> Callable[[np.random.Generator, int], Sequence[Numbers]]:
    """The probabilities are the cluster's own, of a Dirichlet distribution whose parameters add up to 1 / ICC − 1."""

    def draw(random: np.random.Generator, n: int) -> Sequence[Numbers]:
        own = random.dirichlet((1 / ICC - 1) * np.asarray([win, lose, 1 - win - lose]), CLUSTERS)
        counts = random.multinomial(n, own)
        return ((counts[:, 0] - counts[:, 1]) / n,)

    return draw


def _costs(sd: float) -> Callable[[np.random.Generator, int], Sequence[Numbers]]:
    """Of a team, and of one agent on the same samples."""

    def draw(random: np.random.Generator, n: int) -> Sequence[Numbers]:
        single = random.lognormal(0.0, sd, n)
        return FACTOR * single * random.lognormal(0.0, NOISE, n), single

    return draw


def _difference(sd: float) -> Callable[[np.random.Generator, int], Sequence[Numbers]]:
    def draw(random: np.random.Generator, n: int) -> Sequence[Numbers]:
        team, single = _costs(sd)(random, n)
        return (team - single,)

    return draw
