"""What a size sweep tells, as typed tables; ``results.crossover`` says what each is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from results.crossover.fits import Fit

MEASURES = ("usd", "uncached", "tokens", "score", "hours")
"""Per sample: USD as billed, USD as if nothing had been cached, tokens, score in 0..1, hours of wall-clock."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over clusters of samples. ``spread``: its Monte-Carlo standard error, of simulated runs only.
    ``interval``: 95 % confidence, (low, high), of real runs only, and of these only where there are enough clusters."""

    value: float
    spread: float | None = None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Point:
    """One choice at one size, over the (sample, epoch) pairs that all choices have at that size; failures included.

    ``clusters``: groups of samples over which means are taken. ``left_out``: runs that some other choice lacks.
    ``failed``: runs whose status is not ok. ``figures``: by measure; None where any cost is unknown.
    """

    size: float
    cell_id: str
    pairs: int
    clusters: int
    left_out: int
    failed: int
    figures: Mapping[str, Figure | None]


@dataclass(frozen=True)
class Choice:
    """A topology with its settings, but for the size. ``fixed``: it has no such parameter, so one cell stands at every
    size. ``fits``: by measure; None with fewer than three sizes at which it is known."""

    label: str
    topology: str
    family: str
    fixed: bool
    points: tuple[Point, ...]
    fits: Mapping[str, Fit | None]

    @cached_property
    def _at(self) -> dict[float, Point]:
        return {point.size: point for point in self.points}

    def at(self, size: float) -> Point | None:
        """What was measured at a size; None where nothing was."""
        return self._at.get(size)


@dataclass(frozen=True, slots=True)
class Winner:
    """The best choice at one measured size, ``margin`` better than the second, on the same samples; not corrected for
    having been picked as the best. Of equals the earlier choice. ``second`` and ``margin`` are None where only one
    choice can be judged."""

    size: float
    choice: str
    second: str | None
    margin: Figure | None

    @property
    def close(self) -> bool:
        """Whether the second may as well be the best: the margin is less than its Monte-Carlo spread, or its
        interval holds 0. A margin with neither is what it is."""
        if self.margin is None:
            return False
        if self.margin.interval is not None:
            return self.margin.interval[0] <= 0
        return self.margin.value == 0 or self.margin.value < (self.margin.spread or 0.0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one size to another this choice is best, by the fitted curves."""

    low: float
    high: float
    choice: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where the best choice changes, by the fitted curves: ``below`` is best below this size, ``above`` above it.

    ``extrapolated``: outside the sizes at which both were measured. ``between``: neighbouring measured sizes between
    which the measured means change in the same direction; None where they do not. ``low``, ``high``: where it lies when
    any one size is left out of the fits; ``held``: in how many of these ``of`` fits it is there at all.
    """

    size: float
    below: str
    above: str
    extrapolated: bool
    between: tuple[float, float] | None
    low: float | None
    high: float | None
    held: int
    of: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Which choice is best, by one criterion, over the size.

    ``criterion``: ``usd``, ``uncached`` and ``tokens`` (least is best), ``score`` (most), ``net`` and ``net uncached``
    (most: λ·score − h·hours − cost in USD a sample, cost as billed and as if uncached). ``winners``: at the measured
    sizes where any choice can be judged. ``stretches``: over the measured range, by the fitted curves, without gaps;
    less of it where a curve that may not be carried on ends earlier. ``crossings``: where the best of all changes, from
    ``searched[0]`` to ``searched[1]`` (None with fewer than two curves); ``against_single``: where ``single`` and each
    other choice change places. ``judged``: choices with a curve. ``disputed``: measured sizes at which the curves call
    another choice best than the means do. ``error``: of ``net`` only, by choice, the mean absolute error in USD at
    sizes left out.
    """

    criterion: str
    judged: tuple[str, ...]
    winners: tuple[Winner, ...]
    stretches: tuple[Stretch, ...]
    crossings: tuple[Crossing, ...]
    against_single: tuple[Crossing, ...]
    searched: tuple[float, float] | None
    disputed: tuple[float, ...]
    error: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Terms:
    """The cost equation at one size, tokens a run by activity: workers · steps · step + plan + workers · steps · sync +
    merge + verification + unknown = total, exactly.

    ``workers``: agents that make a step, a mean over runs; ``steps``: of each; ``step``, ``sync``: tokens a step (None
    without steps, as ``steps``); ``plan``, ``merge``, ``verification``, ``unknown``: tokens a run. ``talk``: the sync
    tokens of a run, however many steps it has.
    """

    size: float
    runs: int
    workers: float
    steps: float | None
    step: float | None
    plan: float
    sync: float | None
    talk: float
    merge: float
    verification: float
    unknown: float
    total: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """A large size foretold by the smaller ones. ``constant``: by their estimates, with the workers and steps of the
    size itself; ``growing``: every term of a run goes on along its own curve, and nothing of the size itself is used.
    Tokens a run; None where there is no step to go by."""

    size: float
    measured: float
    constant: float | None
    growing: float | None


@dataclass(frozen=True, slots=True)
class Equation:
    """One choice's cost equation (docs/crossover.md). ``forecasts``: empty with fewer than three sizes."""

    choice: str
    terms: tuple[Terms, ...]
    forecasts: tuple[Forecast, ...]


@dataclass(frozen=True, slots=True)
class Crossover:
    """All that is told of one size sweep: one experiment, task, model and settings apart from the topology's, all
    simulated or all real. ``single`` first among the choices, then the rest of its family, then teams."""

    experiment_id: str
    task: str
    model: str
    simulated: bool
    by: str
    setting: str
    sizes: tuple[float, ...]
    choices: tuple[Choice, ...]
    verdicts: tuple[Verdict, ...]
    equations: tuple[Equation, ...]
    notes: tuple[str, ...]

    def choice(self, label: str) -> Choice:
        return next(choice for choice in self.choices if choice.label == label)

    def verdict(self, criterion: str) -> Verdict:
        return next(verdict for verdict in self.verdicts if verdict.criterion == criterion)
